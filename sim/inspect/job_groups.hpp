// How the GPU jobs of a trace, and their GPU time, are shared out: by type, final state, size,
// user and whatever else the trace names (Fig. 4 and Tables 1 and 2 of the Acme study, Hu et al.,
// NSDI '24).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/workload/job_table.hpp"

namespace berth {

struct JobGroup {
  std::string name;
  std::uint64_t jobs = 0;
  double jobs_pct = 0;
  double gpu_hours = 0;  // run time x GPUs, of those that ran
  double gpu_time_pct = 0;
};

// Largest first, equals in the order in which the trace first names them; sizes by size.
struct JobGroups {
  std::vector<JobGroup> types;
  std::vector<JobGroup> states;
  std::vector<JobGroup> cpu_states;  // of the jobs without a GPU
  std::vector<JobGroup> sizes;       // "8": so many GPUs
  std::vector<JobGroup> users;       // all of them
  std::vector<JobGroup> vcs;         // empty where the trace names none, as the next
  std::vector<JobGroup> accounts;
  std::vector<JobGroup> priorities;
  std::vector<JobGroup> gpu_models;
  double gpu_hours = 0;  // of all

  // Of how unequal the users are: what the first `pct` per cent of them (rounded up, those with the
  // most jobs, or the most GPU time, first) have of all jobs, and of the GPU time.
  struct Skew {
    double pct = 0;
    double jobs_pct = 0;
    double gpu_time_pct = 0;
  };
  std::vector<Skew> user_skew;
};

JobGroups job_groups(const JobTable& jobs);

}  // namespace berth
