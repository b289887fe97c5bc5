// The Helios traces (Hu et al., SC '21): cluster_log.csv of Venus, Earth, Saturn and Uranus, four
// clusters of SenseTime in 2020 (github.com/S-Lab-System-Group/HeliosData).
//
//   trace: {format: helios, path: Venus/cluster_log.csv, timezone: Asia/Shanghai}
//
//   job_id       required; need not be unique
//   user         required
//   vc           required; the virtual cluster, which had a quota of whole nodes
//   gpu_num      required; over all nodes; 0: a CPU job, whose type is CPU. All others are Other:
//                the trace names no types
//   state        required; COMPLETED, CANCELLED, FAILED, TIMEOUT, NODE_FAIL, RUNNING; a SUSPENDED
//                one is kept as PREEMPTED and counted
//   submit_time  required, as the next two; "2020-06-09 18:41:01" on the clock of `timezone`
//   start_time   empty or None: the job never ran
//   end_time     empty or None: it still runs (state RUNNING)
//   duration     seconds; end - start. Taken where there is no end, which is counted
//   queue        seconds; start - submission. Tested, not used
//   cpu_num      over all nodes
//   node_num     checked, not used: the model spreads GPUs over nodes itself
//
// The times name no zone. Asia/Shanghai is an assumption, from where the clusters stand; it had no
// changes of the clocks in 2020, so another zone moves a trace as a whole.
#include "workloads/builtin.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/config_node.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "workloads/reading/csv_table.hpp"
#include "workloads/reading/intake.hpp"
#include "workloads/reading/local_times.hpp"
#include "workloads/reading/recognise.hpp"

