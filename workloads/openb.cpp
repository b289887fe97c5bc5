// Alibaba's GPU-sharing cluster of 2023 ("openb": cluster-trace-gpu-v2023 of alibaba/clusterdata;
// Weng et al., ATC '23): a row a pod.
//
//   trace: {format: openb, path: openb_pod_list_default.csv}
//
//   name            required, as all but gpu_spec and qos
//   cpu_milli       thousandths of a CPU; rounded up to whole ones, which is counted
//   memory_mib
//   num_gpu         GPUs; 0: type CPU. All others are Other: the trace names no types
//   gpu_milli       thousandths of each of them; less than 1000 only where num_gpu is 1
//   gpu_spec        the models it may run on, such as V100M16|V100M32; empty or nan: any
//   qos             the priority: LS, BE, Burstable, Guaranteed
//   pod_phase       Succeeded: COMPLETED. Failed: FAILED. Running: RUNNING, and where it has a
//                   deletion_time it ended there (counted). Pending: CANCELLED (counted)
//   creation_time   the submission; seconds from an instant that the trace does not tell
//   scheduled_time  the start; empty: the pod never started
//   deletion_time   the end; empty: it still runs
//
// There are no users.
#include "workloads/builtin.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "workloads/reading/csv_table.hpp"
#include "workloads/reading/intake.hpp"
#include "workloads/reading/number.hpp"
#include "workloads/reading/recognise.hpp"
#include "workloads/reading/resources.hpp"

namespace berth {
namespace {

enum Column : std::size_t {
  kName,
  kCpuMilli,
  kMemoryMib,
  kNumGpu,
  kGpuMilli,
  kPodPhase,
  kCreationTime,
  kDeletionTime,
  kScheduledTime,
  kGpuSpec,
  kQos,
  kColumns,
};

constexpr std::array<std::string_view, kColumns> kNames = {
    "name",          "cpu_milli",     "memory_mib",     "num_gpu",  "gpu_milli", "pod_phase",
    "creation_time", "deletion_time", "scheduled_time", "gpu_spec", "qos"};
constexpr std::size_t kRequired = kScheduledTime + 1;  // so many from the front

constexpr std::pair<std::string_view, JobState> kPhases[] = {{"Succeeded", JobState::kCompleted},
                                                             {"Failed", JobState::kFailed},
                                                             {"Running", JobState::kRunning},
                                                             {"Pending", JobState::kCancelled}};

class OpenbTrace {
 public:
  OpenbTrace(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
             TraceReport& report)
      : intake_(options, out, report), table_(path, {kNames.begin(), kNames.end()}) {
    table_.bind(RowField::kJob, kName);
    table_.bind(RowField::kSubmit, kCreationTime);
    table_.bind(RowField::kStart, kScheduledTime);
    table_.bind(RowField::kEnd, kDeletionTime);
    table_.bind(RowField::kGpus, kGpuMilli);
    report.has_dates = false;
  }

