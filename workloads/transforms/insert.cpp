// insert: jobs that are not in the trace. When would mine start?
//
//   - insert:
//       jobs:
//         - {id: mine, submit: "2d 3h", gpus: 64, run: 4h, type: Pretrain, user: me}
//         - {id: next, submit: "2023-03-05 09:00:00+08:00", gpus: 8, run: 30min, time_limit: 1h}
//
// submit   from the first submission of the workload, or a date (see instant.hpp)
// gpus     over all nodes; fractions of a GPU only with workload.fractional: share
// also     cpus, memory (80GiB; over all nodes), type (Other), user, name, vc, account, priority,
//          gpu_model, time_limit
//
// jobs.csv shows when they start. Their ids must be new. At equal times the jobs of the trace go
// first. A date before the first submission moves time zero of the run.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/api/workload_transform.hpp"
#include "sim/config/wording.hpp"
#include "workloads/builtin.hpp"
#include "workloads/transforms/instant.hpp"
#include "workloads/transforms/option_place.hpp"

namespace berth {
namespace {

constexpr double kMostGpus = 1e6;
constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;

struct Inserted {
  OptionPlace place;  // of the id
  std::string id, user, type, name, vc, account, priority, gpu_model;
  Instant submit;
  Duration run{};
  Duration time_limit{-1};
  std::uint32_t gpu_parts = 0;
  std::uint32_t cpus = 0;
  std::uint32_t memory_mib = 0;
};

class Insert final : public WorkloadTransform {
 public:
  Insert(ConfigNode& node, const TransformContext& context) {
    for (ConfigNode& item : node.list("jobs")) {
      Inserted job = read_job(item, context.options.parts_per_gpu());
      if (std::ranges::find(jobs_, job.id, &Inserted::id) != jobs_.end()) {
        item.error("id", in_quotes(job.id) + " is the id of two of these jobs");
      }
      jobs_.push_back(std::move(job));
    }
    if (jobs_.empty()) {
      node.error("jobs",
                 "a list of jobs is expected, such as "
                 "{id: mine, submit: 2d, gpus: 8, run: 4h}");
    }
  }

  std::string apply(JobTableBuilder& rows) const override {
    const std::size_t before = rows.size();
    if (before == 0) return "insert: there is no job beside which to insert";
    check_ids(rows);
    const SimTime first = rows.jobs().front().submit;
    for (const Inserted& job : jobs_) {
      JobRow row;
      row.id = job.id;
      row.user = job.user;
      row.type = job.type;
      row.name = job.name;
      row.vc = job.vc;
      row.account = job.account;
      row.priority = job.priority;
      row.gpu_model = job.gpu_model;
      row.submit_unix_ms = to_ms(job.submit.at(first));
      row.start_unix_ms = row.submit_unix_ms;  // recorded: at once
      row.run = job.run;
      row.time_limit = job.time_limit;
      row.gpu_parts = job.gpu_parts;
      row.cpus = job.cpus;
      row.memory_mib = job.memory_mib;
      rows.add(row);
    }
    return "insert: added " + std::to_string(jobs_.size()) + " jobs to " + std::to_string(before);
  }

 private:
  static Inserted read_job(ConfigNode& item, std::uint32_t parts_per_gpu) {
    Inserted job;
    job.place = place_of(item, "id");
    job.id = item.text("id", {});
    if (item.has("id") && (job.id.empty() || job.id.find('\0') != std::string::npos)) {
      item.error("id", "an id is a text, not empty and without a NUL");
    }
    if (const auto submit = read_instant(item, "submit")) job.submit = *submit;
    job.gpu_parts = read_gpus(item, parts_per_gpu);
    job.run = item.duration("run", {}, Duration(0), kLongestDuration);
    job.type = item.text("type", "Other");
    if (job.type.empty()) item.error("type", "a job has a type, such as Other");
    job.user = item.text("user", "");
    job.cpus = static_cast<std::uint32_t>(
        item.integer("cpus", 0, 0, std::numeric_limits<std::int32_t>::max()));
    job.memory_mib = read_memory(item);
    job.name = item.text("name", "");
    job.vc = item.text("vc", "");
    job.account = item.text("account", "");
    job.priority = item.text("priority", "");
    job.gpu_model = item.text("gpu_model", "");
    if (item.has("time_limit")) {
      job.time_limit = item.duration("time_limit", {}, Duration(0), kLongestDuration);
    }
    item.finish();
    return job;
  }

  static std::uint32_t read_gpus(ConfigNode& item, std::uint32_t parts_per_gpu) {
    const double gpus = item.number("gpus", {}, 0, kMostGpus);
    const double parts = gpus * parts_per_gpu;
    const double whole = std::round(parts);
    if (std::abs(parts - whole) > 1e-6) {
      item.error("gpus", parts_per_gpu == 1
                             ? "a job takes whole GPUs, unless workload.fractional is share"
                             : "GPUs are shared in thousandths");
    }
    return static_cast<std::uint32_t>(whole);
  }

  static std::uint32_t read_memory(ConfigNode& item) {
    const std::int64_t bytes = item.bytes("memory", 0);
    const std::int64_t mib = bytes / kMebibyte + (bytes % kMebibyte != 0 ? 1 : 0);
    if (mib <= std::numeric_limits<std::uint32_t>::max()) return static_cast<std::uint32_t>(mib);
    item.error("memory", "more than 4096 TiB");
    return 0;
  }

  // With two jobs of one id nobody could tell from jobs.csv when his would start.
  void check_ids(JobTableBuilder& rows) const {
    for (const Job& job : rows.jobs()) {
      const std::string_view id = rows.names().id_of(job);
      const auto at = std::ranges::find(jobs_, id, &Inserted::id);
      if (at == jobs_.end()) continue;
      throw at->place.fault(
          "the workload has a job " + in_quotes(id) +
          (job.line == 0 ? "" : " (line " + std::to_string(job.line) + " of its trace)") +
          "; choose another id");
    }
  }

  std::vector<Inserted> jobs_;
};

}  // namespace

void register_insert(TransformRegistry& transforms) {
  transforms.add("insert", "hypothetical jobs: when would mine start?",
                 {{"jobs",
                   "a list of {id, submit, gpus, run, and as you like: type, user, name, vc, "
                   "account, priority, gpu_model, cpus, memory, time_limit}"}},
                 [](ConfigNode& node, const TransformContext& context) {
                   return std::make_unique<Insert>(node, context);
                 });
}

}  // namespace berth
