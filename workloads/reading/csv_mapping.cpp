#include "workloads/reading/csv_mapping.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "sim/config/wording.hpp"
#include "sim/core/suggest.hpp"
#include "workloads/reading/local_times.hpp"
#include "workloads/reading/units.hpp"

namespace berth {
namespace {

using enum CsvField;

constexpr std::array<std::string_view, kCsvFields> kFieldNames = {"id",
                                                                  "name",
                                                                  "user",
                                                                  "account",
                                                                  "vc",
                                                                  "type",
                                                                  "state",
                                                                  "priority",
                                                                  "gpu_model",
                                                                  "submit",
                                                                  "start",
                                                                  "end",
                                                                  "duration",
                                                                  "queue",
                                                                  "time_limit",
                                                                  "gpus",
                                                                  "gpus_per_worker",
                                                                  "workers",
                                                                  "cpus",
                                                                  "cpus_per_worker",
                                                                  "memory",
                                                                  "memory_per_worker"};

// What may be the same in every row. A time, an id or a wait may not.
constexpr std::array kConstantFields = {
    kName,     kUser,     kAccount,       kVc,        kType,           kState,
    kPriority, kGpuModel, kDuration,      kTimeLimit, kGpus,           kGpusPerWorker,
    kWorkers,  kCpus,     kCpusPerWorker, kMemory,    kMemoryPerWorker};

constexpr std::array kStates = {JobState::kCompleted, JobState::kCancelled, JobState::kFailed,
                                JobState::kTimeout,   JobState::kNodeFail,  JobState::kPreempted,
                                JobState::kRunning};

constexpr std::size_t kMostColumns = CsvRows::kMaxFields;

constexpr std::pair<std::string_view, double> kMemoryUnits[] = {
    {"B", 1.0 / 1048576},  {"KiB", 1.0 / 1024},   {"MiB", 1},
    {"GiB", 1024},         {"TiB", 1048576},      {"KB", 1e3 / 1048576},
    {"MB", 1e6 / 1048576}, {"GB", 1e9 / 1048576}, {"TB", 1e12 / 1048576},
};

constexpr std::pair<std::string_view, CsvMapping::TimeFormat> kTimeFormats[] = {
    {"iso", CsvMapping::TimeFormat::kIso},
    {"unix", CsvMapping::TimeFormat::kUnix},
    {"unix_ms", CsvMapping::TimeFormat::kUnixMs},
    {"seconds", CsvMapping::TimeFormat::kSeconds},
};

constexpr std::pair<std::string_view, char> kDelimiters[] = {
    {"comma", ','}, {"tab", '\t'}, {"semicolon", ';'}, {"pipe", '|'}, {"space", ' '},
};

template <class T, std::size_t n>
std::optional<T> find(const std::pair<std::string_view, T> (&table)[n], std::string_view word) {
  for (const auto& [name, value] : table) {
    if (name == word) return value;
  }
  return std::nullopt;
}

template <class T, std::size_t n>
std::vector<std::string> words(const std::pair<std::string_view, T> (&table)[n]) {
  std::vector<std::string> out;
  for (const auto& entry : table) out.emplace_back(entry.first);
  return out;
}

std::string did_you_mean(const std::string& near) {
  return near.empty() ? "" : "; did you mean " + near + "?";
}

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

char read_delimiter(ConfigNode& trace) {
  const std::string text = trace.text("delimiter", "comma");
  if (const std::optional<char> known = find(kDelimiters, text)) return *known;
  if (text == "\t") return '\t';
  if (text.size() == 1 && text[0] > ' ' && text[0] <= '~' && text[0] != '"' &&
      !is_letter_or_digit(text[0])) {
    return text[0];
  }
  const std::vector<std::string> known = words(kDelimiters);
  trace.error("delimiter", in_quotes(text) + " is not one of " + join(known) +
                               ", or a single character that is no letter, digit or quote" +
                               did_you_mean(nearest(text, known)));
  return ',';
}

bool is_column_number(const std::string& text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc{} && behind == end && number >= 1 && number <= kMostColumns;
}

// Reads the mapping and checks that it makes a job of a row.
class MappingReader {
 public:
  explicit MappingReader(ConfigNode& trace)
      : trace_(trace), columns_(trace.section("columns")), constants_(trace.section("constants")) {}

