#include "workloads/acme.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
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
#include "workloads/csv_rows.hpp"
#include "workloads/number.hpp"
#include "workloads/timestamp.hpp"
#include "workloads/trace_file.hpp"

namespace berth {
namespace {

enum Column : std::size_t {
  kJobId,
  kUser,
  kGpuNum,
  kType,
  kState,
  kSubmitTime,
  kStartTime,
  kEndTime,
  kDuration,
  kQueue,
  kGpuTime,
  kNodeNum,
  kCpuNum,
  kMemPerPod,
  kSharedMemPerPod,
  kFailTime,
  kStopTime,
  kTimeLimit,
  kColumns,
};

constexpr std::array<std::string_view, kColumns> kNames = {
    "job_id",      "user",       "gpu_num",   "type",           "state",
    "submit_time", "start_time", "end_time",  "duration",       "queue",
    "gpu_time",    "node_num",   "cpu_num",   "mem_per_pod_GB", "shared_mem_per_pod",
    "fail_time",   "stop_time",  "time_limit"};
constexpr std::size_t kAlwaysRequired = kSubmitTime + 1;  // so many from the front

constexpr std::array kStates = {JobState::kCompleted, JobState::kCancelled, JobState::kFailed,
                                JobState::kTimeout,   JobState::kNodeFail,  JobState::kPreempted,
                                JobState::kRunning};

// Spellings of the types, lower case; first what is found in the published traces.
constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
    {"eval", "Eval"},
    {"cpu", "CPU"},
    {"pretrain", "Pretrain"},
    {"sft", "SFT"},
    {"mllm", "MLLM"},
    {"debug", "Debug"},
    {"other", "Other"},
    {"evaluation", "Eval"},
    {"evaluate", "Eval"},
    {"pretraining", "Pretrain"},
    {"pre-train", "Pretrain"},
    {"pre-training", "Pretrain"},
    {"supervised fine-tuning", "SFT"},
    {"supervised finetuning", "SFT"},
    {"multimodal llm", "MLLM"},
    {"multi-modal llm", "MLLM"},
    {"multimodal", "MLLM"},
    {"debugging", "Debug"},
    {"others", "Other"},
};

// Beyond any trace, and far within 64 bits of milliseconds.
constexpr std::int64_t kLongestTraceMs = std::int64_t{200} * 365 * 86'400'000;
// Rows whose length tells how many rows the file has.
constexpr std::size_t kSampleRows = 1000;
constexpr std::size_t kMostExamples = 5;

constexpr const char* kExpectedCount = "a whole number from 0 to 2147483648";
constexpr const char* kExpectedSeconds = "seconds from 0 to 315360000 (10 years)";
constexpr const char* kExpectedTime = "a time such as 2023-03-01 00:18:22+08:00";

bool equals_lower_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

// Empty for a name of no known type.
std::string_view canonical_type(std::string_view text) {
  for (const auto& [spelling, name] : kTypes) {
    if (text.size() == spelling.size() && equals_lower_case(text, spelling)) return name;
  }
  return {};
}

std::optional<JobState> parse_state(std::string_view text) {
  for (const JobState state : kStates) {
    if (text == name(state)) return state;
  }
  return std::nullopt;
}

std::vector<std::string> state_names() {
  std::vector<std::string> names;
  for (const JobState state : kStates) names.emplace_back(name(state));
  return names;
}

std::string shown(std::string_view text) { return '"' + printable(text, 40) + '"'; }

std::string did_you_mean(const std::string& name) {
  return name.empty() ? "" : "; did you mean " + name + "?";
}

// Reads one file.
class AcmeTrace {
 public:
  AcmeTrace(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
            TraceReport& report)
      : options_(options), out_(out), report_(report), file_(path), rows_(file_) {}

  void read() {
    read_header();
    const std::size_t rows_before = out_.size();
    while (rows_.next()) {
      if (report_.rows % 4096 == 0) stop_if_asked();
      ++report_.rows;
      JobRow row;
      fault_.clear();
      if (parse(row)) {
        add(row);
      } else {
        refuse();
      }
      if (report_.rows == kSampleRows) reserve(rows_before);
    }
    end_running_jobs();
    report_.bytes = file_.bytes();
    report_.hash = file_.hash();
    if (out_.size() == rows_before) refuse_empty();
  }

 private:
  // A job without an end.
  struct Running {
    std::size_t row;  // of the builder
    std::int64_t start_ms;
    std::uint64_t line;
  };
  // What the row parsed last adds to the report and to the bounds of the trace, if it is accepted.
  struct Noted {
    bool still_running = false;
    bool duration_differs = false;
    std::int64_t latest_ms = 0;
  };

  // --- the header ---

