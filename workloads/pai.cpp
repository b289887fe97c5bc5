// Alibaba's PAI trace of 2020 (cluster-trace-gpu-v2020 of alibaba/clusterdata; Weng et al., NSDI
// '22): tables without header lines, joined.
//
//   trace: {format: pai, path: FOLDER}     # or the job table in it
//
//   pai_job_table        job_name: the id; user; status; start_time: the submission ("timestamp of
//                        job submission time"); end_time: the end
//   pai_task_table       inst_num instances with plan_gpu and plan_cpu (per cent of one) and
//                        plan_mem (GiB) each; start_time: when it was launched
//   pai_instance_table   start_time: when an instance was launched. May be missing
//   pai_group_tag_table  gpu_type_spec: the model the job requires; group: the job's name;
//                        workload: its type (nmt, bert, ...; else Other, or CPU without a GPU). May
//                        be missing
//
// A job starts when its first instance does, without that table when its first task does. status
// Terminated: COMPLETED; Failed; Running: still runs where it has no end; Waiting: never started,
// CANCELLED (counted). A job without a task never started, and nobody knows what it asked for: 0
// GPUs (counted). Rows of other tables whose job is not there are counted.
//
// A part of a GPU is each instance's own (workload.fractional). Times are seconds; the trace moved
// them by a constant that keeps hour and weekday in China: those are right, dates are not.
#include "workloads/builtin.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/core/error.hpp"
#include "workloads/reading/intake.hpp"
#include "workloads/reading/number.hpp"
#include "workloads/reading/pai_tables.hpp"
#include "workloads/reading/resources.hpp"

namespace berth {
namespace {

constexpr std::uint64_t kMostMilli = 2'147'483'648'000;

class PaiTrace final : public RowPlaces {
 public:
  PaiTrace(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
           TraceReport& report)
      : files_(PaiTables::find(path)), intake_(options, out, report) {
    report.zone = TimeZone::find("Asia/Shanghai").value_or(TimeZone::fixed(8 * 60));
    report.zone_source = "fixed by the format: hour and weekday are right, dates are moved";
  }

  void read() {
    PaiTables tables(intake_.options().stop);
    tables.read(
        files_,
        [&](const char* table, const Location& where) {
          intake_.note(
              std::string("a row of ") + table + " whose job is not in the job table: unused",
              where);
        },
        [&](const TraceFile& file) { intake_.file_done(file); });
    for (const PaiJob& job : tables.jobs()) {
      intake_.begin_row();
      row_.clear();
      job_ = &job;
      if (!job.fault.empty()) {
        intake_.refuse(job.fault_where, job.fault);
      } else if (parse() && settle_gpus()) {
        intake_.add(row_, *this);
      }
    }
    intake_.finish(false);
  }

  Location where(RowField) const override {
    return {files_.jobs.string(), static_cast<std::int64_t>(job_->line), 0};
  }
  std::string named(RowField field) const override {
    switch (field) {
      case RowField::kSubmit:
        return "start_time of the job";
      case RowField::kStart:
        return std::string("the first start_time of its ") +
               (job_->instance_start_ms ? "instances" : "tasks");
      case RowField::kEnd:
        return "end_time of the job";
      case RowField::kGpus:
        return "plan_gpu of its tasks";
      default:
        return "job_name " + job_->name;
    }
  }

 private:
  bool refuse(const std::string& message) {
    intake_.refuse(where(RowField::kJob), message);
    return false;
  }

  bool parse() {
    JobRow& job = row_.job;
    job.line = job_->line;
    job.id = job_->name;
    job.user = job_->user;
    job.name = job_->group;
    job.gpu_model = job_->gpu_type_spec;
    job.type = !job_->workload.empty()   ? std::string_view(job_->workload)
               : job_->instances.empty() ? "CPU"
                                         : "Other";
    if (!parse_status()) return false;
    if (!job_->submit_ms) {
      intake_.drop("no submission (the job table has no start_time)", where(RowField::kSubmit));
      return false;
    }
    job.submit_unix_ms = *job_->submit_ms;
    const double cpus = std::ceil(job_->cpus - 1e-9);
    if (cpus > kLargestCount) return refuse("plan_cpu: more than 2147483648 CPUs in all");
    job.cpus = static_cast<std::uint32_t>(cpus);
    if (cpus > job_->cpus + 1e-9) row_.fixes.push_back("a part of a CPU: rounded up to whole ones");
    job.memory_mib = mib_of(job_->memory_mib);
    return settle_times();
  }

