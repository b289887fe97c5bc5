#include "sim/metrics/summary_json.hpp"

#include <nlohmann/json.hpp>

#include "sim/metrics/output_file.hpp"
#include "sim/metrics/trace_json.hpp"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

// Null where no job has the quantity: a mean of nothing is not zero.
void put(Json& out, const std::string& name, const Distribution& values, const std::string& unit) {
  if (values.count == 0) {
    for (const char* what : {"_mean", "_median", "_p90", "_p95", "_p99", "_max"}) {
      out[name + what + unit] = nullptr;
    }
    return;
  }
  out[name + "_mean" + unit] = values.mean;
  out[name + "_median" + unit] = values.median;
  out[name + "_p90" + unit] = values.p90;
  out[name + "_p95" + unit] = values.p95;
  out[name + "_p99" + unit] = values.p99;
  out[name + "_max" + unit] = values.max;
}

Json counts(const JobCounts& jobs) {
  return {{"submitted", jobs.submitted},       {"finished", jobs.finished},
          {"rejected", jobs.rejected},         {"never_started", jobs.never_started},
          {"left_waiting", jobs.left_waiting}, {"unfinished", jobs.unfinished},
          {"preemptions", jobs.preemptions}};
}

Json group(const GroupMetrics& metrics) {
  Json out;
  out["jobs"] = counts(metrics.jobs);
  put(out, "queue", metrics.queue, "_s");
  put(out, "jct", metrics.jct, "_s");
  put(out, "bounded_slowdown", metrics.bounded_slowdown, "");
  out["allocated_gpu_h"] = metrics.gpu_hours;
  out["allocated_share_pct"] = metrics.gpu_share_pct;
  return out;
}

}  // namespace

void write_summary_json(const std::filesystem::path& path, const RunIdentity& identity,
                        const WorkloadIdentity& workload, const ClusterSpec& cluster,
                        const Summary& summary) {
  Json out;
  out["run"] = {{"name", identity.name},
                {"berth_version", identity.version},
                {"seed", identity.seed},
                {"config_hash", identity.config_hash},
                {"decision_digest", identity.digest}};
  out["trace"] = trace_json(workload.trace);
  put_submissions(out["trace"], workload.trace, workload.days);
  out["workload"] = {{"transforms", workload.transforms},
                     {"feedback", workload.feedback.empty() ? "open" : workload.feedback}};
  out["jobs"] = counts(summary.all.jobs);
  out["cluster"] = {{"nodes", cluster.total_nodes()},
                    {"gpus_total", cluster.total_gpus()},
                    {"makespan_s", summary.makespan_s},
                    {"gpu_utilization_pct", summary.gpu_utilization_pct},
                    {"offered_load_pct", nullptr}};
  if (!cluster.is_uniform() || cluster.names_models()) {
    out["cluster"]["groups"] = Json::array();
    for (const NodeGroup& each : cluster.groups) {
      out["cluster"]["groups"].push_back({{"name", each.name},
                                          {"gpu_model", each.gpu_model},
                                          {"nodes", each.nodes},
                                          {"gpus", each.gpus()}});
    }
  }
  if (summary.offered_load_pct) out["cluster"]["offered_load_pct"] = *summary.offered_load_pct;
  out["metrics"]["all"] = group(summary.all);
  out["metrics"]["by_type"] = Json::object();
  for (const GroupMetrics& type : summary.by_type) {
    out["metrics"]["by_type"][type.name] = group(type);
  }
  if (summary.recorded) {
    out["recorded_fit"] = {{"late_jobs", summary.recorded->late},
                           {"late_mean_s", summary.recorded->mean_delay_s},
                           {"late_max_s", summary.recorded->max_delay_s},
                           {"first_late_job", summary.recorded->first_late_job}};
  }
  OutputFile file(path);
  file.buffer() = out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  file.close();
}

}  // namespace berth
