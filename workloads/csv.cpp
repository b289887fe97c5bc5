// Any table, by a mapping in YAML: nobody has to write a reader for a file of jobs.
//
//   trace:
//     format: csv
//     path: philly_sia.csv.gz
//     columns: {submit: timestamp, duration: duration, gpus: num_gpus, vc: cluster}
//     timezone: America/Los_Angeles
//
// The options are in reading/csv_mapping.hpp, what they mean in docs/formats/csv.md. Never chosen
// by `format: auto`: what a column means is the user's to say.
//
// Run time is end - start where both are there, else `duration`. An empty start is a job that
// never ran, except where the state says COMPLETED: then the row is bad. A state of RUNNING without
// an end runs until the last instant of the trace. Without an end and another state, `duration`
// is taken, and counted. A table without ids gets row1, row2, ... in the order of its rows.
#include "workloads/builtin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/wording.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "workloads/reading/csv_mapping.hpp"
#include "workloads/reading/csv_table.hpp"
#include "workloads/reading/intake.hpp"
#include "workloads/reading/local_times.hpp"
#include "workloads/reading/resources.hpp"
#include "workloads/reading/timestamp.hpp"
#include "workloads/reading/units.hpp"

namespace berth {
namespace {

using enum CsvField;
using TimeFormat = CsvMapping::TimeFormat;

// The length of Intake's longest trace, and 2262 for instants.
constexpr double kMostSeconds = 200.0 * 365 * 86'400;
constexpr double kMostUnixSeconds = 9'214'646'400.0;
// Below lies what counts from another origin: no trace of jobs on GPUs is that old (1973-03-03).
constexpr double kLeastUnixSeconds = 1e8;

std::string expected_time(const CsvMapping& mapping) {
  switch (mapping.time_format) {
    case TimeFormat::kIso:
      return mapping.zone ? "a time such as 2023-03-01 00:18:22"
                          : "a time such as 2023-03-01 00:18:22+08:00";
    case TimeFormat::kUnix:
      return "seconds since 1970";
    case TimeFormat::kUnixMs:
      return "milliseconds since 1970";
    case TimeFormat::kSeconds:
      return "seconds, 0 or more";
    case TimeFormat::kPattern:
      return "a time of the form " + in_quotes(mapping.pattern->text());
  }
  return {};
}

// The columns of a mapping as a table asks for them, and back.
struct Columns {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  explicit Columns(const CsvMapping& mapping) {
    for (std::size_t i = 0; i < kCsvFields; ++i) {
      const std::string& column = mapping.columns[i];
      of[i] = column.empty() ? kNone : names.size();
      if (column.empty()) continue;
      names.push_back(mapping.header ? column : "column " + column);
      fields.push_back(CsvField(i));
      if (!mapping.header) places.push_back(std::stoul(column) - 1);
    }
  }

  CsvMapping::ByField<std::size_t> of{};
  std::vector<std::string> names;
  std::vector<CsvField> fields;
  std::vector<std::size_t> places;  // without a header
};

// Reads one file.
class CsvTrace {
 public:
  CsvTrace(const std::filesystem::path& path, const CsvMapping& mapping,
           const TraceOptions& options, JobTableBuilder& out, TraceReport& report)
      : mapping_(mapping),
        columns_(mapping),
        report_(report),
        intake_(options, out, report),
        table_(path, columns_.names, mapping.dialect),
        expected_time_(expected_time(mapping)) {
    const auto bind = [&](RowField place, CsvField field) {
      if (has(field)) table_.bind(place, columns_.of[field]);
    };
    bind(RowField::kJob, has(kId) ? kId : kSubmit);
    bind(RowField::kSubmit, kSubmit);
    bind(RowField::kStart, kStart);
    bind(RowField::kEnd, kEnd);
    bind(RowField::kDuration, kDuration);
    bind(RowField::kQueue, kQueue);
    bind(RowField::kGpus, has(kGpus) ? kGpus : kGpusPerWorker);
    if (mapping.zone) clocks_.assign(3, LocalTimes(*mapping.zone));
  }

