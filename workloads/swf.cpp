// The Standard Workload Format (Chapin et al., JSSPP '99; Parallel Workloads Archive, version 2.2):
// a line a job, 18 fields with blanks between, header comments behind a semicolon, -1 for missing.
//
//   trace: {format: swf, path: HPC2N-2002-2.2-cln.swf.gz, processors_as: gpus}
//
//    1 job          its id
//    2 submit       seconds from the header's UnixStartTime; without one dates mean nothing
//    3 wait         seconds; -1: unknown, the recorded start is then the submission (counted)
//    4 run          seconds, suspension counted in. -1: a cancelled job (status 5) never started;
//                   any other is dropped, for nobody knows how long it ran
//    5 allocated    processors; taken where the request is missing
//    7 used memory  KiB a processor; taken where the request is missing
//    8 processors   requested
//    9 time         requested, seconds: the time limit. A run beyond it is kept, and counted
//   10 memory       requested, KiB a processor
//   11 status       1 completed, 0 failed, 5 cancelled, -1 unknown (kept as COMPLETED, counted);
//                   2, 3, 4 are parts of a job whose whole stands in a line of its own: dropped
//   12 user   13 group: the account   14 executable: the job's name
//   15 queue  16 partition: the virtual cluster; the queue where there is no partition
//   17 preceding job   18 think time, seconds: feedback chains
//
// Field 6, the CPU time, is checked and not used. A processor is a GPU of a simulated cluster
// unless processors_as is cpus: then each job asks for CPUs and no GPU.
#include "workloads/builtin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/config/config_node.hpp"
#include "sim/core/error.hpp"
#include "workloads/reading/csv_table.hpp"
#include "workloads/reading/intake.hpp"
#include "workloads/reading/number.hpp"
#include "workloads/reading/resources.hpp"
#include "workloads/reading/spaced_rows.hpp"

namespace berth {
namespace {

enum Column : std::size_t {
  kJob,
  kSubmit,
  kWait,
  kRun,
  kAllocated,
  kCpuTime,
  kUsedMemory,
  kProcessors,
  kTime,
  kMemory,
  kStatus,
  kUser,
  kGroup,
  kExecutable,
  kQueue,
  kPartition,
  kPreceding,
  kThink,
  kColumns,
};

constexpr std::array<std::string_view, kColumns> kNames = {"field 1 (job)",
                                                           "field 2 (submit)",
                                                           "field 3 (wait)",
                                                           "field 4 (run time)",
                                                           "field 5 (allocated)",
                                                           "field 6 (CPU time)",
                                                           "field 7 (used memory)",
                                                           "field 8 (requested processors)",
                                                           "field 9 (requested time)",
                                                           "field 10 (requested memory)",
                                                           "field 11 (status)",
                                                           "field 12 (user)",
                                                           "field 13 (group)",
                                                           "field 14 (executable)",
                                                           "field 15 (queue)",
                                                           "field 16 (partition)",
                                                           "field 17 (preceding job)",
                                                           "field 18 (think time)"};

constexpr std::string_view kMissing = "-1";
// The length of Intake's longest trace; 2262 for UnixStartTime.
constexpr double kMostSeconds = 200.0 * 365 * 86'400;
constexpr std::int64_t kMostUnixSeconds = 9'214'646'400;

struct SwfOptions {
  bool processors_are_gpus = true;
};

class SwfTrace final : public RowPlaces {
 public:
  SwfTrace(const std::filesystem::path& path, const SwfOptions& swf, const TraceOptions& options,
           JobTableBuilder& out, TraceReport& report)
      : swf_(swf), report_(report), intake_(options, out, report), file_(path), rows_(file_) {}

  void read() {
    intake_.expect(file_);
    report_.has_dates = false;
    while (rows_.next()) {
      if (rows_.line_text().front() == ';') {
        read_header_line(rows_.line_text().substr(1));
        continue;
      }
      any_row_ = true;
      intake_.begin_row(rows_.offset());
      row_.clear();
      switch (parse()) {
        case Found::kJob:
          intake_.add(row_, *this);
          break;
        case Found::kFault:
          intake_.refuse(rows_.where(fault_field_), fault_);
          break;
        case Found::kNoJob:
          intake_.drop(reason_, rows_.where(0));
          break;
      }
    }
    intake_.file_done(file_);
    intake_.finish(false);
  }

  Location where(RowField field) const override { return rows_.where(column_of(field)); }
  std::string named(RowField field) const override {
    const Column column = column_of(field);
    return std::string(kNames[column]) + " " + shown(value(column));
  }

 private:
  enum class Found : std::uint8_t { kJob, kFault, kNoJob };

