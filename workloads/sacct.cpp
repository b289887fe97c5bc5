// Slurm's accounting, as `sacct -P` prints it: a header line, fields with | between.
//
//   sacct -aDXP -S 2024-01-01 -E 2024-02-01 -o
//   JobID,User,Account,Partition,QOS,JobName,State,Submit,Start,End,ElapsedRaw,TimelimitRaw,AllocTRES,ReqTRES
//   > jobs.txt trace: {format: sacct, path: jobs.txt, timezone: Europe/Zurich}
//
//   JobID       required. "123.batch", "123.0" are steps of a job: dropped. "123_4" is a task of an
//               array. "123_[5-9]" is what of an array never started: one job that never started.
//               "123+1", a component of a heterogeneous job, is a job of its own (counted)
//   User        required; may be empty
//   State       required; "CANCELLED by 1001" is CANCELLED. What Berth has no word for is kept as
//               the nearest (kStates), and counted. PENDING: never started
//   Submit      required, as the next two; "2024-01-01T10:00:00" on the clock of `timezone`, or
//               seconds since 1970 (SLURM_TIME_FORMAT=%s)
//   Start       Unknown, None or empty: the job never ran
//   End         Unknown, None or empty: it still runs
//   AllocTRES,  one is required: cpu, mem, gres/gpu and gres/gpu:MODEL. What was allocated; what
//   ReqTRES     was requested where nothing was. gres/gpu and gres/gpu:MODEL are the same GPUs
//   Elapsed, ElapsedRaw      tested against End - Start; taken where there is no End (counted)
//   Timelimit, TimelimitRaw  the time limit; UNLIMITED and Partition_Limit are none. Raw: minutes
//   Partition   the virtual cluster    Account  the account    QOS  the priority    JobName  the
//   name NCPUS       taken where TRES names no cpu
//
// With -D a requeued job has a row for each of its runs: each is a job of its own, for each held
// its GPUs (state REQUEUED is kept as PREEMPTED). Without -D Slurm shows only the last run.
//
// The times name no zone: they are those of the machine on which sacct ran. Default UTC.
#include "workloads/builtin.hpp"

#include <algorithm>
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
#include "workloads/reading/number.hpp"
#include "workloads/reading/recognise.hpp"
#include "workloads/reading/resources.hpp"
#include "workloads/reading/slurm_text.hpp"
#include "workloads/reading/units.hpp"