  void read() {
    set_zone();
    intake_.expect(table_.file());
    read_header();
    while (table_.next()) {
      intake_.begin_row(table_.offset());
      row_.clear();
      if (parse()) {
        intake_.add(row_, table_);
      } else {
        intake_.refuse(table_.fault_place(), table_.fault());
      }
    }
    intake_.file_done(table_.file());
    intake_.finish(!has(kId));
  }

 private:
  // The file has a column for it.
  bool has(CsvField field) const { return columns_.of[field] != Columns::kNone; }

  std::string_view value(CsvField field) const {
    if (!has(field)) {
      const std::optional<std::string>& constant = mapping_.constants[field];
      return constant ? std::string_view(*constant) : std::string_view();
    }
    const std::string_view found = table_.value(columns_.of[field]);
    const auto& missing = mapping_.missing;
    return std::find(missing.begin(), missing.end(), found) == missing.end() ? found
                                                                             : std::string_view();
  }
  bool given(CsvField field) const { return !value(field).empty(); }

  // Constants have been checked: what is at fault stands in a column.
  bool unexpected(CsvField field, const std::string& expected, const char* reason = nullptr) {
    return table_.unexpected(columns_.of[field], expected.c_str(), reason);
  }
  bool fault(CsvField field, const std::string& message) {
    return table_.fault(columns_.of[field], message);
  }
  const std::string& column(CsvField field) const { return table_.name(columns_.of[field]); }

  void set_zone() {
    if (mapping_.time_format == TimeFormat::kSeconds) report_.has_dates = false;
    if (mapping_.zone) report_.zone = *mapping_.zone;
    const bool written =
        mapping_.time_format == TimeFormat::kIso || mapping_.time_format == TimeFormat::kPattern;
    report_.zone_source = mapping_.zone ? "option timezone"
                          : written     ? "written in the times"
                                        : "default of the format";
    zone_known_ = mapping_.zone || !written;
  }

  void read_header() {
    if (!mapping_.header) {
      table_.no_header(columns_.places);
      return;
    }
    table_.read_header();
    for (std::size_t i = 0; i < columns_.names.size(); ++i) {
      if (!table_.has(i)) refuse_header(columns_.names[i], columns_.fields[i]);
    }
  }

  [[noreturn]] void refuse_header(const std::string& missing, CsvField field) const {
    const std::vector<std::string> found(table_.fields().begin(), table_.fields().end());
    std::string message = "the header has no column " + shown(missing) + " (columns." +
                          std::string(name(field)) + ")";
    const std::string near = nearest(missing, found);
    if (!near.empty()) {
      message += "; did you mean " + shown(near) + "?";
    } else if (found.size() == 1) {
      message += ", only " + shown(found[0]) + ": is the delimiter right?";
    } else {
      message += "; it has " + printable(join(found), 120);
    }
    throw DataError(Location{table_.file().name(), static_cast<std::int64_t>(table_.line()), 0},
                    message);
  }

  bool parse() {
    row_.job.line = table_.line();
    return table_.has_width() && parse_names() && parse_resources() && parse_times();
  }

  // --- names ---

  bool text(CsvField field, std::string_view& out) {
    std::string_view ignored;
    if (has(field) && !table_.text(columns_.of[field], ignored)) return false;
    out = value(field);
    return true;
  }

  bool parse_names() {
    JobRow& job = row_.job;
    if (!text(kName, job.name) || !text(kUser, job.user) || !text(kAccount, job.account) ||
        !text(kVc, job.vc) || !text(kPriority, job.priority) || !text(kGpuModel, job.gpu_model)) {
      return false;
    }
    return parse_id() && parse_type() && parse_state();
  }

  bool parse_id() {
    if (!has(kId)) {
      own_id_ = "row" + std::to_string(report_.rows);
      row_.job.id = own_id_;
      return true;
    }
    if (!text(kId, row_.job.id)) return false;
    return !row_.job.id.empty() || unexpected(kId, "a name");
  }

