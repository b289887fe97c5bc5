// Alibaba's spot trace of 2026 (cluster-trace-v2026-spot-gpu of alibaba/clusterdata): jobs of high
// priority and spot jobs on GPUs of six models; job_info_df.csv.
//
//   trace: {format: spot, path: job_info_df.csv}
//
// All columns are required.
//   job_name       the id
//   organization   the account. There are no users
//   gpu_model      the model the job requires; empty: any
//   cpu_request    CPUs of a worker; the sum is rounded up to whole ones, which is counted
//   gpu_request    GPUs of a worker; may be a fraction. 0: type CPU. All others are Other
//   worker_num     workers, 1 or more
//   submit_time    seconds from an instant that the trace does not tell
//   duration       seconds; the run time. The trace tells no starts and no final states: all are
//                  COMPLETED, and `order: recorded` cannot be asked for
//   job_type       HP or Spot; the priority
#include "workloads/builtin.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "workloads/reading/csv_table.hpp"
#include "workloads/reading/intake.hpp"
#include "workloads/reading/number.hpp"
#include "workloads/reading/recognise.hpp"
#include "workloads/reading/units.hpp"

namespace berth {
namespace {

enum Column : std::size_t {
  kJobName,
  kOrganization,
  kGpuModel,
  kCpuRequest,
  kGpuRequest,
  kWorkerNum,
  kSubmitTime,
  kDuration,
  kJobType,
  kColumns,
};

constexpr std::array<std::string_view, kColumns> kNames = {
    "job_name",   "organization", "gpu_model", "cpu_request", "gpu_request",
    "worker_num", "submit_time",  "duration",  "job_type"};

class SpotTrace {
 public:
  SpotTrace(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
            TraceReport& report)
      : intake_(options, out, report), table_(path, {kNames.begin(), kNames.end()}) {
    table_.bind(RowField::kJob, kJobName);
    table_.bind(RowField::kSubmit, kSubmitTime);
    table_.bind(RowField::kDuration, kDuration);
    table_.bind(RowField::kGpus, kGpuRequest);
    report.has_dates = false;
  }

  void read() {
    intake_.expect(table_.file());
    table_.read_header();
    std::vector<CsvTable::Column> missing;
    for (std::size_t i = 0; i < kColumns; ++i) {
      if (!table_.has(i)) missing.push_back(i);
    }
    if (!missing.empty()) {
      table_.refuse_header(missing, kColumns - 2,
                           "job_info_df.csv: job_name,organization,gpu_model,cpu_request,...");
    }
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
  bool parse() {
    row_.job.line = table_.line();
    return table_.has_width() && parse_names() && parse_resources() && parse_times();
  }

  bool parse_names() {
    JobRow& job = row_.job;
    if (!table_.required_text(kJobName, job.id, "a name") ||
        !table_.text(kOrganization, job.account) || !table_.text(kGpuModel, job.gpu_model)) {
      return false;
    }
    job.priority = table_.value(kJobType);
    return job.priority == "HP" || job.priority == "Spot" ||
           table_.unexpected(kJobType, "HP or Spot");
  }

  bool parse_resources() {
    const std::optional<std::uint32_t> workers = parse_count(table_.value(kWorkerNum));
    if (workers.value_or(0) == 0) {
      return table_.unexpected(kWorkerNum, "a whole number from 1 to 2147483648");
    }
    row_.workers = *workers;
    const std::optional<Thousandths> gpus = parse_thousandths(table_.value(kGpuRequest), 1000);
    if (!gpus) return table_.unexpected(kGpuRequest, "a number from 0 to 2147483648");
    row_.gpu_milli_per_worker = gpus->count;
    if (gpus->rounded) row_.fixes.push_back("a finer part of a GPU: taken to the nearest 1/1000");
    row_.job.type = gpus->count == 0 ? "CPU" : "Other";
    double cpus = 0;
    if (!table_.amount(kCpuRequest, cpus)) return false;
    cpus *= *workers;
    const double whole = std::ceil(cpus - 1e-9);
    if (whole > kLargestCount)
      return table_.unexpected(kCpuRequest, "fewer than 2147483648 CPUs in all");
    row_.job.cpus = static_cast<std::uint32_t>(whole);
    if (whole > cpus + 1e-9) row_.fixes.push_back("a part of a CPU: rounded up to whole ones");
    return true;
  }

  bool parse_times() {
    const std::optional<Duration> submit = parse_seconds(table_.value(kSubmitTime));
    if (!submit) return table_.unexpected(kSubmitTime, kExpectedSeconds);
    row_.job.submit_unix_ms = to_ms(*submit);
    row_.duration = parse_seconds(table_.value(kDuration));
    return row_.duration || table_.unexpected(kDuration, kExpectedSeconds);
  }

  Intake intake_;
  CsvTable table_;
  TraceRow row_;
};

class SpotReader final : public TraceReader {
 public:
  void read(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
            TraceReport& report) const override {
    report = {};
    report.format = "spot";
    SpotTrace(path, options, out, report).read();
  }
};

class SpotFormat final : public TraceFormat {
 public:
  bool recognises(std::string_view head, const std::filesystem::path&) const override {
    return CsvHead(head).has({"job_name", "organization", "gpu_model", "gpu_request", "worker_num",
                              "submit_time", "job_type"});
  }
  std::unique_ptr<TraceReader> reader(ConfigNode&) const override {
    return std::make_unique<SpotReader>();
  }
};

}  // namespace

void register_spot(Registry<TraceFormat>& formats) {
  formats.add("spot", "jobs of Alibaba's spot trace (cluster-trace-v2026-spot-gpu)", {},
              [] { return std::make_unique<SpotFormat>(); });
}

}  // namespace berth