  CsvMapping read() {
    out_.dialect = {read_delimiter(trace_), trace_.boolean("quotes", true)};
    out_.header = trace_.boolean("header", true);
    out_.missing = trace_.words("missing");
    read_columns();
    read_constants();
    if (columns_.keys().empty()) {
      columns_.error("",
                     "missing; say which column is what, such as {submit: submit_time, "
                     "duration: run_seconds, gpus: gpu_num}");
    } else {
      check_times();
      check_amounts();
    }
    read_times();
    read_units();
    read_value_maps();
    check_constants();
    return std::move(out_);
  }

 private:
  void read_columns() {
    for (std::size_t i = 0; i < kCsvFields; ++i) {
      std::string_view key = kFieldNames[i];
      if (CsvField(i) == kWorkers) key = workers_key(columns_);
      if (!columns_.has(key)) continue;
      const std::string column = columns_.text(key, {});
      if (!out_.header && !is_column_number(column)) {
        columns_.error(key, in_quotes(column) +
                                " is not the number of a column; without a header they count "
                                "from 1 to 4096");
      } else if (column.empty()) {
        columns_.error(key, "\"\" is no column; leave the key out where there is none");
      } else {
        out_.columns[i] = column;
      }
    }
    columns_.finish();
  }

  void read_constants() {
    for (const CsvField field : kConstantFields) {
      std::string_view key = name(field);
      if (field == kWorkers) key = workers_key(constants_);
      if (!constants_.has(key)) continue;
      out_.constants[field] = constants_.text(key, {});
      if (!out_.has_column(field)) continue;
      constants_.error(
          key, "columns." + std::string(key) + " says it for each row; keep one of the two");
    }
    constants_.finish();
  }

  // `nodes` is another word for `workers`.
  std::string_view workers_key(ConfigNode& node) {
    if (!node.has("nodes")) return "workers";
    if (node.has("workers")) node.error("workers", "nodes says the same; keep one of the two");
    return "nodes";
  }

  void check_times() {
    if (!out_.has_column(kSubmit)) {
      columns_.error("submit", "missing; the column of the time of submission");
    }
    const bool start_known = out_.has_column(kStart) || out_.has_column(kQueue);
    if (!out_.has(kDuration) && !(out_.has_column(kEnd) && out_.has_column(kStart)) &&
        !(out_.has_column(kEnd) && start_known)) {
      columns_.error("duration",
                     "missing; a run time is a column duration, or start and end, or queue and "
                     "end, or a constant duration");
    } else if (out_.has_column(kEnd) && !start_known) {
      columns_.error("end",
                     "without start or queue it tells no run time: the wait is not known; leave "
                     "it out, duration says enough");
    }
    if (out_.constants[kDuration] && out_.has_column(kEnd)) {
      constants_.error("duration", "columns.end tells the run time; keep one of the two");
    }
  }

  void check_amounts() {
    if (!out_.has(kGpus) && !out_.has(kGpusPerWorker)) {
      columns_.error("gpus",
                     "missing; the GPUs of a job are a column gpus, or gpus_per_worker and "
                     "workers, or constants: {gpus: 1}");
    }
    bool per_worker = false;
    for (const auto& [all, each] :
         {std::pair{kGpus, kGpusPerWorker}, std::pair{kCpus, kCpusPerWorker},
          std::pair{kMemory, kMemoryPerWorker}}) {
      per_worker |= out_.has(each);
      if (out_.has(all) && out_.has(each)) {
        node_of(each).error(name(each), std::string(name(all)) +
                                            " counts those of all workers; keep one of the two");
      } else if (out_.has(each) && !out_.has(kWorkers)) {
        node_of(each).error(name(each), "needs workers, as a column or a constant");
      }
    }
    if (out_.has(kWorkers) && !per_worker) {
      ConfigNode& node = node_of(kWorkers);
      node.error(workers_key(node),
                 "means nothing here: gpus counts those of all workers; give gpus_per_worker, "
                 "cpus_per_worker or memory_per_worker, or leave it out");
    }
  }

