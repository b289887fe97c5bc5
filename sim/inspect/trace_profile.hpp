// A trace characterised: the tables and curves of the Acme study (Hu et al., NSDI '24), for any
// trace. docs/inspect.md defines every number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/api/trace_reader.hpp"
#include "sim/cluster/cluster_spec.hpp"
#include "sim/inspect/arrivals.hpp"
#include "sim/inspect/curves.hpp"
#include "sim/inspect/job_groups.hpp"
#include "sim/inspect/oddities.hpp"
#include "sim/inspect/recorded_load.hpp"
#include "sim/metrics/submission_days.hpp"

namespace berth {

struct TraceProfile {
  std::string name;  // how the trace is called in tables; no two of one command alike
  TraceReport report;
  std::vector<std::string> transforms;  // a line each
  std::uint64_t jobs = 0;
  std::uint64_t gpu_jobs = 0;
  std::uint64_t cpu_jobs = 0;
  std::optional<SubmissionDays> days;  // of the jobs, transformed; empty: no dates, as the next
  std::optional<Arrivals> arrivals;
  Duration submissions{};  // from the first to the last
  JobGroups groups;
  Curves curves;
  std::optional<RecordedLoad> load;  // empty: the trace tells no starts
  std::optional<double> capacity;    // GPUs of the cluster that was named
  // GPU time of all jobs over what that cluster has from the first to the last submission.
  std::optional<double> offered_load_pct;
  std::vector<Oddity> oddities;
};

// `cluster` may be null; its parts_per_gpu are those of `jobs`. REQUIRES: a job.
TraceProfile profile_of(std::string name, const JobTable& jobs, TraceReport report,
                        std::vector<std::string> transforms, const ClusterSpec* cluster);

}  // namespace berth
