// Submissions to come: the cursor over the sorted workload, merged with the jobs that the run
// itself releases, since the job that they follow has ended.
//
// Jobs that never run (the trace says that they never started, or the cluster can never hold them)
// are load for nobody and make no instant.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/api/shaped_jobs.hpp"
#include "sim/workload/feedback_chains.hpp"

namespace berth {

class Arrivals {
 public:
  // Borrows both; `chains` may be null: every job is submitted when the trace says.
  Arrivals(const ShapedJobs& workload, const FeedbackChains* chains)
      : workload_(workload), jobs_(workload.jobs().jobs()), chains_(chains) {}

  // When the next job is submitted; kNever if none is known.
  SimTime next();
  // Calls submit(JobId) for each job that is due at `now`, in queue order.
  template <class Submit>
  void take_due(SimTime now, Submit submit) {
    while (true) {
      skip();
      const bool from_trace = next_job_ < jobs_.size() && jobs_[next_job_].submit == now;
      const bool released = !released_.empty() && released_.front().time == now;
      if (!from_trace && !released) return;
      if (from_trace && (!released || next_job_ < index(released_.front().job))) {
        submit(JobId(static_cast<std::uint32_t>(next_job_++)));
      } else {
        submit(pop_released());
      }
    }
  }
  // `job` ended: the jobs that follow it are submitted their think time later.
  void on_finished(JobId job, SimTime end);
  // Jobs passed so far that the cluster can never hold.
  std::uint64_t rejected() const { return rejected_; }

 private:
  struct Release {
    SimTime time;
    JobId job;
  };
  static bool later(const Release& a, const Release& b);
  bool is_released_by_another(JobId job) const;
  void skip();
  JobId pop_released();

  const ShapedJobs& workload_;
  std::span<const Job> jobs_;
  const FeedbackChains* chains_;
  std::size_t next_job_ = 0;
  std::vector<Release> released_;  // a heap, the earliest first
  std::uint64_t rejected_ = 0;
};

}  // namespace berth