  static Column column_of(RowField field) {
    switch (field) {
      case RowField::kSubmit:
        return kSubmit;
      case RowField::kStart:
      case RowField::kQueue:
        return kWait;
      case RowField::kEnd:
      case RowField::kDuration:
        return kRun;
      case RowField::kGpus:
        return kProcessors;
      case RowField::kJob:
        break;
    }
    return kJob;
  }

  std::string_view value(std::size_t column) const { return rows_.fields()[column]; }
  bool given(std::size_t column) const { return value(column) != kMissing; }

  // "; UnixStartTime: 1027839845". Where a header stands twice, the first counts.
  void read_header_line(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view name = trimmed(line.substr(0, colon));
    const std::string_view text = trimmed(line.substr(colon + 1));
    if (name == "UnixStartTime" && !report_.has_dates) {
      read_unix_start(text);
    } else if (name == "TimeZoneString" && report_.zone_source.empty()) {
      if (const auto zone = TimeZone::find(text)) {
        report_.zone = *zone;
        report_.zone_source = "header TimeZoneString";
      }
    }
  }

  void read_unix_start(std::string_view text) {
    // Archives write 0 or -1 for "not known".
    if (text == kMissing || text == "0") return;
    const std::optional<double> seconds = parse_number(text);
    if (!seconds || *seconds < 0 || *seconds > static_cast<double>(kMostUnixSeconds) ||
        *seconds != std::floor(*seconds)) {
      throw DataError(rows_.where(0), "UnixStartTime is " + shown(text) +
                                          ", expected seconds since 1970, a whole number");
    }
    if (any_row_) {
      throw DataError(rows_.where(0),
                      "UnixStartTime stands behind the first job: the jobs before "
                      "it have been read without a date");
    }
    unix_start_ms_ = static_cast<std::int64_t>(*seconds) * 1000;
    report_.has_dates = true;
  }

  Found fault(std::size_t column, const std::string& message) {
    fault_field_ = column;
    fault_ = message;
    return Found::kFault;
  }
  Found unexpected(std::size_t column, const char* expected) {
    return fault(column, std::string(kNames[column]) + " is " + shown(value(column)) +
                             ", expected " + expected);
  }
  Found no_job(const char* reason) {
    reason_ = reason;
    return Found::kNoJob;
  }

  // Reads a value where there is one; false on a fault, which is then kept.
  template <class Value, class Parse>
  bool read(std::size_t column, const char* expected, Parse parse_value,
            std::optional<Value>& out) {
    if (!given(column)) return true;
    const std::optional<Value> found = parse_value(value(column));
    if (!found) {
      unexpected(column, expected);
      return false;
    }
    out = *found;
    return true;
  }
  bool seconds(std::size_t column, std::optional<Duration>& out) {
    return read(column, "-1 or seconds from 0 to 315360000 (10 years)", parse_seconds, out);
  }
  // 0 where there is none, as some archives write -1.
  bool processors(std::size_t column, std::uint32_t& out) {
    std::optional<std::uint32_t> found;
    if (!read(column, "-1 or a whole number from 0 to 2147483648", parse_count, found))
      return false;
    if (found) out = *found;
    return true;
  }
  bool amount(std::size_t column, std::optional<double>& out) {
    const auto not_negative = [](std::string_view text) {
      const std::optional<double> number = parse_number(text);
      return number.value_or(-1) >= 0 ? number : std::nullopt;
    };
    return read(column, "-1 or a number, 0 or more", not_negative, out);
  }

  Found parse() {
    row_.job.line = rows_.line();
    const std::size_t width = rows_.fields().size();
    if (width != kColumns) {
      return fault(std::min<std::size_t>(width, kColumns),
                   "the line has " + std::to_string(width) + " fields, expected 18");
    }
    row_.job.id = value(kJob);
    if (!parse_whole_id()) return unexpected(kJob, "the number of a job");
    return parse_status();
  }

  bool parse_whole_id() const {
    return !row_.job.id.empty() && row_.job.id.find_first_not_of("0123456789") == row_.job.id.npos;
  }

  Found parse_status() {
    const std::string_view status = value(kStatus);
    if (status == "1") {
      row_.job.state = JobState::kCompleted;
    } else if (status == "0") {
      row_.job.state = JobState::kFailed;
    } else if (status == "5") {
      row_.job.state = JobState::kCancelled;
    } else if (status == kMissing) {
      row_.job.state = JobState::kCompleted;
      row_.fixes.push_back("status unknown (-1): kept as COMPLETED");
    } else if (status == "2" || status == "3" || status == "4") {
      return no_job("a part of a job (status 2, 3 or 4), whose whole has a line of its own");
    } else {
      return unexpected(kStatus, "one of -1, 0, 1, 2, 3, 4, 5");
    }
    return parse_times();
  }

