#include "workloads/reading/intake.hpp"

#include <xxhash.h>

#include <algorithm>

#include "sim/config/wording.hpp"
#include "sim/workload/duplicates.hpp"

namespace berth {
namespace {

// Beyond any trace, and far within 64 bits of milliseconds.
constexpr std::int64_t kLongestTraceMs = std::int64_t{200} * 365 * 86'400'000;
// Rows whose length tells how many rows the file has.
constexpr std::uint64_t kSampleRows = 1000;
constexpr std::size_t kMostExamples = 5;
constexpr std::uint64_t kMostGpus = 2'147'483'648;

// The folder is no part of what was found: the same trace gives the same report anywhere.
std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

void count(std::vector<TraceReport::Verdict>& verdicts, std::string_view reason,
           const Location& where, const std::string& detail) {
  for (TraceReport::Verdict& verdict : verdicts) {
    if (verdict.reason != reason) continue;
    ++verdict.rows;
    return;
  }
  std::string example = Location{file_name(where.file), where.line, where.column}.text();
  if (!detail.empty()) example += ": " + detail;
  verdicts.push_back({std::string(reason), 1, std::move(example)});
}

bool about_equal(Duration a, std::int64_t b_ms) {
  const std::int64_t difference = a.count() - b_ms;
  return difference > -1000 && difference < 1000;
}

}  // namespace

Intake::Intake(const TraceOptions& options, JobTableBuilder& out, TraceReport& report)
    : options_(options), out_(out), report_(report) {}

void Intake::expect(const TraceFile& file) {
  if (name_.empty()) name_ = file.name();
  // A packed file's length is known only at its end: its table grows by doubling.
  expected_bytes_ = file.packing() == TraceFile::Packing::kPlain ? file.size_on_disk() : 0;
}

void Intake::begin_row(std::uint64_t offset) {
  if (report_.rows % 4096 == 0 && options_.stop != nullptr &&
      options_.stop->load(std::memory_order_relaxed)) {
    throw Interrupted("interrupted while reading the trace, after " + std::to_string(report_.rows) +
                      " rows");
  }
  if (report_.rows == kSampleRows && expected_bytes_ != 0 && offset != 0) reserve(offset);
  ++report_.rows;
}

void Intake::reserve(std::uint64_t offset) {
  const double bytes_per_row = static_cast<double>(offset) / static_cast<double>(kSampleRows + 1);
  // A tenth more: pages never written to cost nothing, moving the table does.
  const double rows = 1.1 * static_cast<double>(expected_bytes_) / bytes_per_row;
  out_.reserve(static_cast<std::size_t>(rows));
}

void Intake::add(TraceRow& row, const RowPlaces& places) {
  if (!settle_times(row, places) || !settle_gpus(row, places)) return;
  if (row.job.never_started) {
    ++report_.never_started;
    if (options_.never_started == RowRule::kError) {
      throw DataError(places.where(RowField::kStart),
                      places.named(RowField::kStart) + ": job \"" + printable(row.job.id, 40) +
                          "\" never started, and workload.never_started is \"error\"");
    }
  }
  if (row.still_running) {
    ++report_.still_running;
    running_.push_back({out_.size(), row.job.start_unix_ms, row.job.line});
    note("no end: taken to run until the last instant of the trace", places.where(RowField::kJob));
  }
  for (const std::string_view fix : row.fixes) note(fix, places.where(RowField::kJob));
  test_columns(row);
  first_submit_ms_ = std::min(first_submit_ms_, row.job.submit_unix_ms);
  last_submit_ms_ = std::max(last_submit_ms_, row.job.submit_unix_ms);
  latest_ms_ = std::max(latest_ms_, row_latest_ms_);
  ++report_.kept;
  out_.add(row.job);
}

bool Intake::settle_times(TraceRow& row, const RowPlaces& places) {
  JobRow& job = row.job;
  const auto fault = [&](RowField field, const std::string& message) {
    refuse(places.where(field), message);
    return false;
  };
  const std::int64_t submit = job.submit_unix_ms;
  if (std::max(last_submit_ms_, submit) - std::min(first_submit_ms_, submit) > kLongestTraceMs) {
    return fault(RowField::kSubmit,
                 places.named(RowField::kSubmit) + " does not lie within 200 years of all others");
  }
  row_latest_ms_ = std::max(submit, row.end_unix_ms.value_or(submit));
  if (job.never_started) return true;
  if (row.start_unix_ms && *row.start_unix_ms < submit) {
    return fault(RowField::kStart, places.named(RowField::kStart) + " lies before " +
                                       places.named(RowField::kSubmit));
  }
  job.start_unix_ms = row.start_unix_ms.value_or(submit + row.queue.value_or(Duration(0)).count());
  report_.has_starts |= row.start_unix_ms.has_value() || row.queue.has_value();
  row_latest_ms_ = std::max(row_latest_ms_, job.start_unix_ms);
  if (row.end_unix_ms) {
    if (*row.end_unix_ms < job.start_unix_ms) {
      return fault(RowField::kEnd,
                   places.named(RowField::kEnd) + " lies before " +
                       places.named(row.start_unix_ms ? RowField::kStart : RowField::kSubmit));
    }
    job.run = Duration(*row.end_unix_ms - job.start_unix_ms);
    row.still_running = false;
    if (job.run > kLongestDuration) {
      return fault(RowField::kEnd, places.named(RowField::kEnd) +
                                       " lies more than 10 years after " +
                                       places.named(RowField::kStart));
    }
  } else if (row.duration) {
    job.run = *row.duration;
    row.still_running = false;
    row_latest_ms_ = std::max(row_latest_ms_, job.start_unix_ms + job.run.count());
  } else if (!row.still_running) {
    return fault(RowField::kEnd, "the job has neither an end nor a duration, and its state is " +
                                     std::string(name(job.state)) + ", not RUNNING");
  }
  return true;
}

bool Intake::settle_gpus(TraceRow& row, const RowPlaces& places) {
  const bool fraction = row.gpu_milli_per_worker % 1000 != 0;
  std::uint64_t per_worker = row.gpu_milli_per_worker;
  if (fraction) {
    switch (options_.fractional) {
      case FractionRule::kSkip:
        drop("asks for a part of a GPU (fractional: skip)", places.where(RowField::kGpus),
             places.named(RowField::kGpus));
        return false;
      case FractionRule::kRoundUp:
        per_worker = (per_worker + 999) / 1000 * 1000;
        row.fixes.push_back(
            "asks for a part of a GPU: rounded up to whole ones (fractional: "
            "round_up)");
        break;
      case FractionRule::kShare:
        row.fixes.push_back("asks for a part of a GPU: shares its node's GPUs (fractional: share)");
        break;
    }
  }
  const std::uint64_t unit = 1000 / out_.parts_per_gpu();
  const std::uint64_t parts = row.workers == 0 ? 0 : per_worker / unit;
  if (parts != 0 && row.workers > kMostGpus / parts) {
    refuse(places.where(RowField::kGpus), places.named(RowField::kGpus) +
                                              ": more GPUs than 2147483648, in parts of 1/" +
                                              std::to_string(out_.parts_per_gpu()));
    return false;
  }
  row.job.gpu_parts = static_cast<std::uint32_t>(parts * row.workers);
  return true;
}

void Intake::test_columns(const TraceRow& row) {
  const JobRow& job = row.job;
  if (job.never_started || !row.start_unix_ms) return;
  if (row.duration && row.end_unix_ms) {
    const bool run = about_equal(*row.duration, *row.end_unix_ms - *row.start_unix_ms);
    const bool whole = about_equal(*row.duration, *row.end_unix_ms - job.submit_unix_ms);
    ++(run && whole ? duration_.both
       : run        ? duration_.first
       : whole      ? duration_.second
                    : duration_.neither);
    report_.duration_differs += run ? 0 : 1;
  }
  if (row.queue) {
    const bool wait = about_equal(*row.queue, *row.start_unix_ms - job.submit_unix_ms);
    ++(wait ? queue_.first : queue_.neither);
  }
}

void Intake::refuse(const Location& where, const std::string& message) {
  if (options_.bad_rows == RowRule::kError) throw DataError(where, message);
  ++report_.bad_rows;
  drop("faulty (bad_rows: skip)", where, message);
  if (report_.bad_row_examples.size() < kMostExamples) {
    report_.bad_row_examples.push_back(where.text() + ": " + message);
  }
}

void Intake::drop(std::string_view reason, const Location& where, const std::string& detail) {
  count(report_.dropped, reason, where, detail);
}

void Intake::note(std::string_view reason, const Location& where, const std::string& detail) {
  count(report_.fixed, reason, where, detail);
}

void Intake::file_done(const TraceFile& file) {
  if (name_.empty()) name_ = file.name();
  report_.files.push_back({file_name(file.name()), file.bytes(), file.hash()});
}

void Intake::end_running_jobs() {
  for (const Running& job : running_) {
    const Duration run(latest_ms_ - job.start_ms);
    if (run > kLongestDuration) {
      throw DataError(Location{name_, static_cast<std::int64_t>(job.line), 0},
                      "a RUNNING job without end_time starts more than 10 years before the last "
                      "instant of the trace, until which it would run");
    }
    out_.set_run(job.row, run);
  }
}

void Intake::treat_duplicates(bool ids_are_ours) {
  const bool drops = options_.duplicates == DuplicateRule::kDrop;
  find_duplicates(out_, ids_are_ours, drops, [&](const Job& job, std::uint32_t first) {
    const Location where{name_, job.line, 0};
    const std::string detail = "the same as line " + std::to_string(first);
    if (options_.duplicates == DuplicateRule::kError) {
      throw DataError(where, "the row is " + detail +
                                 " in every column that is read; set workload.duplicates: drop or "
                                 "keep");
    }
    if (drops) {
      --report_.kept;
      drop("duplicate: every column as in an earlier row (duplicates: drop)", where, detail);
    } else {
      note("duplicate: every column as in an earlier row (duplicates: keep)", where, detail);
    }
  });
}

void Intake::finish(bool ids_are_ours) {
  end_running_jobs();
  finish_report();
  if (out_.size() == 0) refuse_empty();
  treat_duplicates(ids_are_ours);
}

void Intake::finish_report() {
  std::string hashes;
  for (const TraceReport::File& file : report_.files) {
    report_.bytes += file.bytes;
    hashes.append(reinterpret_cast<const char*>(&file.hash), sizeof file.hash);
  }
  report_.hash = report_.files.size() == 1 ? report_.files.front().hash
                                           : XXH3_64bits(hashes.data(), hashes.size());
  const auto test = [&](const char* column, const char* first, const char* second,
                        const Agreements& found) {
    const std::uint64_t all = found.first + found.second + found.both + found.neither;
    if (all == 0) return;
    TraceReport::ColumnTest out{column, {{first, found.first, {}}}};
    if (second != nullptr) {
      out.agreements.push_back({second, found.second, {}});
      out.agreements.push_back({"either: there was no wait", found.both, {}});
    }
    out.agreements.push_back({"neither", found.neither, {}});
    report_.column_tests.push_back(std::move(out));
  };
  test("duration", "end - start", "end - submit", duration_);
  test("queue", "start - submit", nullptr, queue_);
}

void Intake::refuse_empty() const {
  std::string message = "no jobs: ";
  if (report_.rows == 0) {
    message += "nothing but a header line";
  } else if (!report_.bad_row_examples.empty() && report_.bad_rows == report_.rows) {
    message += "all " + std::to_string(report_.rows) +
               " rows are bad; the first: " + report_.bad_row_examples.front();
  } else {
    message += "none of the " + std::to_string(report_.rows) + " rows is kept";
    for (const TraceReport::Verdict& verdict : report_.dropped) {
      message += "; " + std::to_string(verdict.rows) + " " + verdict.reason;
    }
  }
  throw DataError(Location{name_, 0, 0}, message);
}

}  // namespace berth