namespace berth {
namespace {

enum Column : std::size_t {
  kJobId,
  kUser,
  kVc,
  kGpuNum,
  kState,
  kSubmitTime,
  kStartTime,
  kEndTime,
  kDuration,
  kQueue,
  kCpuNum,
  kNodeNum,
  kColumns,
};

constexpr std::array<std::string_view, kColumns> kNames = {
    "job_id",     "user",     "vc",       "gpu_num", "state",   "submit_time",
    "start_time", "end_time", "duration", "queue",   "cpu_num", "node_num"};
constexpr std::size_t kRequired = kEndTime + 1;  // so many from the front

constexpr std::pair<std::string_view, JobState> kStates[] = {
    {"COMPLETED", JobState::kCompleted}, {"CANCELLED", JobState::kCancelled},
    {"FAILED", JobState::kFailed},       {"TIMEOUT", JobState::kTimeout},
    {"NODE_FAIL", JobState::kNodeFail},  {"RUNNING", JobState::kRunning},
    {"SUSPENDED", JobState::kPreempted}, {"PREEMPTED", JobState::kPreempted}};

constexpr const char* kExpectedTime = "a time such as 2020-06-09 18:41:01";
constexpr const char* kZone = "Asia/Shanghai";

struct HeliosOptions {
  TimeZone zone = TimeZone::utc();
  bool is_default_zone = false;
};

// Reads one file.
class HeliosTrace {
 public:
  HeliosTrace(const std::filesystem::path& path, const HeliosOptions& helios,
              const TraceOptions& options, JobTableBuilder& out, TraceReport& report)
      : intake_(options, out, report),
        table_(path, {kNames.begin(), kNames.end()}),
        clocks_(kEndTime + 1, LocalTimes(helios.zone)) {
    table_.bind(RowField::kJob, kJobId);
    table_.bind(RowField::kSubmit, kSubmitTime);
    table_.bind(RowField::kStart, kStartTime);
    table_.bind(RowField::kEnd, kEndTime);
    table_.bind(RowField::kDuration, kDuration);
    table_.bind(RowField::kQueue, kQueue);
    table_.bind(RowField::kGpus, kGpuNum);
    report.zone = helios.zone;
    report.zone_source = helios.is_default_zone ? "default of the format" : "option timezone";
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
  void read_header() {
    table_.read_header();
    std::vector<CsvTable::Column> missing;
    for (std::size_t i = 0; i < kRequired; ++i) {
      if (!table_.has(i)) missing.push_back(i);
    }
    if (missing.empty()) return;
    table_.refuse_header(missing, kRequired - 2,
                         "a Helios trace: job_id,user,vc,gpu_num,cpu_num,node_num,state,...");
  }

  bool parse() {
    row_.job.line = table_.line();
    return table_.has_width() && parse_names() && parse_resources() && parse_times();
  }

  bool parse_names() {
    JobRow& job = row_.job;
    return table_.required_text(kJobId, job.id, "a name") && table_.text(kUser, job.user) &&
           table_.text(kVc, job.vc) && parse_state();
  }

  bool parse_state() {
    const std::string_view found = table_.value(kState);
    for (const auto& [word, state] : kStates) {
      if (found != word) continue;
      row_.job.state = state;
      if (found == "SUSPENDED") row_.fixes.push_back("state SUSPENDED: kept as PREEMPTED");
      return true;
    }
    static const std::vector<std::string> known = [] {
      std::vector<std::string> words;
      for (const auto& each : kStates) words.emplace_back(each.first);
      return words;
    }();
    table_.unexpected(kState, join(known).c_str());
    const std::string near = nearest(found, known);
    if (!near.empty()) table_.add_to_fault("; did you mean " + near + "?");
    return false;
  }

  bool parse_resources() {
    if (table_.value(kGpuNum).empty()) return table_.unexpected(kGpuNum, kExpectedCount);
    std::uint32_t gpus = 0;
    std::uint32_t ignored = 0;
    if (!table_.count(kGpuNum, gpus) || !table_.count(kCpuNum, row_.job.cpus) ||
        !table_.count(kNodeNum, ignored)) {
      return false;
    }
    row_.gpu_milli_per_worker = std::uint64_t{gpus} * 1000;
    row_.job.type = gpus == 0 ? "CPU" : "Other";
    return true;
  }

  bool given(Column column) const {
    const std::string_view found = table_.value(column);
    return !found.empty() && found != "None";
  }

  bool time(Column column, std::int64_t not_before, std::optional<std::int64_t>& out) {
    if (!given(column)) return true;
    const LocalTimes::Result parsed = clocks_[column].parse(table_.value(column), not_before);
    if (parsed.fault != nullptr) return table_.unexpected(column, kExpectedTime, parsed.fault);
    add_fix(row_.fixes, parsed.fix);
    out = parsed.unix_ms;
    return true;
  }

  bool seconds(Column column, std::optional<Duration>& out) {
    if (!given(column)) return true;
    Duration read{};
    if (!table_.seconds(column, read)) return false;
    out = read;
    return true;
  }

  bool parse_times() {
    std::optional<std::int64_t> submit;
    if (!time(kSubmitTime, LocalTimes::kAnyTime, submit)) return false;
    if (!submit) return table_.unexpected(kSubmitTime, kExpectedTime);
    row_.job.submit_unix_ms = *submit;
    if (!time(kStartTime, *submit, row_.start_unix_ms) ||
        !time(kEndTime, row_.start_unix_ms.value_or(*submit), row_.end_unix_ms) ||
        !seconds(kDuration, row_.duration) || !seconds(kQueue, row_.queue)) {
      return false;
    }
    return row_.start_unix_ms ? settle_end() : never_started();
  }

  bool never_started() {
    if (row_.job.state == JobState::kCompleted) {
      return table_.unexpected(kStartTime, "a time, since the state is COMPLETED");
    }
    row_.job.never_started = true;
    return true;
  }

  bool settle_end() {
    const bool running = row_.job.state == JobState::kRunning;
    if (row_.end_unix_ms) {
      if (running) row_.fixes.push_back("state RUNNING with an end: taken to have ended there");
    } else if (running) {
      row_.duration.reset();  // it counts to some instant nobody knows
      row_.still_running = true;
    } else if (row_.duration) {
      row_.fixes.push_back("no end_time: the run time is the duration given");
    } else {
      return table_.unexpected(kEndTime,
                               "a time: the job has a start_time, no duration, and its state is "
                               "not RUNNING");
    }
    return true;
  }

  Intake intake_;
  CsvTable table_;
  std::vector<LocalTimes> clocks_;  // by column; each keeps its own last date
  TraceRow row_;
};

class HeliosReader final : public TraceReader {
 public:
  explicit HeliosReader(HeliosOptions options) : options_(std::move(options)) {}

  void read(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
            TraceReport& report) const override {
    report = {};
    report.format = "helios";
    HeliosTrace(path, options_, options, out, report).read();
  }

 private:
  HeliosOptions options_;
};

class HeliosFormat final : public TraceFormat {
 public:
  bool recognises(std::string_view head, const std::filesystem::path&) const override {
    return CsvHead(head).has(
        {"job_id", "user", "vc", "gpu_num", "node_num", "state", "submit_time", "start_time"});
  }
  std::unique_ptr<TraceReader> reader(ConfigNode& trace) const override {
    std::optional<TimeZone> zone = read_timezone(trace, kZone);
    // By its name: a resolved configuration spells the default out, and gives the same results.
    const bool is_default = zone && zone->name() == kZone;
    return std::make_unique<HeliosReader>(
        HeliosOptions{zone ? std::move(*zone) : TimeZone::utc(), is_default});
  }
};

}  // namespace

void register_helios(Registry<TraceFormat>& formats) {
  formats.add("helios", "CSV in the schema of the Helios traces; plain, gzip or zstd",
              {{"timezone",
                "the clock of its times, which name none (default Asia/Shanghai, an assumption: "
                "the clusters stand there)"}},
              [] { return std::make_unique<HeliosFormat>(); });
}

}  // namespace berth
