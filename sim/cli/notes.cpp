#include "sim/cli/notes.hpp"

#include <cinttypes>
#include <cstdio>
#include <string>

#include "sim/metrics/trace_notes.hpp"

namespace berth::cli {
namespace {

void say(const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }

void say_count(std::uint64_t number, const char* what) {
  if (number != 0) say("note: " + with_commas(number) + " " + what);
}

// "trace: acme, 103 of 104 rows kept, submitted from ... to ...".
std::string trace_line(const Workload& workload) {
  const TraceReport& report = workload.report;
  std::string line = "trace: format " + report.format + ", " + with_commas(report.kept) + " of " +
                     with_commas(report.rows) + " rows kept";
  if (!workload.days) return line;
  const SubmissionDays& days = *workload.days;
  line += ", submitted " + civil_text(days.first_unix_ms) + "Z to " +
          civil_text(days.last_unix_ms) + "Z";
  if (report.zone.name() != "UTC") {
    line += " (" + report.zone.name() + ": " + civil_text(days.first_civil_ms) + " to " +
            civil_text(days.last_civil_ms) + ")";
  }
  if (!days.holes.empty()) {
    line +=
        ", on " + with_commas(days.days_covered) + " of " + with_commas(days.jobs.size()) + " days";
  }
  return line;
}

void print_trace(const TraceReport& report) {
  for (const TraceReport::Verdict& verdict : report.dropped) {
    say("note: dropped " + verdict_text(verdict));
  }
  for (std::size_t i = 1; i < report.bad_row_examples.size(); ++i) {
    say("      " + report.bad_row_examples[i]);
  }
  for (const TraceReport::Verdict& verdict : report.fixed) {
    say("note: kept " + verdict_text(verdict));
  }
  for (const TraceReport::ColumnTest& test : report.column_tests) {
    const ColumnMeaning meaning = column_meaning(test);
    if (!meaning.plain) say("note: " + meaning.text);
  }
  say_count(report.never_started,
            "jobs never started in the trace; they keep their row and load nothing");
}

}  // namespace

void print_notes(const Workload& workload) {
  say(trace_line(workload));
  print_trace(workload.report);
  for (const std::string& line : workload.transforms) say("transform " + line);
  if (!workload.feedback.empty()) say(workload.feedback);
  std::string jobs = with_commas(workload.jobs->size()) + " jobs";
  if (workload.offered_load_pct) {
    char load[64];
    std::snprintf(load, sizeof load, ", offered load %.1f %% of the cluster's GPUs",
                  *workload.offered_load_pct);
    jobs += load;
  }
  say(jobs);
  say_count(workload.shaped.oversized(),
            "jobs are larger than the cluster and left out (workload.oversized: skip)");
  say_count(workload.shaped.unbound_models(),
            "jobs require a GPU model, which does not bind: the cluster names none");
  if (workload.offered_load_pct.value_or(0) > 100) {
    say("warning: more load is offered than the cluster can serve; queues grow with the trace");
  }
}

}  // namespace berth::cli
