#include "sim/experiment/workload.hpp"

#include <algorithm>

#include "sim/config/wording.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/metrics/output_file.hpp"
#include "sim/metrics/summary.hpp"

namespace berth {
namespace {

std::string capacity_text(const ClusterSpec& cluster) {
  std::string text = std::to_string(cluster.total_gpus()) + " GPUs (";
  constexpr std::size_t kMostShown = 4;
  for (std::size_t i = 0; i < cluster.groups.size(); ++i) {
    const NodeGroup& group = cluster.groups[i];
    if (i != 0) text += ", ";
    if (i == kMostShown) return text + "...)";
    text += std::to_string(group.nodes) + " nodes x " + std::to_string(group.gpus_per_node);
    if (!group.gpu_model.empty()) text += " " + printable(group.gpu_model, 30);
    if (cluster.constrain_cpus) text += " with " + std::to_string(group.cpus_per_node) + " CPUs";
    if (cluster.constrain_memory) {
      text += (cluster.constrain_cpus ? " and " : " with ") +
              std::to_string(group.memory_mib_per_node) + " MiB";
    }
  }
  return text + ")";
}

// Of a job whose required model the cluster does not have.
std::string missing_model_text(const std::string& model, const ClusterSpec& cluster) {
  std::vector<std::string> models;
  for (const NodeGroup& group : cluster.groups) {
    const bool is_new = std::ranges::find(models, group.gpu_model) == models.end();
    if (is_new && !group.gpu_model.empty()) models.push_back(group.gpu_model);
  }
  const std::string near = nearest(model, models);
  return " requires a GPU of the model " + in_quotes(model) + ", the cluster has " + join(models) +
         (near.empty() ? "" : "; is " + in_quotes(near) + " meant?");
}

std::string gpus_text(const Job& job, const ClusterSpec& cluster) {
  std::string text;
  append_gpus(text, job.gpu_parts, cluster.parts_per_gpu);
  return text;
}

std::string request_text(const Job& job, const ClusterSpec& cluster) {
  std::string text = gpus_text(job, cluster) + " GPUs";
  if (cluster.constrain_cpus) text += ", " + std::to_string(job.cpus) + " CPUs";
  if (cluster.constrain_memory) text += ", " + std::to_string(job.memory_mib) + " MiB";
  return text;
}

[[noreturn]] void refuse_first_oversized(const RunSpec& spec, const ShapedJobs& shaped) {
  JobId id{0};
  while (shaped.can_run(id)) id = JobId(static_cast<std::uint32_t>(index(id)) + 1);
  const Job& job = shaped.jobs()[id];
  const JobTable& jobs = shaped.jobs();
  const std::string& model = jobs.trait_names().gpu_models.name(jobs.traits_of(job).gpu_model);
  std::string asks = " asks for " + request_text(job, spec.cluster);
  if (spec.cluster.groups_of(model) == 0) {
    asks = missing_model_text(model, spec.cluster);
  } else {
    if (!model.empty() && spec.cluster.names_models()) asks += " of the model " + in_quotes(model);
    asks += ", the cluster has " + capacity_text(spec.cluster);
  }
  throw DataError({spec.workload.path.string(), static_cast<std::int64_t>(job.line), 0},
                  "job " + std::string(jobs.id_of(job)) + asks +
                      "; set workload.oversized: skip to leave such jobs out");
}

// What is bound but never asked for would change nothing, and look like an answer.
void check_bound_resources(const RunSpec& spec, const JobTable& jobs) {
  const auto refuse = [&](const char* what, const char* plural) {
    throw DataError({spec.workload.path.string(), 0, 0},
                    std::string("cluster.constrain names ") + what +
                        ", but no job of the trace asks for any; bind GPUs only, or give a trace "
                        "that says how " +
                        plural + " each job takes");
  };
  const auto any = [&](auto asks) { return std::ranges::any_of(jobs.jobs(), asks); };
  if (spec.cluster.constrain_cpus && !any([](const Job& job) { return job.cpus != 0; })) {
    refuse("cpus", "many CPUs");
  }
  if (spec.cluster.constrain_memory && !any([](const Job& job) { return job.memory_mib != 0; })) {
    refuse("memory", "much memory");
  }
}

}  // namespace

ReadJobs read_jobs(const WorkloadSpec& spec, const std::atomic<bool>* stop) {
  ReadJobs out;
  TraceOptions options = spec.options;
  options.stop = stop;
  JobTableBuilder rows(options.parts_per_gpu());
  spec.reader->read(spec.path, options, rows, out.report);
  rows.sort();
  if (out.report.has_dates) out.days = submission_days(rows.jobs(), 0, out.report.zone);
  for (const auto& transform : spec.transforms) {
    out.transforms.push_back(transform->apply(rows));
    rows.sort();
  }
  if (rows.size() == 0) {
    throw DataError("workload.transforms: no job is left; " + out.transforms.back());
  }
  out.jobs = std::make_unique<const JobTable>(rows.finish());
  return out;
}

Workload load_workload(const RunSpec& spec, const std::atomic<bool>* stop) {
  ReadJobs read = read_jobs(spec.workload, stop);
  const JobTable& jobs = *read.jobs;
  if (spec.replays_recorded_schedule && !read.report.has_starts) {
    throw DataError({spec.workload.path.string(), 0, 0},
                    "policy.order is recorded, but the trace does not say when its jobs started");
  }
  check_bound_resources(spec, jobs);
  std::unique_ptr<const FeedbackChains> chains;
  std::string feedback;
  if (spec.workload.chains) {
    chains = std::make_unique<const FeedbackChains>(jobs, *spec.workload.chains);
    feedback = chains->text(*spec.workload.chains);
  }
  ShapedJobs shaped(jobs, spec.cluster);
  if (shaped.oversized() != 0 && spec.workload.oversized == RowRule::kError) {
    refuse_first_oversized(spec, shaped);
  }
  const std::optional<double> load = offered_load_pct(shaped);
  return {
      std::move(read.jobs), std::move(shaped),          std::move(read.report), std::move(chains),
      std::move(read.days), std::move(read.transforms), std::move(feedback),    load};
}

}  // namespace berth