  ConfigNode& node_of(CsvField field) { return out_.has_column(field) ? columns_ : constants_; }

  void read_times() {
    const std::string format = trace_.text("time_format", "iso");
    if (const auto known = find(kTimeFormats, format)) {
      out_.time_format = *known;
    } else if (format.find('%') != std::string::npos) {
      out_.time_format = CsvMapping::TimeFormat::kPattern;
      TimePattern pattern(format);
      if (pattern.fault().empty()) {
        out_.pattern.emplace(std::move(pattern));
      } else {
        trace_.error("time_format", in_quotes(format) + ": " + pattern.fault());
      }
    } else {
      const std::vector<std::string> known_formats = words(kTimeFormats);
      trace_.error("time_format", in_quotes(format) + " is not one of " + join(known_formats) +
                                      ", or a pattern such as \"%d/%m/%Y %H:%M\"" +
                                      did_you_mean(nearest(format, known_formats)));
    }
    if (out_.time_format == CsvMapping::TimeFormat::kSeconds) {
      if (trace_.has("timezone")) {
        trace_.error("timezone", "means nothing where times are seconds from an unknown origin");
      }
      return;
    }
    out_.zone = read_timezone(trace_);
    if (out_.pattern && !out_.pattern->has_offset() && !trace_.has("timezone")) {
      trace_.error("timezone",
                   "missing; times of this pattern are local, which clock showed them? UTC, "
                   "+08:00, America/Los_Angeles, ...");
    }
  }

  void read_units() {
    ConfigNode units = trace_.section("units");
    const auto span = [&](CsvField field, Duration& out) {
      units.has(name(field));
      if (out_.has(field)) out = read_span_unit(units, name(field));
    };
    span(kDuration, out_.duration_unit);
    span(kQueue, out_.queue_unit);
    span(kTimeLimit, out_.time_limit_unit);
    units.has("memory");
    if (out_.has(kMemory) || out_.has(kMemoryPerWorker)) read_memory_unit(units);
    const auto each = [&](CsvField all, CsvField per_worker, const char* whole,
                          std::uint32_t& out) {
      units.has(name(all));
      if (!out_.has(all) && !out_.has(per_worker)) return;
      const std::string unit = units.choice(name(all), {whole, "percent", "milli"}, whole);
      out = unit == whole ? 1000 : unit == "percent" ? 10 : 1;
    };
    each(kGpus, kGpusPerWorker, "gpus", out_.gpu_unit_milli);
    each(kCpus, kCpusPerWorker, "cpus", out_.cpu_unit_milli);
    units.finish();
  }

  static Duration read_span_unit(ConfigNode& units, std::string_view key) {
    const std::string text = units.text(key, "s");
    const std::vector<std::string> known{"s", "ms", "min", "h", "d"};
    const bool is_word = std::find(known.begin(), known.end(), text) != known.end();
    const auto unit = parse_duration(is_word ? "1" + text : text);
    if (unit && *unit > Duration(0)) return *unit;
    units.error(key, in_quotes(text) + " is not one of " + join(known) +
                         ", or a duration such as 350ms that each of them stands for");
    return std::chrono::seconds(1);
  }

  void read_memory_unit(ConfigNode& units) {
    const std::vector<std::string> known = words(kMemoryUnits);
    if (!units.has("memory")) {
      units.error("memory", "missing; what is the memory counted in? One of " + join(known));
      return;
    }
    out_.memory_unit_mib = *find(kMemoryUnits, units.choice("memory", known, "MiB"));
  }

  void read_value_maps() {
    trace_.has("states");
    trace_.has("types");
    if (out_.has(kState) && trace_.has("states")) {
      for (const auto& [value, text] : trace_.texts("states")) {
        const std::optional<JobState> state = state_of(text);
        if (state) {
          out_.states.emplace(value, *state);
        } else {
          trace_.section("states").error(value, in_quotes(text) + " is not one of " +
                                                    join(state_names()) +
                                                    did_you_mean(nearest(text, state_names())));
        }
      }
    }
    if (!out_.has(kType) || !trace_.has("types")) return;
    for (const auto& [value, type] : trace_.texts("types")) {
      if (type.empty()) trace_.section("types").error(value, "\"\" is no type");
      out_.types.emplace(value, type);
    }
  }

