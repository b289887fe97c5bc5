// Microsoft's Philly (Jeon et al., ATC '19): cluster_job_log of msr-fiddle/philly-traces, a JSON
// list of jobs with their scheduling attempts.
//
//   trace: {format: philly, path: cluster_job_log, machines: cluster_machine_list}
//
//   jobid, user, vc   id, user, virtual cluster
//   status            Pass: COMPLETED, Killed: CANCELLED, Failed: FAILED
//   submitted_time    "2017-10-07 01:11:39" on the clock of `timezone`
//   attempts          each with start_time, end_time (null or None where the log has none) and
//                     detail: the machines and their GPUs
//
// A job starts with its first attempt and runs for the sum of its attempts (counted where there are
// several): between them it waited again, which a simulation is to tell. Its GPUs are those of the
// first attempt that names any; attempts that had others are counted. An attempt that lacks a time
// is left out and counted, except the last one without an end: that job still runs. A job without
// an attempt never started, and nobody knows how many GPUs it asked for: 0 (counted).
//
// All jobs are of the type Other. The times name no zone; the utilisation logs beside them say PST
// and PDT, so America/Los_Angeles is assumed.
#include "workloads/builtin.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/config_node.hpp"
#include "sim/config/wording.hpp"
#include "sim/core/error.hpp"
#include "workloads/reading/csv_table.hpp"
#include "workloads/reading/intake.hpp"
#include "workloads/reading/local_times.hpp"
#include "workloads/reading/philly_log.hpp"
#include "workloads/reading/philly_machines.hpp"
#include "workloads/reading/spaced_rows.hpp"

namespace berth {
namespace {

constexpr const char* kZone = "America/Los_Angeles";
constexpr const char* kExpectedTime = "a time such as 2017-10-07 01:11:39";

struct PhillyOptions {
  TimeZone zone = TimeZone::utc();
  bool is_default_zone = false;
  std::optional<std::filesystem::path> machines;
};

class PhillyTrace final : public RowPlaces {
 public:
  PhillyTrace(const std::filesystem::path& path, const PhillyOptions& philly,
              const TraceOptions& options, JobTableBuilder& out, TraceReport& report)
      : philly_(philly), intake_(options, out, report), file_(path), clock_(philly.zone) {
    report.zone = philly.zone;
    report.zone_source = philly.is_default_zone ? "default of the format" : "option timezone";
  }

  void read() {
    intake_.expect(file_);
    PhillyLog::read(file_, [&](PhillyLog::Job& job, std::uint64_t offset) {
      intake_.begin_row(offset);
      row_.clear();
      job_ = &job;
      if (parse()) {
        intake_.add(row_, *this);
      } else {
        intake_.refuse(job.fault_where, job.fault);
      }
    });
    intake_.file_done(file_);
    if (philly_.machines) {
      TraceFile list(*philly_.machines);
      check_machines(PhillyMachines::read(list));
      intake_.file_done(list);
    }
    intake_.finish(false);
  }

  Location where(RowField field) const override { return text_of(field).where; }
  std::string named(RowField field) const override {
    const char* name = field == RowField::kSubmit  ? "submitted_time"
                       : field == RowField::kStart ? "start_time"
                       : field == RowField::kEnd   ? "end_time"
                       : field == RowField::kGpus  ? "detail"
                                                   : "jobid";
    const std::string& value = text_of(field).value;
    return value.empty() ? name : name + (" " + shown(value));
  }

 private:
  const PhillyLog::Text& text_of(RowField field) const {
    const PhillyLog::Attempt* const attempt =
        job_->attempts.empty() ? nullptr : &job_->attempts.front();
    if (field == RowField::kSubmit) return job_->submitted;
    if (field == RowField::kStart && attempt != nullptr) return attempt->start;
    if (field == RowField::kEnd && attempt != nullptr) return attempt->end;
    return job_->id;
  }

