// The Acme trace format: CSV as published for the clusters Seren (13 columns) and Kalos (17).
//
// Columns are found by their names in the header line, in any order; others are ignored.
//
//   job_id          required; need not be unique
//   user            required
//   gpu_num         required; 0: a CPU job
//   type            required; Eval, Pretrain, SFT, MLLM, Debug, Other, CPU, also spelt out
//                   ("Evaluation") and in any case; any other name is kept as it is
//   state           required; COMPLETED, CANCELLED, FAILED, TIMEOUT, NODE_FAIL, PREEMPTED, RUNNING
//   submit_time     required; "2023-03-01 00:18:22+08:00", see timestamp.hpp
//   start_time      both or neither; empty start: the job never ran; empty end: it still runs
//   end_time        (state RUNNING only)
//   duration        seconds; required where there is no start_time and end_time
//   queue           seconds; used only where there is no start_time
//   node_num        optional, as all that follow; an empty value is an unknown one
//   cpu_num         over all nodes
//   mem_per_pod_GB  read as GiB, times node_num
//   time_limit      seconds; Berth's own addition, the run time that the user asked for
//   gpu_time, shared_mem_per_pod, fail_time, stop_time      checked, not used
//
// Run time is end - start where both are there, whatever `duration` says: the published Kalos
// rows count the wait in (duration 18 with queue 10 for a run of 8 s), Seren's do not. Rows where
// the two differ by a second or more are counted. A job that still runs is taken to run until the
// last instant that the trace names. Cancelled and failed jobs are load like any other.
#include "workloads/builtin.hpp"

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
#include "workloads/reading/csv_table.hpp"
#include "workloads/reading/intake.hpp"
#include "workloads/reading/recognise.hpp"
#include "workloads/reading/resources.hpp"
#include "workloads/reading/timestamp.hpp"

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

std::string did_you_mean(const std::string& name) {
  return name.empty() ? "" : "; did you mean " + name + "?";
}

// Reads one file.
class AcmeTrace {
 public:
  AcmeTrace(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
            TraceReport& report)
      : report_(report), intake_(options, out, report), table_(path, names()) {
    table_.bind(RowField::kJob, kJobId);
    table_.bind(RowField::kSubmit, kSubmitTime);
    table_.bind(RowField::kStart, kStartTime);
    table_.bind(RowField::kEnd, kEndTime);
    table_.bind(RowField::kDuration, kDuration);
    table_.bind(RowField::kQueue, kQueue);
    table_.bind(RowField::kGpus, kGpuNum);
  }

  void read() {
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
    intake_.finish(false);
  }

 private:
  static std::vector<std::string> names() { return {kNames.begin(), kNames.end()}; }

  void read_header() {
    table_.read_header();
    std::vector<CsvTable::Column> missing;
    for (std::size_t i = 0; i < kAlwaysRequired; ++i) {
      if (!table_.has(i)) missing.push_back(i);
    }
    const char* hint = "";
    has_times_ = table_.has(kStartTime);
    if (table_.has(kStartTime) != table_.has(kEndTime)) {
      missing.push_back(table_.has(kStartTime) ? kEndTime : kStartTime);
    } else if (!has_times_ && !table_.has(kDuration)) {
      missing.insert(missing.end(), {kStartTime, kEndTime});
      hint = "; without them, duration is needed";
    }
    if (missing.empty()) return;
    table_.refuse_header(missing, kAlwaysRequired - 2,
                         "an Acme trace: job_id,user,node_num,gpu_num,...", hint);
  }

  bool parse() {
    row_.job.line = table_.line();
    return table_.has_width() && parse_names() && parse_resources() && parse_times();
  }

  bool parse_names() {
    JobRow& job = row_.job;
    if (!table_.text(kJobId, job.id) || !table_.text(kUser, job.user) ||
        !table_.text(kType, job.type)) {
      return false;
    }
    if (job.id.empty()) return table_.unexpected(kJobId, "a name");
    if (job.type.empty()) return table_.unexpected(kType, "a job type such as Eval");
    if (const std::string_view known = canonical_type(job.type); !known.empty()) job.type = known;
    const std::optional<JobState> state = parse_state(table_.value(kState));
    if (!state) {
      static const std::vector<std::string> states = state_names();
      table_.unexpected(kState, join(states).c_str());
      table_.add_to_fault(did_you_mean(nearest(table_.value(kState), states)));
      return false;
    }
    job.state = *state;
    return true;
  }