  void read_header() {
    position_.fill(kAbsent);
    if (!rows_.next()) {
      throw DataError(Location{file_.name(), 1, 0}, "only blank lines, expected a header line");
    }
    const auto header = rows_.fields();
    width_ = header.size();
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (header[i].find('\r') != std::string_view::npos) {
        throw DataError(rows_.where(i),
                        "a carriage return within the header, expected lines that "
                        "end in LF or CRLF");
      }
      for (std::size_t j = 0; j < i; ++j) {
        if (header[i] == header[j] && !header[i].empty()) {
          throw DataError(rows_.where(i),
                          "column " + shown(header[i]) + " stands twice in the header");
        }
      }
      const auto* const known = std::find(kNames.begin(), kNames.end(), header[i]);
      if (known != kNames.end()) position_[static_cast<std::size_t>(known - kNames.begin())] = i;
    }
    std::vector<Column> missing;
    for (std::size_t i = 0; i < kAlwaysRequired; ++i) {
      if (!has(static_cast<Column>(i))) missing.push_back(static_cast<Column>(i));
    }
    if (has(kStartTime) != has(kEndTime)) {
      missing.push_back(has(kStartTime) ? kEndTime : kStartTime);
    } else if (!has(kStartTime) && !has(kDuration)) {
      missing.insert(missing.end(), {kStartTime, kEndTime});
    }
    has_times_ = has(kStartTime);
    if (!missing.empty()) refuse_header(missing);
  }

  [[noreturn]] void refuse_header(const std::vector<Column>& missing) const {
    const auto header = rows_.fields();
    std::vector<std::string> unknown;
    for (const std::string_view field : header) {
      if (std::find(kNames.begin(), kNames.end(), field) == kNames.end())
        unknown.emplace_back(field);
    }
    std::vector<std::string> names;
    Location where = rows_.where(0);
    where.column = 0;
    std::string hints;
    for (const Column column : missing) {
      names.emplace_back(kNames[column]);
      const std::string near = nearest(kNames[column], unknown);
      if (near.empty()) continue;
      const auto at = std::find(header.begin(), header.end(), near);
      if (hints.empty()) where = rows_.where(static_cast<std::size_t>(at - header.begin()));
      hints += (hints.empty() ? "; is " : ", ") + shown(near) + " meant to be " + names.back();
    }
    if (!hints.empty()) hints += "?";
    if (missing.size() + 1 >= kAlwaysRequired && hints.empty()) {
      hints = "; expected the header line of an Acme trace: job_id,user,node_num,gpu_num,...";
    } else if (!has(kDuration) && !has_times_ && hints.empty() && missing.back() == kEndTime) {
      hints = "; without them, duration is needed";
    }
    throw DataError(where, std::string("the header has no column") +
                               (names.size() > 1 ? "s " : " ") + join(names) + hints);
  }

  bool has(Column column) const { return position_[column] != kAbsent; }

  // --- a row ---

  // The value in a column; empty where the trace has no such column.
  std::string_view value(Column column) const {
    const std::size_t at = position_[column];
    return at == kAbsent ? std::string_view() : rows_.fields()[at];
  }

  // Says why a row is bad; returns false, so that parsing can end with it.
  bool fault(Column column, std::string message) {
    fault_ = std::move(message);
    fault_field_ = position_[column];
    return false;
  }
  bool unexpected(Column column, const char* expected, const char* reason = nullptr) {
    std::string message(kNames[column]);
    const std::string_view found = value(column);
    message += found.empty() ? " is empty" : " is " + shown(found);
    message.append(", expected ").append(expected);
    if (reason != nullptr && !found.empty()) message.append(": ").append(reason);
    return fault(column, std::move(message));
  }