  void read() {
    intake_.expect(table_.file());
    table_.read_header();
    std::vector<CsvTable::Column> missing;
    for (std::size_t i = 0; i < kRequired; ++i) {
      if (!table_.has(i)) missing.push_back(i);
    }
    if (!missing.empty()) {
      table_.refuse_header(missing, kRequired - 2,
                           "a list of pods: name,cpu_milli,memory_mib,num_gpu,gpu_milli,...");
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
    if (!table_.required_text(kName, job.id, "a name") || !table_.text(kQos, job.priority) ||
        !table_.text(kGpuSpec, job.gpu_model)) {
      return false;
    }
    if (job.gpu_model == "nan") job.gpu_model = {};
    const std::string_view found = table_.value(kPodPhase);
    for (const auto& [word, state] : kPhases) {
      if (found != word) continue;
      job.state = state;
      if (word == "Pending") row_.fixes.push_back("phase Pending: kept as CANCELLED");
      return true;
    }
    static const std::vector<std::string> known = [] {
      std::vector<std::string> words;
      for (const auto& each : kPhases) words.emplace_back(each.first);
      return words;
    }();
    table_.unexpected(kPodPhase, join(known).c_str());
    const std::string near = nearest(found, known);
    if (!near.empty()) table_.add_to_fault("; did you mean " + near + "?");
    return false;
  }

  bool required_count(Column column, std::uint32_t& out) {
    return table_.value(column).empty() ? table_.unexpected(column, kExpectedCount)
                                        : table_.count(column, out);
  }

  bool parse_resources() {
    std::uint32_t cpu_milli = 0;
    std::uint32_t gpus = 0;
    std::uint32_t gpu_milli = 0;
    double memory_mib = 0;
    if (!required_count(kCpuMilli, cpu_milli) || !table_.amount(kMemoryMib, memory_mib) ||
        !required_count(kNumGpu, gpus) || !required_count(kGpuMilli, gpu_milli)) {
      return false;
    }
    row_.job.cpus = cpu_milli / 1000 + (cpu_milli % 1000 != 0 ? 1 : 0);
    if (cpu_milli % 1000 != 0) row_.fixes.push_back("a part of a CPU: rounded up to whole ones");
    row_.job.memory_mib = mib_of(memory_mib);
    row_.job.type = gpus == 0 ? "CPU" : "Other";
    if (gpus == 0 && gpu_milli != 0) return table_.unexpected(kGpuMilli, "0, as num_gpu is");
    if (gpus != 0 && (gpu_milli == 0 || gpu_milli > 1000)) {
      return table_.unexpected(kGpuMilli, "from 1 to 1000");
    }
    if (gpus > 1 && gpu_milli != 1000) {
      return table_.unexpected(kGpuMilli, "1000, since num_gpu is more than 1");
    }
    row_.gpu_milli_per_worker = std::uint64_t{gpus} * gpu_milli;
    return true;
  }

  bool time(Column column, std::optional<std::int64_t>& out) {
    if (table_.value(column).empty()) return true;
    Duration since{};
    if (!table_.seconds(column, since)) return false;
    out = to_ms(since);
    return true;
  }

  bool parse_times() {
    std::optional<std::int64_t> creation;
    if (!time(kCreationTime, creation) || !time(kScheduledTime, row_.start_unix_ms) ||
        !time(kDeletionTime, row_.end_unix_ms)) {
      return false;
    }
    if (!creation) return table_.unexpected(kCreationTime, kExpectedSeconds);
    row_.job.submit_unix_ms = *creation;
    const JobState state = row_.job.state;
    if (!row_.start_unix_ms) {
      if (state == JobState::kCompleted || state == JobState::kRunning) {
        return table_.unexpected(kScheduledTime, "seconds, since the pod ran");
      }
      row_.job.never_started = true;
      row_.end_unix_ms.reset();  // when it was given up
      return true;
    }
    if (!row_.end_unix_ms) {
      if (state != JobState::kRunning) {
        return table_.unexpected(kDeletionTime, "seconds, since the pod does not run any more");
      }
      row_.still_running = true;
    } else if (state == JobState::kRunning) {
      row_.fixes.push_back("phase Running with a deletion_time: taken to have ended there");
    }
    return true;
  }

  Intake intake_;
  CsvTable table_;
  TraceRow row_;
};

class OpenbReader final : public TraceReader {
 public:
  void read(const std::filesystem::path& path, const TraceOptions& options, JobTableBuilder& out,
            TraceReport& report) const override {
    report = {};
    report.format = "openb";
    OpenbTrace(path, options, out, report).read();
  }
};

class OpenbFormat final : public TraceFormat {
 public:
  bool recognises(std::string_view head, const std::filesystem::path&) const override {
    return CsvHead(head).has({"name", "num_gpu", "gpu_milli", "pod_phase", "creation_time"});
  }
  std::unique_ptr<TraceReader> reader(ConfigNode&) const override {
    return std::make_unique<OpenbReader>();
  }
};

}  // namespace

void register_openb(Registry<TraceFormat>& formats) {
  formats.add("openb", "pods of Alibaba's GPU-sharing cluster (cluster-trace-gpu-v2023)", {},
              [] { return std::make_unique<OpenbFormat>(); });
}

}  // namespace berth