  Found parse_times() {
    std::optional<double> submit;
    if (!given(kSubmit) || !amount(kSubmit, submit) || *submit > kMostSeconds) {
      return unexpected(kSubmit,
                        "seconds from the start of the log, 0 or more (200 years at most)");
    }
    row_.job.submit_unix_ms = unix_start_ms_ + std::llround(*submit * 1000);
    std::optional<Duration> run;
    std::optional<Duration> limit;
    if (!seconds(kWait, row_.queue) || !seconds(kRun, run) || !seconds(kTime, limit)) {
      return Found::kFault;
    }
    if (limit && *limit > Duration(0)) row_.job.time_limit = *limit;
    if (run) {
      row_.duration = run;
      if (!row_.queue)
        row_.fixes.push_back("wait unknown (-1): the recorded start is its submission");
      if (limit && *limit > Duration(0) && *run > *limit) {
        row_.fixes.push_back("runs longer than the time it requested: kept as it is");
      }
    } else if (value(kStatus) == "5") {
      row_.job.never_started = true;
    } else {
      return no_job("no run time (-1), though not cancelled: nobody knows how long it ran");
    }
    return parse_processors();
  }

  Found parse_processors() {
    std::uint32_t requested = 0;
    std::uint32_t allocated = 0;
    if (!processors(kProcessors, requested) || !processors(kAllocated, allocated)) {
      return Found::kFault;
    }
    if (requested == 0 && allocated == 0) return no_job("asks for no processors, and got none");
    const std::uint32_t count = requested != 0 ? requested : allocated;
    if (requested == 0)
      row_.fixes.push_back("no requested processors (-1): takes those it was given");
    if (swf_.processors_are_gpus) {
      row_.gpu_milli_per_worker = std::uint64_t{count} * 1000;
      row_.fixes.push_back("processors are taken as GPUs (processors_as: gpus)");
      row_.job.type = "Other";
    } else {
      row_.job.cpus = count;
      row_.job.type = "CPU";
    }
    return parse_rest(count);
  }

  Found parse_rest(std::uint32_t count) {
    std::optional<double> used;
    std::optional<double> requested;
    std::optional<double> ignored;
    if (!amount(kMemory, requested) || !amount(kUsedMemory, used) || !amount(kCpuTime, ignored)) {
      return Found::kFault;
    }
    const double kib_each = requested.value_or(used.value_or(0));
    row_.job.memory_mib = mib_of(kib_each / 1024 * count);
    const auto name = [&](std::size_t column) {
      return given(column) ? value(column) : std::string_view();
    };
    for (const Column column : {kUser, kGroup, kExecutable, kQueue, kPartition, kPreceding}) {
      if (given(column) && !parse_number(value(column)))
        return unexpected(column, "-1 or a number");
    }
    row_.job.user = name(kUser);
    row_.job.account = name(kGroup);
    row_.job.name = name(kExecutable);
    row_.job.vc = given(kPartition) ? name(kPartition) : name(kQueue);
    row_.job.preceding = name(kPreceding);
    std::optional<Duration> think;
    if (!seconds(kThink, think)) return Found::kFault;
    row_.job.think = think.value_or(Duration(0));
    return Found::kJob;
  }

  const SwfOptions swf_;
  TraceReport& report_;
  Intake intake_;
  TraceFile file_;
  SpacedRows rows_;
  TraceRow row_;
  std::int64_t unix_start_ms_ = 0;
  bool any_row_ = false;
  std::string fault_;
  std::size_t fault_field_ = 0;
  const char* reason_ = nullptr;
};

class SwfReader final : public TraceReader {
 public:
  explicit SwfReader(SwfOptions options) : options_(options) {}

  void read(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
            TraceReport& report) const override {
    report = {};
    report.format = "swf";
    SwfTrace(path, options_, options, out, report).read();
  }

 private:
  SwfOptions options_;
};

class SwfFormat final : public TraceFormat {
 public:
  // The first line is a comment behind a semicolon, or 18 numbers.
  bool recognises(std::string_view head, const std::filesystem::path&) const override {
    const std::string_view line = first_line(head);
    if (line.starts_with(';')) return true;
    const auto fields = split_at_blanks(line);
    return fields.size() == kColumns &&
           std::all_of(fields.begin(), fields.end(),
                       [](std::string_view field) { return parse_number(field).has_value(); });
  }
  std::unique_ptr<TraceReader> reader(ConfigNode& trace) const override {
    return std::make_unique<SwfReader>(
        SwfOptions{trace.choice("processors_as", {"gpus", "cpus"}, "gpus") == "gpus"});
  }
};

}  // namespace

void register_swf(Registry<TraceFormat>& formats) {
  formats.add("swf", "Standard Workload Format of the Parallel Workloads Archive",
              {{"processors_as",
                "gpus (the default: a processor is a GPU of the simulated cluster) or cpus (jobs "
                "ask for CPUs and no GPU)"}},
              [] { return std::make_unique<SwfFormat>(); });
}

}  // namespace berth