  bool parse_type() {
    std::string_view type;
    if (!text(kType, type)) return false;
    const auto mapped = mapping_.types.find(type);
    if (mapped != mapping_.types.end()) {
      type = mapped->second;
    } else if (type.empty()) {
      if (has(kType)) add_fix(row_.fixes, "no type: taken as Other");
      type = "Other";
    }
    row_.job.type = type;
    return true;
  }

  bool parse_state() {
    if (!mapping_.has(kState)) return true;  // COMPLETED
    const std::string_view found = value(kState);
    const auto mapped = mapping_.states.find(found);
    const auto state =
        mapped != mapping_.states.end() ? std::optional(mapped->second) : state_of(found);
    if (state) {
      row_.job.state = *state;
      return true;
    }
    std::vector<std::string> known = state_names();
    for (const auto& each : mapping_.states) known.push_back(each.first);
    unexpected(kState, join(state_names()));
    const std::string near = nearest(found, known);
    table_.add_to_fault(near.empty() ? ", or a word of the option states"
                                     : "; did you mean " + near + "?");
    return false;
  }

  // --- resources ---

  bool parse_resources() {
    std::uint32_t workers = 1;
    if (mapping_.has(kWorkers)) {
      const auto parsed = parse_count(value(kWorkers));
      if (!parsed || *parsed == 0) return unexpected(kWorkers, "a whole number, 1 or more");
      workers = *parsed;
    }
    return parse_gpus(workers) && parse_cpus(workers) && parse_memory(workers);
  }

  bool thousandths(CsvField field, std::uint32_t unit, std::uint64_t& out, const char* rounded) {
    if (!given(field)) return true;
    const auto parsed = parse_thousandths(value(field), unit);
    if (!parsed) return unexpected(field, "a number from 0 to " + most(unit));
    if (parsed->rounded) add_fix(row_.fixes, rounded);
    out = parsed->count;
    return true;
  }

  static std::string most(std::uint32_t unit) {
    return std::to_string(static_cast<std::uint64_t>(kLargestCount) * 1000 / unit);
  }

  bool parse_gpus(std::uint32_t workers) {
    const CsvField field = mapping_.has(kGpus) ? kGpus : kGpusPerWorker;
    if (!given(field)) return unexpected(field, "a number, 0 or more");
    row_.workers = field == kGpus ? 1 : workers;
    return thousandths(field, mapping_.gpu_unit_milli, row_.gpu_milli_per_worker,
                       "GPUs finer than a thousandth: taken as the nearest");
  }

  bool parse_cpus(std::uint32_t workers) {
    const CsvField field = mapping_.has(kCpus) ? kCpus : kCpusPerWorker;
    std::uint64_t milli = 0;
    if (!thousandths(field, mapping_.cpu_unit_milli, milli,
                     "CPUs finer than a thousandth: taken as the nearest")) {
      return false;
    }
    if (field == kCpusPerWorker) milli *= workers;
    const std::uint64_t cpus = (milli + 999) / 1000;
    if (milli % 1000 != 0) add_fix(row_.fixes, "a part of a CPU: rounded up to a whole one");
    if (cpus > static_cast<std::uint64_t>(kLargestCount)) {
      return has(field) ? fault(field, column(field) + ": more CPUs than 2147483648 in all")
                        : fault(kWorkers, column(kWorkers) + ": more CPUs than 2147483648 in all");
    }
    row_.job.cpus = static_cast<std::uint32_t>(cpus);
    return true;
  }

  bool parse_memory(std::uint32_t workers) {
    const CsvField field = mapping_.has(kMemory) ? kMemory : kMemoryPerWorker;
    if (!given(field)) return true;
    const auto amount = parse_number(value(field));
    if (!amount || *amount < 0) return unexpected(field, "a number, 0 or more");
    row_.job.memory_mib =
        mib_of(*amount * mapping_.memory_unit_mib * (field == kMemory ? 1.0 : workers));
    return true;
  }

