// Reading the workload and checking it against the cluster before anything runs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/api/shaped_jobs.hpp"
#include "sim/api/trace_reader.hpp"
#include "sim/experiment/spec.hpp"
#include "sim/metrics/submission_days.hpp"

namespace berth {

struct Workload {
  std::unique_ptr<const JobTable> jobs;  // on the heap: `shaped` borrows it
  ShapedJobs shaped;
  TraceReport report;
  std::unique_ptr<const FeedbackChains> chains;  // null: feedback is open
  std::optional<SubmissionDays> days;            // of the trace as read; empty: it has no dates
  // For people: what each transform did, a line each; what feedback does, or empty: it is open.
  std::vector<std::string> transforms;
  std::string feedback;
  std::optional<double> offered_load_pct;
};

// The jobs of a workload, whatever cluster they are to run on.
struct ReadJobs {
  std::unique_ptr<const JobTable> jobs;  // transformed; at least one
  TraceReport report;
  std::optional<SubmissionDays> days;   // of the trace as read; empty: it has no dates
  std::vector<std::string> transforms;  // what each transform did, a line each
};

// Throws DataError: the trace cannot be read, or no job is left.
// Interrupted: `stop` was set meanwhile.
ReadJobs read_jobs(const WorkloadSpec& spec, const std::atomic<bool>* stop = nullptr);

// Throws DataError: the trace cannot be read, or (oversized: error) holds a job that the cluster
// can never run, named with its line.
// Interrupted: `stop` was set meanwhile.
Workload load_workload(const RunSpec& spec, const std::atomic<bool>* stop = nullptr);

}  // namespace berth