  bool fault(const Location& where, std::string message) {
    job_->fault = std::move(message);
    job_->fault_where = where;
    return false;
  }
  bool unexpected(const char* key, const PhillyLog::Text& text, const char* expected,
                  const char* reason = nullptr) {
    std::string message = key + (text.value.empty() ? " is missing" : " is " + shown(text.value)) +
                          ", expected " + expected;
    if (reason != nullptr) message.append(": ").append(reason);
    return fault(text.where, std::move(message));
  }

  bool parse() {
    row_.job.line = static_cast<std::uint64_t>(job_->where.line);
    return job_->fault.empty() && parse_names() && parse_status() && parse_attempts();
  }

  bool parse_names() {
    // The parser has checked that texts are UTF-8; a NUL may be written as an escape.
    for (const PhillyLog::Text* text : {&job_->id, &job_->user, &job_->vc}) {
      if (text->value.find('\0') != std::string::npos) return fault(text->where, "a NUL in a name");
    }
    if (job_->id.value.empty()) return unexpected("jobid", job_->id, "a name");
    row_.job.id = job_->id.value;
    row_.job.user = job_->user.value;
    row_.job.vc = job_->vc.value;
    row_.job.type = "Other";
    return true;
  }

  bool parse_status() {
    const std::string& status = job_->status.value;
    if (status == "Pass") {
      row_.job.state = JobState::kCompleted;
    } else if (status == "Killed") {
      row_.job.state = JobState::kCancelled;
    } else if (status == "Failed") {
      row_.job.state = JobState::kFailed;
    } else {
      return unexpected("status", job_->status, "Pass, Killed or Failed");
    }
    return true;
  }

  // False on a fault; `out` stays empty where the log has no time.
  bool time(const char* key, const PhillyLog::Text& text, std::int64_t not_before,
            std::optional<std::int64_t>& out) {
    if (text.value.empty() || text.value == "None") return true;
    const LocalTimes::Result parsed = clock_.parse(text.value, not_before);
    if (parsed.fault != nullptr) return unexpected(key, text, kExpectedTime, parsed.fault);
    add_fix(row_.fixes, parsed.fix);
    out = parsed.unix_ms;
    return true;
  }

  bool parse_attempts() {
    std::optional<std::int64_t> submitted;
    if (!time("submitted_time", job_->submitted, LocalTimes::kAnyTime, submitted)) return false;
    if (!submitted) return unexpected("submitted_time", job_->submitted, kExpectedTime);
    row_.job.submit_unix_ms = *submitted;
    std::int64_t ran_ms = 0;
    std::int64_t before = *submitted;
    std::size_t whole = 0;  // attempts with both times
    for (const PhillyLog::Attempt& attempt : job_->attempts) {
      std::optional<std::int64_t> start;
      std::optional<std::int64_t> end;
      if (!time("start_time", attempt.start, before, start) ||
          !time("end_time", attempt.end, start.value_or(before), end)) {
        return false;
      }
      if (start && end && *end < *start) {
        return fault(attempt.end.where, "end_time " + shown(attempt.end.value) +
                                            " lies before start_time " +
                                            shown(attempt.start.value));
      }
      const bool is_last = &attempt == &job_->attempts.back();
      if (start && (end || is_last)) {
        if (!row_.start_unix_ms) row_.start_unix_ms = start;
        before = end.value_or(*start);
        if (end) {
          ran_ms += *end - *start;
          row_.end_unix_ms = end;
          ++whole;
        } else {
          row_.still_running = true;
        }
      } else {
        add_fix(row_.fixes, "an attempt without a start or an end: left out");
      }
    }
    settle_attempts(whole, ran_ms);
    return true;
  }

  void settle_attempts(std::size_t whole, std::int64_t ran_ms) {
    settle_gpus();
    if (row_.still_running) {
      row_.job.state = JobState::kRunning;
      row_.end_unix_ms.reset();
      if (whole != 0) {
        row_.fixes.push_back("several attempts, the last of which still runs: taken as one run");
      }
    } else if (whole > 1) {
      row_.fixes.push_back("several attempts: runs for their sum, from the start of the first");
      row_.end_unix_ms.reset();
      row_.duration = Duration(ran_ms);
    } else if (whole == 0) {
      row_.job.never_started = true;
      row_.start_unix_ms.reset();
    }
  }

