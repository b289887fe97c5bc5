// What a user should know about the workload before its results, on standard error.
#pragma once

#include <cinttypes>
#include <cstdio>

#include "sim/experiment/workload.hpp"

namespace berth::cli {

inline void print_notes(const Workload& workload) {
  const TraceReport& report = workload.report;
  std::fprintf(stderr, "%zu jobs", workload.jobs->size());
  if (workload.offered_load_pct) {
    std::fprintf(stderr, ", offered load %.1f %% of the cluster's GPUs",
                 *workload.offered_load_pct);
  }
  std::fputs("\n", stderr);
  const auto count = [](std::uint64_t number, const char* what) {
    if (number != 0) std::fprintf(stderr, "note: %" PRIu64 " %s\n", number, what);
  };
  count(report.bad_rows, "bad rows were left out (workload.bad_rows: skip)");
  for (const std::string& example : report.bad_row_examples) {
    std::fprintf(stderr, "      %s\n", example.c_str());
  }
  count(report.never_started,
        "jobs never started in the trace; they keep their row and load nothing");
  count(report.still_running,
        "jobs were still running at the end of the trace; they run until then");
  count(report.duration_differs,
        "rows whose duration is not end - start; the run time is end - start");
  count(workload.shaped.oversized(),
        "jobs are larger than the cluster and left out (workload.oversized: skip)");
  if (workload.offered_load_pct.value_or(0) > 100) {
    std::fputs(
        "warning: more load is offered than the cluster can serve; queues grow with the trace\n",
        stderr);
  }
}

}  // namespace berth::cli