  void check_constants() {
    const auto refuse = [&](CsvField field, const std::string& expected) {
      constants_.error(field == kWorkers ? workers_key(constants_) : name(field),
                       in_quotes(*out_.constants[field]) + ", expected " + expected);
    };
    const auto check = [&](CsvField field, bool good, const char* expected) {
      if (!good) refuse(field, expected);
    };
    for (const CsvField field : kConstantFields) {
      const std::optional<std::string>& constant = out_.constants[field];
      if (!constant) continue;
      const std::string& text = *constant;
      switch (field) {
        case kState:
          if (!out_.states.contains(text) && !state_of(text)) refuse(field, join(state_names()));
          break;
        case kType:
          check(field, !text.empty(), "a job type");
          break;
        case kDuration:
          check(field, parse_span(text, out_.duration_unit).has_value(), "a run time");
          break;
        case kTimeLimit:
          check(field, parse_span(text, out_.time_limit_unit).has_value(), "a run time");
          break;
        case kGpus:
        case kGpusPerWorker:
          check(field, parse_thousandths(text, out_.gpu_unit_milli).has_value(), kAmount);
          break;
        case kCpus:
        case kCpusPerWorker:
          check(field, parse_thousandths(text, out_.cpu_unit_milli).has_value(), kAmount);
          break;
        case kMemory:
        case kMemoryPerWorker:
          check(field, parse_number(text).value_or(-1) >= 0, kAmount);
          break;
        case kWorkers:
          check(field, parse_count(text).value_or(0) > 0, "a whole number, 1 or more");
          break;
        default:
          break;
      }
    }
  }

  static constexpr const char* kAmount = "a number, 0 or more, without its unit";

  ConfigNode& trace_;
  ConfigNode columns_;
  ConfigNode constants_;
  CsvMapping out_;
};

}  // namespace

std::string_view name(CsvField field) { return kFieldNames[static_cast<std::size_t>(field)]; }

std::optional<JobState> state_of(std::string_view state_name) {
  for (const JobState state : kStates) {
    if (name(state) == state_name) return state;
  }
  return std::nullopt;
}

const std::vector<std::string>& state_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const JobState state : kStates) out.emplace_back(name(state));
    return out;
  }();
  return names;
}

CsvMapping read_csv_mapping(ConfigNode& trace) { return MappingReader(trace).read(); }

std::vector<OptionHelp> csv_options() {
  std::vector<std::string> fields;
  for (const std::string_view each : kFieldNames) fields.emplace_back(each);
  std::vector<std::string> constants;
  for (const CsvField each : kConstantFields) constants.emplace_back(name(each));
  return {
      {"columns", "map: which column is what: " + join(fields) + " (or nodes for workers)"},
      {"constants", "map: what is the same in every row: " + join(constants)},
      {"units",
       "map: duration, queue, time_limit: s | ms | min | h | d or a duration each (s); gpus: gpus "
       "| percent | milli; cpus: cpus | percent | milli; memory: B, MiB, GB, ... (no default)"},
      {"time_format",
       "iso | unix | unix_ms | seconds (from an unknown origin) | a pattern such as "
       "\"%d/%m/%Y %H:%M\" (default iso)"},
      {"timezone",
       "the clock of times without an offset: UTC, +08:00, Asia/Shanghai, ... (no "
       "default)"},
      {"delimiter", "comma | tab | semicolon | pipe | space | a character (default comma)"},
      {"quotes", "true | false: \"a, b\" is one field (default true)"},
      {"header", "true | false: false: columns are numbers, from 1 (default true)"},
      {"missing", "list: values that stand for no value, such as [None, \"-1\"] (default [])"},
      {"states", "map: from the table's words to COMPLETED, CANCELLED, FAILED, TIMEOUT, ..."},
      {"types", "map: from the table's words to names of job types; others are kept"},
  };
}

}  // namespace berth
