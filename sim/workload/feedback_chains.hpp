// Which jobs were submitted because another one ended, and how long after its end.
//
// In an open replay submissions stand where the log has them, so that a slower policy meets the
// same arrivals. In life people wait for results before they submit the next job (Zakay and
// Feitelson, "Preserving User Behavior Characteristics in Trace-Based Simulation of Parallel Job
// Scheduling", MASCOTS 2014): with chains, a job that followed another one is submitted its think
// time after that one's end in the simulation.
//
// Links are those that the trace tells (SWF's preceding job and think time), or inferred: a job
// that had none of its kind (same user, type and GPUs, or fewer of these) before it in the system
// follows the one of its kind that ended last, if that was not longer ago than `longest_gap`. Jobs
// of one kind that were submitted within `batch` of the first of them, while one of them was still
// in the system, are one act of their user: they all follow the same job.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/workload/job_table.hpp"

namespace berth {

struct ChainRules {
  enum class Source : std::uint8_t { kAuto, kRecorded, kInferred };
  Source source = Source::kAuto;  // kAuto: recorded if the trace tells any link, else inferred
  // For inferred links. Twenty minutes: what studies of user sessions take as the longest think
  // time within one (Zilber, Amit and Talby, "What is Worth Learning from Parallel Workloads?",
  // ICS 2005).
  Duration longest_gap = std::chrono::minutes(20);
  Duration batch = std::chrono::minutes(1);
  bool same_type = true;
  bool same_gpus = true;
};

class FeedbackChains {
 public:
  struct Follower {
    JobId job;
    Duration think;
  };
  struct Counts {
    bool recorded = false;  // the links are those of the trace
    std::uint64_t links = 0;
    std::uint64_t unknown = 0;   // recorded links to a job that is not in the workload
    std::uint64_t unusable = 0;  // to one that never started, or is not before the follower
  };

  FeedbackChains(const JobTable& jobs, const ChainRules& rules);

  // The job waits for another one's end; never for one that comes later in queue order.
  bool follows(JobId job) const { return predecessor_[index(job)] != kNone; }
  JobId predecessor(JobId job) const { return predecessor_[index(job)]; }
  // In queue order.
  std::span<const Follower> followers_of(JobId job) const {
    const std::size_t begin = first_[index(job)];
    return std::span(followers_).subspan(begin, first_[index(job) + 1] - begin);
  }
  const Counts& counts() const { return counts_; }
  // For people: "chains: 1204 of 5000 jobs follow another one's end (inferred: ...)".
  std::string text(const ChainRules& rules) const;

  static constexpr JobId kNone{0xFFFF'FFFF};

 private:
  void link_recorded(const JobTable& jobs, std::vector<Duration>& think);
  void link_inferred(const JobTable& jobs, const ChainRules& rules, std::vector<Duration>& think);
  void index_followers(const std::vector<Duration>& think);

  std::vector<JobId> predecessor_;  // by job
  std::vector<std::size_t> first_;  // by job: where its followers begin; one more at the end
  std::vector<Follower> followers_;
  Counts counts_;
};

}  // namespace berth