  bool parse_status() {
    const std::string& status = job_->status;
    if (status == "Terminated") {
      row_.job.state = JobState::kCompleted;
    } else if (status == "Failed") {
      row_.job.state = JobState::kFailed;
    } else if (status == "Running") {
      row_.job.state = JobState::kRunning;
    } else if (status == "Waiting") {
      row_.job.state = JobState::kCancelled;
      row_.job.never_started = true;
      row_.fixes.push_back("status Waiting: kept as CANCELLED, never started");
    } else {
      return refuse("status is " + shown(status) +
                    ", expected Terminated, Failed, Running or Waiting");
    }
    return true;
  }

  bool settle_times() {
    const auto start = job_->instance_start_ms ? job_->instance_start_ms : job_->task_start_ms;
    if (job_->tasks == 0) {
      row_.fixes.push_back("no task: nobody knows what it asked for, 0 GPUs; never started");
    }
    if (row_.job.never_started || job_->tasks == 0 || !start) {
      row_.job.never_started = true;
      return true;
    }
    row_.start_unix_ms = start;
    row_.end_unix_ms = job_->end_ms;
    if (row_.end_unix_ms) return true;
    if (row_.job.state == JobState::kRunning) {
      row_.still_running = true;
      return true;
    }
    if (!job_->task_end_ms) return refuse("neither the job nor a task of it has an end_time");
    row_.end_unix_ms = job_->task_end_ms;
    row_.fixes.push_back("no end_time of the job: the last one of its tasks");
    return true;
  }

  // Instances of one kind are the workers that Intake's rules are made for. Those of several are
  // brought to one worker here, each by the same rules.
  bool settle_gpus() {
    if (job_->instances.empty()) return true;
    if (job_->finer_than_milli) {
      row_.fixes.push_back("a finer part of a GPU: taken to the nearest 1/1000");
    }
    if (job_->instances.size() == 1) {
      row_.gpu_milli_per_worker = job_->instances.front().gpu_milli;
      row_.workers = job_->instances.front().count;
      return true;
    }
    const FractionRule rule = intake_.options().fractional;
    bool fraction = false;
    for (const PaiInstances& each : job_->instances) {
      if (row_.gpu_milli_per_worker > kMostMilli) return refuse("plan_gpu: too many GPUs in all");
      const std::uint32_t whole = (each.gpu_milli + 999) / 1000 * 1000;
      fraction |= whole != each.gpu_milli;
      row_.gpu_milli_per_worker +=
          std::uint64_t{each.count} * (rule == FractionRule::kRoundUp ? whole : each.gpu_milli);
    }
    if (!fraction) return true;
    if (rule == FractionRule::kSkip) {
      intake_.drop("asks for a part of a GPU (fractional: skip)", where(RowField::kGpus),
                   named(RowField::kGpus));
      return false;
    }
    if (row_.gpu_milli_per_worker % 1000 == 0) {
      row_.fixes.push_back(rule == FractionRule::kShare
                               ? "asks for parts of GPUs that make whole ones together: shared"
                               : "instances of several kinds ask for parts of a GPU: each rounded "
                                 "up (fractional: round_up)");
    }
    return true;
  }

  const PaiTables::Files files_;
  Intake intake_;
  TraceRow row_;
  const PaiJob* job_ = nullptr;
};

class PaiReader final : public TraceReader {
 public:
  std::vector<std::filesystem::path> files(const std::filesystem::path& path) const override {
    return PaiTables::find(path).all();
  }
  void read(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
            TraceReport& report) const override {
    report = {};
    report.format = "pai";
    PaiTrace(path, options, out, report).read();
  }
};

class PaiFormat final : public TraceFormat {
 public:
  bool recognises(std::string_view, const std::filesystem::path& path) const override {
    return PaiTables::is_trace(path);
  }
  std::unique_ptr<TraceReader> reader(ConfigNode&) const override {
    return std::make_unique<PaiReader>();
  }
};

}  // namespace

void register_pai(Registry<TraceFormat>& formats) {
  formats.add(
      "pai", "the tables of Alibaba's PAI (cluster-trace-gpu-v2020), a folder; plain, gzip or zstd",
      {}, [] { return std::make_unique<PaiFormat>(); });
}

}  // namespace berth