  // --- times ---

  bool parse_times() {
    std::optional<std::int64_t> submit;
    std::optional<std::int64_t> start;
    std::optional<std::int64_t> end;
    if (!time(kSubmit, 0, LocalTimes::kAnyTime, submit)) return false;
    if (!submit) return unexpected(kSubmit, expected_time_);
    row_.job.submit_unix_ms = *submit;
    std::optional<Duration> limit;
    if (!time(kStart, 1, *submit, start) || !time(kEnd, 2, start.value_or(*submit), end) ||
        !span(kDuration, mapping_.duration_unit, row_.duration) ||
        !span(kQueue, mapping_.queue_unit, row_.queue) ||
        !span(kTimeLimit, mapping_.time_limit_unit, limit)) {
      return false;
    }
    row_.start_unix_ms = start;
    row_.end_unix_ms = end;
    row_.job.time_limit = limit.value_or(Duration(-1));
    if (has(kStart) && !start) return never_started();
    if (has(kQueue) && !has(kStart) && !row_.queue) {
      return unexpected(kQueue, expected_span(mapping_.queue_unit), "it tells the start");
    }
    if (end) return true;
    return settle_open_end();
  }

  bool never_started() {
    if (has(kState) && row_.job.state == JobState::kCompleted) {
      return unexpected(kStart, expected_time_ + ", since its state is COMPLETED");
    }
    row_.job.never_started = true;
    return true;
  }

  bool settle_open_end() {
    const bool start_known = has(kStart) || has(kQueue);
    const bool running = row_.job.state == JobState::kRunning && start_known;
    if (has(kEnd)) {
      if (running) {
        row_.duration.reset();  // it counts to some instant nobody knows
        row_.still_running = true;
        return true;
      }
      if (row_.duration) {
        add_fix(row_.fixes, "no end: the run time is the duration given");
        return true;
      }
      return unexpected(kEnd, expected_time_ + ": its state is " +
                                  std::string(name(row_.job.state)) + ", not RUNNING");
    }
    if (row_.duration) return true;
    row_.still_running = running;
    return running || unexpected(kDuration, expected_span(mapping_.duration_unit));
  }

  // `clock`: which of the parsers, so that each column keeps its own last date.
  bool time(CsvField field, std::size_t clock, std::int64_t not_before,
            std::optional<std::int64_t>& out) {
    const std::string_view found = value(field);
    if (found.empty()) return true;
    switch (mapping_.time_format) {
      case TimeFormat::kIso:
        if (mapping_.zone) return keep(field, clocks_[clock].parse(found, not_before), out);
        return instant(field, clock, found, out);
      case TimeFormat::kUnix:
        return number_of_seconds(field, found, 1000, out);
      case TimeFormat::kUnixMs:
        return number_of_seconds(field, found, 1, out);
      case TimeFormat::kSeconds:
        return seconds_from_somewhere(field, found, out);
      case TimeFormat::kPattern:
        break;
    }
    const Timestamp parsed = mapping_.pattern->parse(found);
    if (parsed.fault != nullptr || mapping_.pattern->has_offset()) {
      return keep(field, {parsed, nullptr}, out);
    }
    return keep(field, clocks_[clock].of_civil(parsed.unix_ms, not_before), out);
  }

  bool keep(CsvField field, const LocalTimes::Result& parsed, std::optional<std::int64_t>& out) {
    if (parsed.fault != nullptr) return unexpected(field, expected_time_, parsed.fault);
    add_fix(row_.fixes, parsed.fix);
    out = parsed.unix_ms;
    return true;
  }