namespace berth {
namespace {

enum Column : std::size_t {
  kJobId,
  kUser,
  kState,
  kSubmit,
  kStart,
  kEnd,
  kAllocTres,
  kReqTres,
  kElapsed,
  kElapsedRaw,
  kTimelimit,
  kTimelimitRaw,
  kPartition,
  kAccount,
  kQos,
  kJobName,
  kNCpus,
  kColumns,
};

constexpr std::array<std::string_view, kColumns> kNames = {
    "JobID",     "User",    "State",   "Submit",     "Start",     "End",
    "AllocTRES", "ReqTRES", "Elapsed", "ElapsedRaw", "Timelimit", "TimelimitRaw",
    "Partition", "Account", "QOS",     "JobName",    "NCPUS"};
constexpr std::size_t kRequired = kEnd + 1;  // so many from the front

struct State {
  std::string_view word;
  JobState state;
  const char* fix;  // null: Berth has the same word
};

constexpr State kStates[] = {
    {"COMPLETED", JobState::kCompleted, nullptr},
    {"FAILED", JobState::kFailed, nullptr},
    {"CANCELLED", JobState::kCancelled, nullptr},
    {"TIMEOUT", JobState::kTimeout, nullptr},
    {"NODE_FAIL", JobState::kNodeFail, nullptr},
    {"PREEMPTED", JobState::kPreempted, nullptr},
    {"RUNNING", JobState::kRunning, nullptr},
    {"OUT_OF_MEMORY", JobState::kFailed, "state OUT_OF_MEMORY: kept as FAILED"},
    {"BOOT_FAIL", JobState::kNodeFail, "state BOOT_FAIL: kept as NODE_FAIL"},
    {"DEADLINE", JobState::kTimeout, "state DEADLINE: kept as TIMEOUT"},
    {"REQUEUED", JobState::kPreempted, "state REQUEUED: kept as PREEMPTED, a job of its own"},
    {"REVOKED", JobState::kCancelled, "state REVOKED: kept as CANCELLED"},
    {"PENDING", JobState::kCancelled, "state PENDING: kept as CANCELLED, never started"},
    {"COMPLETING", JobState::kRunning, "state COMPLETING: kept as RUNNING"},
    {"CONFIGURING", JobState::kRunning, "state CONFIGURING: kept as RUNNING"},
    {"RESIZING", JobState::kRunning, "state RESIZING: kept as RUNNING"},
    {"SUSPENDED", JobState::kRunning, "state SUSPENDED: kept as RUNNING"},
    {"STOPPED", JobState::kRunning, "state STOPPED: kept as RUNNING"},
};

constexpr const char* kExpectedTime = "a time such as 2024-01-01T10:00:00";
constexpr const char* kExpectedSpan = "a duration such as 1-02:03:04, of at most 10 years";
constexpr const char* kZone = "UTC";

struct SacctOptions {
  TimeZone zone = TimeZone::utc();
  bool is_default_zone = false;
};

class SacctTrace {
 public:
  SacctTrace(const std::filesystem::path& path, const SacctOptions& sacct,
             const TraceOptions& options, JobTableBuilder& out, TraceReport& report)
      : intake_(options, out, report),
        table_(path, {kNames.begin(), kNames.end()}, {.delimiter = '|', .quotes = false}),
        clocks_(kEnd + 1, LocalTimes(sacct.zone)) {
    table_.bind(RowField::kJob, kJobId);
    table_.bind(RowField::kSubmit, kSubmit);
    table_.bind(RowField::kStart, kStart);
    table_.bind(RowField::kEnd, kEnd);
    report.zone = sacct.zone;
    report.zone_source = sacct.is_default_zone ? "default of the format" : "option timezone";
  }