  // Names go into results, some of them JSON: in UTF-8 or not at all.
  bool text(Column column, std::string_view& out) {
    out = value(column);
    const bool ascii = std::all_of(out.begin(), out.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (ascii || valid_utf8_prefix(out) == out.size()) return true;
    return unexpected(column, "text in UTF-8");
  }
  // These leave `out` as it is where the value is empty, and are false if it is wrong.
  bool count(Column column, std::uint32_t& out) {
    const std::string_view text = value(column);
    if (text.empty()) return true;
    const std::optional<std::uint32_t> parsed = parse_count(text);
    if (!parsed) return unexpected(column, kExpectedCount);
    out = *parsed;
    return true;
  }
  bool seconds(Column column, Duration& out) {
    const std::string_view text = value(column);
    if (text.empty()) return true;
    const std::optional<Duration> parsed = parse_seconds(text);
    if (!parsed) return unexpected(column, kExpectedSeconds);
    out = *parsed;
    return true;
  }
  bool amount(Column column, double& out) {
    const std::string_view text = value(column);
    if (text.empty()) return true;
    const std::optional<double> parsed = parse_number(text);
    if (!parsed || *parsed < 0) return unexpected(column, "a number, 0 or more");
    out = *parsed;
    return true;
  }
  bool time(Column column, std::int64_t& out_ms) {
    const std::string_view text = value(column);
    if (text.empty()) return true;
    const Timestamp parsed = clocks_[column].parse(text);
    if (parsed.fault != nullptr) return unexpected(column, kExpectedTime, parsed.fault);
    out_ms = parsed.unix_ms;
    return true;
  }

  bool parse(JobRow& row) {
    const std::size_t found = rows_.fields().size();
    if (found != width_) {
      fault_ = "the row has " + std::to_string(found) + " fields, expected " +
               std::to_string(width_) + " as in the header";
      fault_field_ = std::min(found, width_);
      return false;
    }
    noted_ = {};
    row.line = rows_.line();
    return parse_names(row) && parse_resources(row) && parse_times(row);
  }

  bool parse_names(JobRow& row) {
    if (!text(kJobId, row.id) || !text(kUser, row.user) || !text(kType, row.type)) return false;
    if (row.id.empty()) return unexpected(kJobId, "a name");
    if (row.type.empty()) return unexpected(kType, "a job type such as Eval");
    if (const std::string_view known = canonical_type(row.type); !known.empty()) row.type = known;
    const std::optional<JobState> state = parse_state(value(kState));
    if (!state) {
      static const std::vector<std::string> names = state_names();
      unexpected(kState, join(names).c_str());
      fault_ += did_you_mean(nearest(value(kState), names));
      return false;
    }
    row.state = *state;
    return true;
  }

  bool parse_resources(JobRow& row) {
    if (value(kGpuNum).empty()) return unexpected(kGpuNum, kExpectedCount);
    std::uint32_t nodes = 1;
    double pod_gib = 0;
    double ignored = 0;
    if (!count(kGpuNum, row.gpus) || !count(kNodeNum, nodes) || !count(kCpuNum, row.cpus) ||
        !amount(kMemPerPod, pod_gib) || !amount(kSharedMemPerPod, ignored) ||
        !amount(kGpuTime, ignored)) {
      return false;
    }
    const double mib = std::round(pod_gib * 1024.0 * std::max<std::uint32_t>(1, nodes));
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();  // 4 PiB
    row.memory_mib = mib >= kMost ? kMost : static_cast<std::uint32_t>(mib);
    return true;
  }

  bool parse_times(JobRow& row) {
    std::int64_t ignored = 0;
    if (value(kSubmitTime).empty()) return unexpected(kSubmitTime, kExpectedTime);
    if (!time(kSubmitTime, row.submit_unix_ms) || !seconds(kTimeLimit, row.time_limit) ||
        !time(kFailTime, ignored) || !time(kStopTime, ignored)) {
      return false;
    }
    const std::int64_t first = std::min(first_submit_ms_, row.submit_unix_ms);
    const std::int64_t last = std::max(last_submit_ms_, row.submit_unix_ms);
    if (last - first > kLongestTraceMs) {
      return unexpected(kSubmitTime, "a time within 200 years of all others");
    }
    noted_.latest_ms = row.submit_unix_ms;
    return has_times_ ? parse_start_and_end(row) : parse_queue_and_duration(row);
  }

  bool parse_start_and_end(JobRow& row) {
    Duration duration{-1};
    Duration ignored{};
    std::int64_t end = row.submit_unix_ms;
    if (!time(kStartTime, row.start_unix_ms) || !time(kEndTime, end) ||
        !seconds(kDuration, duration) || !seconds(kQueue, ignored)) {
      return false;
    }
    row.never_started = value(kStartTime).empty();
    if (!row.never_started && row.start_unix_ms < row.submit_unix_ms) {
      return fault(kStartTime, "start_time " + shown(value(kStartTime)) +
                                   " lies before submit_time " + shown(value(kSubmitTime)));
    }
    noted_.latest_ms = std::max(end, row.never_started ? end : row.start_unix_ms);
    if (row.never_started) return true;
    if (value(kEndTime).empty()) {
      if (row.state != JobState::kRunning) {
        return fault(kEndTime,
                     "end_time is empty, expected a time: the job has a start_time and "
                     "its state is " +
                         std::string(name(row.state)) + ", not RUNNING");
      }
      noted_.still_running = true;
      return true;
    }
    if (end < row.start_unix_ms) {
      return fault(kEndTime, "end_time " + shown(value(kEndTime)) + " lies before start_time " +
                                 shown(value(kStartTime)));
    }
    row.run = Duration(end - row.start_unix_ms);
    if (row.run > kLongestDuration) {
      return fault(kEndTime, "end_time " + shown(value(kEndTime)) +
                                 " lies more than 10 years after start_time " +
                                 shown(value(kStartTime)));
    }
    const Duration difference = duration > row.run ? duration - row.run : row.run - duration;
    noted_.duration_differs = duration >= Duration(0) && difference >= std::chrono::seconds(1);
    return true;
  }

  bool parse_queue_and_duration(JobRow& row) {
    if (value(kDuration).empty()) return unexpected(kDuration, kExpectedSeconds);
    Duration queue{};
    if (!seconds(kDuration, row.run) || !seconds(kQueue, queue)) return false;
    row.start_unix_ms = row.submit_unix_ms + queue.count();
    noted_.latest_ms = row.start_unix_ms + row.run.count();
    return true;
  }

  void stop_if_asked() const {
    if (options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed)) return;
    throw Interrupted("interrupted while reading the trace, after " + std::to_string(report_.rows) +
                      " rows");
  }