  // With an offset from UTC; without one the whole trace waits for the option `timezone`.
  bool instant(CsvField field, std::size_t clock, std::string_view found,
               std::optional<std::int64_t>& out) {
    const Timestamp parsed = instants_[clock].parse(found);
    if (parsed.fault != nullptr && parse_civil_time(found).fault == nullptr) {
      throw DataError(table_.where_of(columns_.of[field]),
                      column(field) + " is " + shown(found) +
                          ", a local time: say which clock showed it, workload.trace.timezone: "
                          "UTC, +08:00, America/Los_Angeles, ...");
    }
    if (parsed.fault == nullptr && !zone_known_) learn_zone(found);
    return keep(field, {parsed, nullptr}, out);
  }

  // Local time is that of the first time of the trace.
  void learn_zone(std::string_view found) {
    zone_known_ = true;
    const std::size_t at = found.find_last_of("+-Zz");
    const auto zone = TimeZone::find(found.substr(at) == "z" ? "Z" : found.substr(at));
    if (zone) report_.zone = *zone;
  }

  bool number_of_seconds(CsvField field, std::string_view found, int ms_each,
                         std::optional<std::int64_t>& out) {
    const auto number = parse_number(found);
    if (!number || *number < 0) return unexpected(field, expected_time_);
    const double seconds = *number * ms_each / 1000;
    if (seconds < kLeastUnixSeconds) {
      return unexpected(field, expected_time_,
                        ms_each == 1 ? "a time before 1973; if it counts seconds, "
                                       "time_format: unix"
                                     : "a time before 1973; if it counts from an origin of the "
                                       "trace, time_format: seconds");
    }
    if (seconds > kMostUnixSeconds) {
      return unexpected(field, expected_time_,
                        ms_each == 1 ? "a time after 2262"
                                     : "a time after 2262; if it counts milliseconds, "
                                       "time_format: unix_ms");
    }
    out = std::llround(*number * ms_each);
    return true;
  }

  bool seconds_from_somewhere(CsvField field, std::string_view found,
                              std::optional<std::int64_t>& out) {
    const auto number = parse_number(found);
    if (!number || *number > kMostSeconds) return unexpected(field, expected_time_);
    if (*number < 0) {
      return unexpected(field, expected_time_, "if it stands for no value, list it under missing");
    }
    out = std::llround(*number * 1000);
    return true;
  }

  static std::string expected_span(Duration unit) {
    if (unit == std::chrono::seconds(1)) return kExpectedSeconds;
    return "a number of " + format_duration(unit) + ", 0 or more, at most 10 years";
  }

  bool span(CsvField field, Duration unit, std::optional<Duration>& out) {
    if (!given(field)) return true;
    out = parse_span(value(field), unit);
    return out || unexpected(field, expected_span(unit));
  }

  const CsvMapping& mapping_;
  Columns columns_;
  TraceReport& report_;
  Intake intake_;
  CsvTable table_;
  std::string expected_time_;
  std::vector<LocalTimes> clocks_;  // of submit, start, end; each keeps its own last date
  std::array<TimestampParser, 3> instants_;
  bool zone_known_ = false;
  std::string own_id_;
  TraceRow row_;
};

class CsvReader final : public TraceReader {
 public:
  explicit CsvReader(CsvMapping mapping) : mapping_(std::move(mapping)) {}

  void read(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
            TraceReport& report) const override {
    report = {};
    report.format = "csv";
    CsvTrace(path, mapping_, options, out, report).read();
  }

 private:
  CsvMapping mapping_;
};

class CsvFormat final : public TraceFormat {
 public:
  bool recognises(std::string_view, const std::filesystem::path&) const override { return false; }
  std::unique_ptr<TraceReader> reader(ConfigNode& trace) const override {
    return std::make_unique<CsvReader>(read_csv_mapping(trace));
  }
};

}  // namespace

void register_csv(Registry<TraceFormat>& formats) {
  formats.add("csv",
              "any table of jobs, by a mapping of its columns in YAML; plain, gzip or zstd. Never "
              "chosen by auto",
              csv_options(), [] { return std::make_unique<CsvFormat>(); });
}

}  // namespace berth
