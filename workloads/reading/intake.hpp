// Where every reader brings its rows: the rules that hold for all formats, applied once.
//
// What a row says of its times becomes a run time; a row that makes no sense is refused or left
// out; fractions of GPUs are shared, rounded up or left out; jobs that still run get an end;
// duplicates go. Each of these is counted in the TraceReport, with its reason and the first
// example. docs/traces.md tells the rules.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/api/trace_reader.hpp"
#include "sim/core/error.hpp"
#include "workloads/reading/trace_file.hpp"

namespace berth {

// What a row says, as far as faults are told by it.
enum class RowField : std::uint8_t { kJob, kSubmit, kStart, kEnd, kDuration, kQueue, kGpus };

// How a format points at a value of its current row, for messages.
class RowPlaces {
 public:
  virtual Location where(RowField field) const = 0;
  // `start_time "2023-03-01 00:18:54+08:00"`
  virtual std::string named(RowField field) const = 0;

 protected:
  ~RowPlaces() = default;
};

// A row as a format reads it. `job` holds names, state, submission, limit, CPUs and memory; its
// times and GPUs are filled in by Intake.
struct TraceRow {
  JobRow job;
  std::uint64_t gpu_milli_per_worker = 0;  // thousandths of a GPU
  std::uint32_t workers = 1;
  // The run time is end - start where both are there, else `duration`. Without a start the job
  // started at submission + queue, unless job.never_started.
  std::optional<std::int64_t> start_unix_ms;
  std::optional<std::int64_t> end_unix_ms;
  std::optional<Duration> duration;
  std::optional<Duration> queue;
  // With no end and no duration: it still runs when the trace ends.
  bool still_running = false;
  // How values were taken to mean something else, a phrase each; counted if the row is kept.
  std::vector<std::string_view> fixes;

  void clear() {
    auto kept = std::move(fixes);
    kept.clear();
    *this = TraceRow{};
    fixes = std::move(kept);
  }
};

class Intake {
 public:
  // REQUIRES: `out` is empty.
  Intake(const TraceOptions& options, JobTableBuilder& out, TraceReport& report);

  const TraceOptions& options() const { return options_; }
  // A plain file of so many bytes is about to be read: with the offsets given to begin_row(), its
  // number of rows can be guessed.
  void expect(const TraceFile& file);
  // A further row; `offset`: bytes read before its end. Throws Interrupted when asked to stop.
  void begin_row(std::uint64_t offset = 0);
  // Keeps the row, or refuses it if it makes no sense. Each begun row comes to one of add(),
  // refuse(), drop().
  void add(TraceRow& row, const RowPlaces& places);
  // The row is faulty: throws DataError, or leaves it out, as `bad_rows` says.
  void refuse(const Location& where, const std::string& message);
  // The row is no job, or none that is wanted: left out for `reason`, `detail` being the example.
  void drop(std::string_view reason, const Location& where, const std::string& detail = {});
  // Counts something about a kept row that is told with the fixes.
  void note(std::string_view reason, const Location& where, const std::string& detail = {});
  // A file has been read to its end.
  void file_done(const TraceFile& file);
  // All rows are in. `ids_are_ours`: the trace has none, so they do not tell rows apart. Throws
  // DataError where no job is left.
  void finish(bool ids_are_ours);

 private:
  struct Running {
    std::size_t row;  // of the builder
    std::int64_t start_ms;
    std::uint64_t line;
  };

  bool settle_times(TraceRow& row, const RowPlaces& places);
  // Fills job.gpu_parts; false if the row was refused or dropped.
  bool settle_gpus(TraceRow& row, const RowPlaces& places);
  void test_columns(const TraceRow& row);
  void reserve(std::uint64_t offset);
  void end_running_jobs();
  void treat_duplicates(bool ids_are_ours);
  void finish_report();
  [[noreturn]] void refuse_empty() const;

  const TraceOptions& options_;
  JobTableBuilder& out_;
  TraceReport& report_;
  std::string name_;  // of the first file, for messages about the whole
  std::uint64_t expected_bytes_ = 0;

  std::int64_t first_submit_ms_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_submit_ms_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t latest_ms_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t row_latest_ms_ = 0;  // of the row in hand
  std::vector<Running> running_;

  struct Agreements {
    std::uint64_t first = 0;   // end - start; start - submit
    std::uint64_t second = 0;  // end - submit
    std::uint64_t both = 0;
    std::uint64_t neither = 0;
  };
  Agreements duration_;
  Agreements queue_;
};

}  // namespace berth
