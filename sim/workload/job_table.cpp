#include "sim/workload/job_table.hpp"

#include <algorithm>
#include <limits>

#include "sim/core/error.hpp"

namespace berth {

std::string_view name(JobState state) {
  switch (state) {
    case JobState::kCompleted:
      return "COMPLETED";
    case JobState::kCancelled:
      return "CANCELLED";
    case JobState::kFailed:
      return "FAILED";
    case JobState::kTimeout:
      return "TIMEOUT";
    case JobState::kNodeFail:
      return "NODE_FAIL";
    case JobState::kPreempted:
      return "PREEMPTED";
    case JobState::kRunning:
      return "RUNNING";
  }
  return "?";
}

namespace {

// Stable: equal submissions stay in the order of the trace.
//
// Traces are sorted but for a few rows that stand some places too late. Those are inserted, which
// takes one pass; if that takes more moves than there are jobs, a real sort does the rest.
void sort_by_submission(JobVector<Job>& jobs) {
  std::size_t moves_left = jobs.size();
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    if (jobs[i - 1].submit <= jobs[i].submit) continue;
    const Job late = jobs[i];
    std::size_t to = i;
    while (to > 0 && jobs[to - 1].submit > late.submit && moves_left > 0) {
      jobs[to] = jobs[to - 1];
      --to;
      --moves_left;
    }
    jobs[to] = late;
    if (moves_left == 0) {
      std::stable_sort(jobs.begin(), jobs.end(),
                       [](const Job& a, const Job& b) { return a.submit < b.submit; });
      return;
    }
  }
}

}  // namespace

JobTableBuilder::JobTableBuilder(std::size_t expected_rows) { table_.jobs_.reserve(expected_rows); }

void JobTableBuilder::add(const JobRow& row) {
  if (table_.jobs_.size() >= std::numeric_limits<std::uint32_t>::max() - 1 ||
      table_.ids_.size() + row.id.size() >= std::numeric_limits<std::uint32_t>::max() ||
      table_.types_.names().size() >= std::numeric_limits<std::uint16_t>::max()) {
    throw DataError(
        "the trace is too large: more than 2^32 jobs, 4 GiB of job ids or 65,535 types");
  }
  Job job;
  // Absolute until finish() knows the earliest submission.
  job.submit = SimTime(Duration(row.submit_unix_ms));
  job.run = row.run;
  if (!row.never_started) job.recorded_start = SimTime(Duration(row.start_unix_ms));
  job.time_limit = row.time_limit;
  job.gpus = row.gpus;
  job.cpus = row.cpus;
  job.memory_mib = row.memory_mib;
  job.user = table_.users_.intern(row.user);
  job.line = row.line;
  job.id_offset = static_cast<std::uint32_t>(table_.ids_.size());
  table_.ids_.append(row.id).push_back('\0');
  job.type = table_.types_.intern(row.type);
  job.state = row.state;
  job.never_started = row.never_started;
  table_.has_time_limits_ |= row.time_limit >= Duration(0);
  table_.jobs_.push_back(job);
}

void JobTableBuilder::reserve(std::size_t rows) {
  table_.jobs_.reserve(rows);
  if (size() > 0) table_.ids_.reserve(table_.ids_.size() * rows / size());
}

JobTable JobTableBuilder::finish() {
  JobVector<Job>& jobs = table_.jobs_;
  sort_by_submission(jobs);
  if (!jobs.empty()) {
    const Duration zero = jobs.front().submit.time_since_epoch();
    table_.epoch_unix_ms_ = zero.count();
    for (Job& job : jobs) {
      job.submit -= zero;
      if (!job.never_started) job.recorded_start -= zero;
    }
  }
  return std::move(table_);
}

}  // namespace berth