  // --- what becomes of it ---

  void add(const JobRow& row) {
    if (row.never_started) {
      ++report_.never_started;
      if (options_.never_started == RowRule::kError) {
        throw DataError(rows_.where(position_[kStartTime]),
                        "start_time is empty: job " + shown(row.id) +
                            " never started, and workload.never_started is \"error\"");
      }
    }
    if (noted_.still_running) {
      ++report_.still_running;
      running_.push_back({out_.size(), row.start_unix_ms, row.line});
    }
    report_.duration_differs += noted_.duration_differs ? 1 : 0;
    first_submit_ms_ = std::min(first_submit_ms_, row.submit_unix_ms);
    last_submit_ms_ = std::max(last_submit_ms_, row.submit_unix_ms);
    latest_ms_ = std::max(latest_ms_, noted_.latest_ms);
    out_.add(row);
  }

  void refuse() {
    const Location where = rows_.where(fault_field_);
    if (options_.bad_rows == RowRule::kError) throw DataError(where, fault_);
    ++report_.bad_rows;
    if (report_.bad_row_examples.size() < kMostExamples) {
      report_.bad_row_examples.push_back(where.text() + ": " + fault_);
    }
  }

  // A packed file's length is known only at its end: its table grows by doubling.
  void reserve(std::size_t rows_before) {
    if (file_.packing() != TraceFile::Packing::kPlain) return;
    const double bytes_per_row = static_cast<double>(rows_.offset()) / kSampleRows;
    // A tenth more: pages never written to cost nothing, moving the table does.
    const double rows = 1.1 * static_cast<double>(file_.size_on_disk()) / bytes_per_row;
    out_.reserve(rows_before + static_cast<std::size_t>(rows));
  }

  void end_running_jobs() {
    for (const Running& job : running_) {
      const Duration run(latest_ms_ - job.start_ms);
      if (run > kLongestDuration) {
        throw DataError(Location{file_.name(), static_cast<std::int64_t>(job.line), 0},
                        "a RUNNING job without end_time starts more than 10 years before the last "
                        "instant of the trace, until which it would run");
      }
      out_.set_run(job.row, run);
    }
  }

  [[noreturn]] void refuse_empty() const {
    std::string message = "no jobs: ";
    if (report_.rows == 0) {
      message += "nothing but a header line";
    } else {
      message += "all " + std::to_string(report_.rows) +
                 " rows are bad; the first: " + report_.bad_row_examples.front();
    }
    throw DataError(Location{file_.name(), 0, 0}, message);
  }

  static constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();

  const TraceOptions& options_;
  JobTableBuilder& out_;
  TraceReport& report_;
  TraceFile file_;
  CsvRows rows_;

  std::array<std::size_t, kColumns> position_{};  // of each column in a row, or kAbsent
  std::size_t width_ = 0;                         // fields of the header
  bool has_times_ = false;                        // start_time and end_time are there
  std::array<TimestampParser, kColumns> clocks_;  // each column keeps its own last date

  Noted noted_;
  std::string fault_;
  std::size_t fault_field_ = 0;
  std::int64_t first_submit_ms_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_submit_ms_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t latest_ms_ = std::numeric_limits<std::int64_t>::min();
  std::vector<Running> running_;
};

class AcmeReader final : public TraceReader {
 public:
  void read(const std::filesystem::path& file, const TraceOptions& options, JobTableBuilder& out,
            TraceReport& report) const override {
    report = {};
    report.format = "acme";
    AcmeTrace(file, options, out, report).read();
  }
};

}  // namespace

std::unique_ptr<TraceReader> make_acme_reader() { return std::make_unique<AcmeReader>(); }

}  // namespace berth
