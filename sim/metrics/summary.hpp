// The numbers of a run: what interface.md calls "every metric", overall and per job type.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/api/shaped_jobs.hpp"
#include "sim/metrics/job_outcomes.hpp"
#include "sim/metrics/statistics.hpp"

namespace berth {

// Every job is in exactly one of the last four:
//   submitted = finished + rejected + never_started + unfinished
struct JobCounts {
  std::uint64_t submitted = 0;  // good rows of the trace
  std::uint64_t finished = 0;
  std::uint64_t rejected = 0;       // can never run on this cluster
  std::uint64_t never_started = 0;  // by the trace, or because the policy left them waiting
  std::uint64_t left_waiting = 0;   // of these: the policy's doing
  std::uint64_t unfinished = 0;     // started, not finished
  std::uint64_t preemptions = 0;

  bool balances() const { return submitted == finished + rejected + never_started + unfinished; }
};

// Over the jobs of one type, or all.
struct GroupMetrics {
  std::string name;
  JobCounts jobs;
  Distribution queue;             // s; first start - submission, of jobs that started
  Distribution jct;               // s; end - submission, of jobs that finished
  Distribution bounded_slowdown;  // max(1, jct / max(run, 10 s)) (Feitelson et al. 1998)
  double gpu_hours = 0;           // allocated
  double gpu_share_pct = 0;       // of all allocated GPU-hours
};

// How far a recorded schedule fits the modelled cluster (order: recorded).
struct RecordedFit {
  std::uint64_t late = 0;   // jobs that started after their recorded start
  double mean_delay_s = 0;  // of these
  double max_delay_s = 0;
  std::string first_late_job;  // empty if none
};

struct Summary {
  GroupMetrics all;
  std::vector<GroupMetrics> by_type;       // in order of first appearance in the trace
  double makespan_s = 0;                   // last end; time zero is the earliest submission
  double gpu_utilization_pct = 0;          // allocated GPU time over GPUs x makespan
  std::optional<double> offered_load_pct;  // see below
  std::optional<RecordedFit> recorded;
};

// GPU time asked for by the jobs that can run, over what the cluster has from the first to the last
// submission, in percent. Empty where all are submitted at once.
std::optional<double> offered_load_pct(const ShapedJobs& workload);

Summary summarize(const ShapedJobs& workload, const JobOutcomes& outcomes,
                  bool compare_with_recorded);

}  // namespace berth