  bool parse_resources() {
    if (table_.value(kGpuNum).empty()) return table_.unexpected(kGpuNum, kExpectedCount);
    std::uint32_t gpus = 0;
    std::uint32_t nodes = 1;
    double pod_gib = 0;
    double ignored = 0;
    if (!table_.count(kGpuNum, gpus) || !table_.count(kNodeNum, nodes) ||
        !table_.count(kCpuNum, row_.job.cpus) || !table_.amount(kMemPerPod, pod_gib) ||
        !table_.amount(kSharedMemPerPod, ignored) || !table_.amount(kGpuTime, ignored)) {
      return false;
    }
    row_.gpu_milli_per_worker = std::uint64_t{gpus} * 1000;
    row_.job.memory_mib = mib_of(pod_gib * 1024.0 * std::max<std::uint32_t>(1, nodes));
    return true;
  }

  bool parse_times() {
    const auto time = [this](Column column, std::int64_t& out) {
      return table_.time(column, clocks_[column], kExpectedTime, out);
    };
    std::int64_t ignored = 0;
    if (table_.value(kSubmitTime).empty()) return table_.unexpected(kSubmitTime, kExpectedTime);
    if (!time(kSubmitTime, row_.job.submit_unix_ms) ||
        !table_.seconds(kTimeLimit, row_.job.time_limit) || !time(kFailTime, ignored) ||
        !time(kStopTime, ignored)) {
      return false;
    }
    if (report_.zone_source.empty()) learn_zone(table_.value(kSubmitTime));
    std::int64_t start = 0;
    std::int64_t end = 0;
    Duration duration{};
    Duration queue{};
    if (!time(kStartTime, start) || !time(kEndTime, end) || !table_.seconds(kDuration, duration) ||
        !table_.seconds(kQueue, queue)) {
      return false;
    }
    const auto given = [this](Column column) { return !table_.value(column).empty(); };
    if (given(kStartTime)) row_.start_unix_ms = start;
    if (given(kEndTime)) row_.end_unix_ms = end;
    if (given(kDuration)) row_.duration = duration;
    if (given(kQueue)) row_.queue = queue;
    if (!has_times_) return given(kDuration) || table_.unexpected(kDuration, kExpectedSeconds);
    row_.job.never_started = !given(kStartTime);
    if (row_.job.never_started || given(kEndTime)) return true;
    row_.still_running = row_.job.state == JobState::kRunning;
    row_.duration.reset();  // it counts from some instant nobody knows to the next
    return row_.still_running ||
           table_.fault(kEndTime,
                        "end_time is empty, expected a time: the job has a start_time and its "
                        "state is " +
                            std::string(name(row_.job.state)) + ", not RUNNING");
  }

  // Local time is that of the first row: the published traces have one offset each.
  void learn_zone(std::string_view time) {
    const std::size_t at = time.find_last_of("+-Z");
    const auto zone = at > 10 ? TimeZone::find(time.substr(at)) : std::nullopt;
    if (!zone) return;
    report_.zone = *zone;
    report_.zone_source = "written in the times";
  }

  TraceReport& report_;
  Intake intake_;
  CsvTable table_;
  bool has_times_ = false;                        // start_time and end_time are there
  std::array<TimestampParser, kColumns> clocks_;  // each column keeps its own last date
  TraceRow row_;
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

class AcmeFormat final : public TraceFormat {
 public:
  bool recognises(std::string_view head, const std::filesystem::path&) const override {
    return CsvHead(head).has({"job_id", "gpu_num", "type", "state", "submit_time"});
  }
  std::unique_ptr<TraceReader> reader(ConfigNode&) const override {
    return std::make_unique<AcmeReader>();
  }
};

}  // namespace

void register_acme(Registry<TraceFormat>& formats) {
  formats.add("acme", "CSV in the schema of the Acme traces (Seren, Kalos); plain, gzip or zstd",
              {}, [] { return std::make_unique<AcmeFormat>(); });
}

}  // namespace berth