  void read() {
    intake_.expect(table_.file());
    read_header();
    while (table_.next()) {
      intake_.begin_row(table_.offset());
      row_.clear();
      if (is_step()) {
        intake_.drop("a step of a job, whose whole has a row of its own",
                     table_.where(RowField::kJob));
      } else if (parse()) {
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
    if (missing.empty() && !table_.has(kAllocTres) && !table_.has(kReqTres)) {
      table_.refuse_header(
          {kAllocTres}, 1, {},
          " (nor ReqTRES), which tells the GPUs; add AllocTRES,ReqTRES to sacct -o");
    }
    if (!missing.empty()) {
      table_.refuse_header(missing, kRequired - 2, "sacct -P: JobID|User|State|Submit|Start|...");
    }
    table_.bind(RowField::kDuration, table_.has(kElapsedRaw) ? kElapsedRaw : kElapsed);
    table_.bind(RowField::kGpus, table_.has(kAllocTres) ? kAllocTres : kReqTres);
  }

  bool is_step() const { return table_.value(kJobId).find('.') != std::string_view::npos; }

  bool parse() {
    row_.job.line = table_.line();
    if (!table_.has_width()) {
      table_.add_to_fault("; a job's name may hold a |: leave JobName out");
      return false;
    }
    return parse_names() && parse_state() && parse_tres() && parse_limit() && parse_times();
  }

  bool parse_names() {
    JobRow& job = row_.job;
    if (!table_.required_text(kJobId, job.id, "the number of a job") ||
        !table_.text(kUser, job.user) || !table_.text(kPartition, job.vc) ||
        !table_.text(kAccount, job.account) || !table_.text(kQos, job.priority) ||
        !table_.text(kJobName, job.name)) {
      return false;
    }
    if (job.id.front() < '0' || job.id.front() > '9') {
      return table_.unexpected(kJobId, "the number of a job");
    }
    if (job.id.find('[') != std::string_view::npos) {
      row_.fixes.push_back("the rest of an array that never started: kept as one job");
      job.never_started = true;
    }
    if (job.id.find('+') != std::string_view::npos) {
      row_.fixes.push_back("a component of a heterogeneous job: kept as a job of its own");
    }
    return true;
  }

  // The first word: "CANCELLED by 1001".
  bool parse_state() {
    const std::string_view found = table_.value(kState);
    const std::string_view word = found.substr(0, found.find(' '));
    for (const State& each : kStates) {
      // Slurm cuts long ones to the width of a column and marks them so.
      if (word != each.word && word != std::string(each.word) + "+") continue;
      row_.job.state = each.state;
      if (each.fix != nullptr) row_.fixes.push_back(each.fix);
      if (word == "PENDING") row_.job.never_started = true;
      return true;
    }
    static const std::vector<std::string> known = [] {
      std::vector<std::string> words;
      for (const State& each : kStates) words.emplace_back(each.word);
      return words;
    }();
    table_.unexpected(kState, "a state of a job in Slurm, such as COMPLETED");
    const std::string near = nearest(word, known);
    if (!near.empty()) table_.add_to_fault("; did you mean " + near + "?");
    return false;
  }

  bool parse_tres() {
    const bool allocated = !table_.value(kAllocTres).empty();
    const Column column = allocated ? kAllocTres : kReqTres;
    std::string_view wrong;
    const std::optional<SlurmTres> tres = parse_slurm_tres(table_.value(column), wrong);
    if (!tres) {
      return table_.fault(column, table_.name(column) + " holds " + shown(wrong) +
                                      ", expected resources such as cpu=128,gres/gpu=8,mem=1T");
    }
    row_.gpu_milli_per_worker = std::uint64_t{tres->gpus.value_or(0)} * 1000;
    row_.job.type = tres->gpus.value_or(0) == 0 ? "CPU" : "Other";
    gpu_model_ = tres->gpu_model;
    row_.job.gpu_model = gpu_model_;
    if (tres->several_models) {
      row_.fixes.push_back("GPUs of several models: kept as a request for any");
    }
    row_.job.memory_mib = mib_of(tres->memory_mib.value_or(0));
    if (tres->cpus) {
      row_.job.cpus = *tres->cpus;
      return true;
    }
    return table_.count(kNCpus, row_.job.cpus);
  }

  bool parse_limit() {
    const std::string_view raw = table_.value(kTimelimitRaw);
    const std::string_view text = raw.empty() ? table_.value(kTimelimit) : raw;
    if (text.empty() || text == "UNLIMITED" || text == "Partition_Limit" || text == "INVALID") {
      return true;
    }
    const auto limit =
        raw.empty() ? parse_slurm_duration(text) : parse_span(text, std::chrono::minutes(1));
    // Some sites write years for "no limit".
    if (!limit && raw.empty()) return table_.unexpected(kTimelimit, kExpectedSpan);
    if (!limit) return table_.unexpected(kTimelimitRaw, "minutes, of at most 10 years");
    row_.job.time_limit = *limit;
    return true;
  }

  static bool given(std::string_view text) {
    return !text.empty() && text != "Unknown" && text != "None";
  }

  bool time(Column column, std::int64_t not_before, std::optional<std::int64_t>& out) {
    const std::string_view text = table_.value(column);
    if (!given(text)) return true;
    if (text.find_first_not_of("0123456789") == std::string_view::npos) {
      const std::optional<double> seconds = parse_number(text);
      if (!seconds || *seconds > 9'214'646'400.0) {  // 2262
        return table_.unexpected(column, "seconds since 1970");
      }
      out = static_cast<std::int64_t>(*seconds) * 1000;
      return true;
    }
    const LocalTimes::Result parsed = clocks_[column].parse(text, not_before);
    if (parsed.fault != nullptr) return table_.unexpected(column, kExpectedTime, parsed.fault);
    add_fix(row_.fixes, parsed.fix);
    out = parsed.unix_ms;
    return true;
  }

  bool parse_elapsed() {
    const std::string_view raw = table_.value(kElapsedRaw);
    const std::string_view text = table_.value(kElapsed);
    if (!raw.empty()) {
      row_.duration = parse_seconds(raw);
      return row_.duration || table_.unexpected(kElapsedRaw, kExpectedSeconds);
    }
    if (text.empty()) return true;
    row_.duration = parse_slurm_duration(text);
    return row_.duration || table_.unexpected(kElapsed, kExpectedSpan);
  }

  bool parse_times() {
    std::optional<std::int64_t> submit;
    if (!time(kSubmit, LocalTimes::kAnyTime, submit)) return false;
    if (!submit) return table_.unexpected(kSubmit, kExpectedTime);
    row_.job.submit_unix_ms = *submit;
    if (!time(kStart, *submit, row_.start_unix_ms) ||
        !time(kEnd, row_.start_unix_ms.value_or(*submit), row_.end_unix_ms) || !parse_elapsed()) {
      return false;
    }
    if (row_.job.never_started) return never_started();
    if (!row_.start_unix_ms) {
      if (row_.job.state == JobState::kCompleted) {
        return table_.unexpected(kStart, "a time, since the state is COMPLETED");
      }
      return never_started();
    }
    // A job that was cancelled while it waited: older Slurm gives the end as its start.
    if (row_.job.state == JobState::kCancelled && row_.start_unix_ms == row_.end_unix_ms &&
        table_.has(kAllocTres) && table_.value(kAllocTres).empty()) {
      row_.fixes.push_back("cancelled with nothing allocated, start = end: never started");
      return never_started();
    }
    return settle_end();
  }

  bool never_started() {
    row_.job.never_started = true;
    row_.start_unix_ms.reset();
    row_.end_unix_ms.reset();
    row_.duration.reset();
    return true;
  }

  bool settle_end() {
    const bool running = row_.job.state == JobState::kRunning;
    if (row_.end_unix_ms) {
      if (running) row_.fixes.push_back("state RUNNING with an end: taken to have ended there");
    } else if (running) {
      row_.duration.reset();  // it counts to when sacct ran, which nobody knows
      row_.still_running = true;
    } else if (row_.duration) {
      row_.fixes.push_back("no End: the run time is what elapsed");
    } else {
      return table_.unexpected(kEnd, "a time, since the job started and its state is not RUNNING");
    }
    return true;
  }

  Intake intake_;
  CsvTable table_;
  std::vector<LocalTimes> clocks_;  // by column; each keeps its own last date
  TraceRow row_;
  std::string gpu_model_;  // of the row
};

class SacctReader final : public TraceReader {
 public:
  explicit SacctReader(SacctOptions options) : options_(std::move(options)) {}

  void read(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
            TraceReport& report) const override {
    report = {};
    report.format = "sacct";
    SacctTrace(path, options_, options, out, report).read();
  }

 private:
  SacctOptions options_;
};

class SacctFormat final : public TraceFormat {
 public:
  bool recognises(std::string_view head, const std::filesystem::path&) const override {
    return CsvHead(head, '|').has({"JobID", "State", "Submit"});
  }
  std::unique_ptr<TraceReader> reader(ConfigNode& trace) const override {
    std::optional<TimeZone> zone = read_timezone(trace, kZone);
    const bool is_default = zone && zone->name() == kZone;
    return std::make_unique<SacctReader>(
        SacctOptions{zone ? std::move(*zone) : TimeZone::utc(), is_default});
  }
};

}  // namespace

void register_sacct(Registry<TraceFormat>& formats) {
  formats.add("sacct", "what Slurm's `sacct -P` prints, columns by name",
              {{"timezone",
                "the clock of its times, which name none: that of the machine on which sacct ran "
                "(default UTC)"}},
              [] { return std::make_unique<SacctFormat>(); });
}

}  // namespace berth