  static std::uint64_t gpus_of(const PhillyLog::Attempt& attempt) {
    std::uint64_t gpus = 0;
    for (const PhillyLog::Machine& machine : attempt.machines) gpus += machine.gpus;
    return gpus;
  }

  void settle_gpus() {
    std::uint64_t gpus = 0;
    bool others = false;
    for (const PhillyLog::Attempt& attempt : job_->attempts) {
      for (const PhillyLog::Machine& machine : attempt.machines) {
        if (philly_.machines) used_.note(machine.ip, machine.gpus, job_->where);
      }
      const std::uint64_t found = gpus_of(attempt);
      if (found == 0) continue;
      if (gpus == 0) gpus = found;
      others |= found != gpus;
    }
    row_.gpu_milli_per_worker = gpus * 1000;
    if (gpus == 0) {
      row_.fixes.push_back("no attempt that names GPUs: nobody knows how many it asked for, 0");
    } else if (others) {
      row_.fixes.push_back("attempts on different numbers of GPUs: those of the first");
    }
  }

  void check_machines(const PhillyMachines& list) {
    for (const auto& [ip, use] : used_.machines()) {
      const std::optional<std::uint32_t> has = list.gpus_of(ip);
      if (!has) {
        intake_.note("a machine that the list of machines does not name", use.where, ip);
      } else if (use.gpus > *has) {
        intake_.note("more GPUs of a machine than the list says it has", use.where,
                     ip + ": " + std::to_string(use.gpus) + " of " + std::to_string(*has));
      }
    }
  }

  const PhillyOptions& philly_;
  Intake intake_;
  TraceFile file_;
  LocalTimes clock_;
  TraceRow row_;
  PhillyLog::Job* job_ = nullptr;
  PhillyMachines::Use used_;
};

class PhillyReader final : public TraceReader {
 public:
  explicit PhillyReader(PhillyOptions options) : options_(std::move(options)) {}

  std::vector<std::filesystem::path> files(const std::filesystem::path& path) const override {
    std::vector<std::filesystem::path> out{path};
    if (options_.machines) out.push_back(*options_.machines);
    return out;
  }
  void read(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
            TraceReport& report) const override {
    report = {};
    report.format = "philly";
    PhillyTrace(path, options_, options, out, report).read();
  }

 private:
  PhillyOptions options_;
};

class PhillyFormat final : public TraceFormat {
 public:
  // A list of objects, with the keys of a job near its beginning.
  bool recognises(std::string_view head, const std::filesystem::path&) const override {
    const std::string_view text = trimmed(head);
    if (!text.starts_with('[') || !trimmed(text.substr(1)).starts_with('{')) return false;
    const auto holds = [&](std::string_view key) { return text.find(key) != text.npos; };
    return holds("\"jobid\"") && holds("\"attempts\"") && holds("\"vc\"");
  }
  std::unique_ptr<TraceReader> reader(ConfigNode& trace) const override {
    PhillyOptions options;
    std::optional<TimeZone> zone = read_timezone(trace, kZone);
    options.is_default_zone = zone && zone->name() == kZone;
    if (zone) options.zone = std::move(*zone);
    if (trace.has("machines")) options.machines = trace.file("machines");
    return std::make_unique<PhillyReader>(std::move(options));
  }
};

}  // namespace

void register_philly(Registry<TraceFormat>& formats) {
  formats.add("philly", "JSON job log of Microsoft's Philly (cluster_job_log); plain, gzip or zstd",
              {{"timezone",
                "the clock of its times, which name none (default America/Los_Angeles, an "
                "assumption: the utilisation logs say PST and PDT)"},
               {"machines", "the cluster_machine_list, to hold the log against (default: none)"}},
              [] { return std::make_unique<PhillyFormat>(); });
}

}  // namespace berth
