// The pods of Alibaba's GPU-sharing cluster, whole, and replayed. What is expected is counted from
// the file by awk -F, on its rows without the header.
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "sim/cluster/cluster_spec.hpp"
#include "tests/shared/shared_data.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

using std::chrono::seconds;

class Openb : public SharedData {
 protected:
  std::filesystem::path pods() const { return shared_ / "data/openb/openb_pod_list_default.csv"; }
  LoadedTrace load(FractionRule rule) const {
    TraceOptions options;
    options.fractional = rule;
    return load_trace("openb", pods(), options);
  }
};

struct Sums {
  std::uint64_t parts = 0;
  std::uint64_t cpus = 0;
  std::uint64_t memory_mib = 0;
  std::int64_t run_s = 0;
  std::int64_t wait_s = 0;
  std::int64_t part_s = 0;
  std::uint64_t waiting = 0;
  std::uint64_t cpu_only = 0;
};

Sums sums_of(const JobTable& table) {
  Sums out;
  for (const Job& job : table.jobs()) {
    out.parts += job.gpu_parts;
    out.cpus += job.cpus;
    out.memory_mib += job.memory_mib;
    out.cpu_only += job.gpu_parts == 0 ? 1 : 0;
    out.waiting += job.never_started ? 1 : 0;
    if (job.never_started) continue;
    out.run_s += to_ms(job.run) / 1000;
    out.wait_s += to_ms(job.recorded_start - job.submit) / 1000;
    out.part_s += to_ms(job.run) / 1000 * job.gpu_parts;
  }
  return out;
}

TEST_F(Openb, IsReadWhole) {
  const LoadedTrace trace = load(FractionRule::kRoundUp);
  EXPECT_EQ(trace.report.rows, 8152U);
  EXPECT_EQ(trace.report.kept, 8152U);
  const Sums sums = sums_of(trace.table);
  EXPECT_EQ(sums.parts, 7433U);              // {g+=$4}
  EXPECT_EQ(sums.cpus, 88'697U);             // {c+=int(($2+999)/1000)}
  EXPECT_EQ(sums.memory_mib, 303'546'211U);  // {m+=$3}
  EXPECT_EQ(sums.cpu_only, 1088U);           // $4==0
  EXPECT_EQ(sums.waiting, 897U);             // $11==""
  EXPECT_EQ(sums.run_s, 210'028'342);        // $11!="" {r+=$10-$11}
  EXPECT_EQ(sums.wait_s, 444'748);           // $11!="" {w+=$11-$9}
  EXPECT_EQ(sums.part_s, 214'603'958);       // $11!="" {s+=$4*($10-$11)}
  std::map<std::string, int> phases;
  std::map<std::string, int> priorities;
  for (const Job& job : trace.table.jobs()) {
    ++phases[std::string(name(job.state))];
    ++priorities[trace.table.trait_names().priorities.name(trace.table.traits_of(job).priority)];
  }
  // As the data set's own description counts them; Pending is kept as CANCELLED.
  EXPECT_EQ(phases,
            (std::map<std::string, int>{
                {"RUNNING", 5193}, {"FAILED", 1870}, {"CANCELLED", 897}, {"COMPLETED", 192}}));
  EXPECT_EQ(priorities, (std::map<std::string, int>{
                            {"BE", 3398}, {"Burstable", 100}, {"Guaranteed", 7}, {"LS", 4647}}));
  // openb-pod-4998,32000,49152,0,0,,BE,Running,11979976,11980124,11979979, line 5000.
  const auto jobs = trace.table.jobs();
  const auto row = std::ranges::find(jobs, 5000U, &Job::line);
  ASSERT_NE(row, jobs.end());
  EXPECT_EQ(trace.table.id_of(*row), "openb-pod-4998");
  EXPECT_EQ(row->submit, SimTime(seconds(11'979'976)));
  EXPECT_EQ(row->recorded_start, SimTime(seconds(11'979'979)));
  EXPECT_EQ(row->run, seconds(145));
  EXPECT_EQ(row->cpus, 32U);
}

TEST_F(Openb, EachRuleForFractionsHasItsSums) {
  const Sums shared = sums_of(load(FractionRule::kShare).table);
  EXPECT_EQ(shared.parts, 6'086'800U);        // {m+=$4*$5}
  EXPECT_EQ(shared.part_s, 185'294'426'970);  // $11!="" {s+=$4*$5*($10-$11)}
  const LoadedTrace skipped = load(FractionRule::kSkip);
  EXPECT_EQ(skipped.table.size(), 5074U);  // !($4==1 && $5<1000)
  EXPECT_EQ(skipped.report.dropped.at(0).rows, 3078U);
  EXPECT_EQ(sums_of(skipped.table).part_s, 159'815'474);
}

// The preset's groups are the rows of the list of nodes, kind by kind.
TEST_F(Openb, ThePresetIsTheListOfNodes) {
  std::ifstream in(shared_ / "data/openb/openb_node_list_gpu_node.csv");
  std::string line;
  std::getline(in, line);
  ASSERT_EQ(line, "sn,cpu_milli,memory_mib,gpu,model");
  // Model, GPUs, CPUs, MiB.
  using Kind = std::tuple<std::string, unsigned, unsigned, std::uint64_t>;
  std::map<Kind, unsigned> listed;
  while (std::getline(in, line)) {
    std::istringstream row(line);
    std::string field[5];
    for (std::string& each : field) std::getline(row, each, ',');
    ++listed[{field[4], std::stoul(field[3]), std::stoul(field[1]) / 1000, std::stoull(field[2])}];
  }
  ConfigReader config(load_config(BERTH_SOURCE_DIR "/configs/clusters/openb.yaml", {}, {}));
  const ClusterSpec cluster = read_cluster(config.root());
  config.throw_if_errors();
  std::map<Kind, unsigned> preset;
  for (const NodeGroup& group : cluster.groups) {
    preset[{group.gpu_model, group.gpus_per_node, group.cpus_per_node, group.memory_mib_per_node}] =
        group.nodes;
  }
  EXPECT_EQ(preset, listed);
  EXPECT_EQ(cluster.total_nodes(), 1213U);  // models.md, 6, and the data's own description
  EXPECT_EQ(cluster.total_gpus(), 6212U);
}

// GPU time is that of the sums above, whatever the order; every pod is accounted for.
TEST_F(Openb, Replays) {
  const TempFolder folder;
  folder.write("run.yaml", "cluster: " BERTH_SOURCE_DIR
                           "/configs/clusters/openb.yaml\n"
                           "workload: {trace: {path: " +
                               pods().string() + "}}\n");
  struct Case {
    const char* rule;
    const char* policy;
    int jobs;
    int pending;  // $11==""; of those kept
    double gpu_seconds;
  };
  for (const Case& each :
       {Case{"round_up", "policy={order: fifo, backfill: none}", 8152, 897, 214'603'958.0},
        Case{"share", "policy={order: fifo, backfill: easy}", 8152, 897, 185'294'426.970},
        Case{"skip", "policy={order: recorded}", 5074, 392, 159'815'474.0}}) {
    SCOPED_TRACE(each.rule);
    const ProcessResult result =
        run_berth({"run", "run.yaml", "--out", "out", "--set",
                   std::string("workload.fractional=") + each.rule, "--set", each.policy},
                  {.folder = folder.path()});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto summary = nlohmann::json::parse(read_text(folder.path() / "out/summary.json"));
    EXPECT_EQ(summary["trace"]["format"], "openb");
    EXPECT_EQ(summary["jobs"]["submitted"], each.jobs);
    EXPECT_EQ(summary["jobs"]["finished"], each.jobs - each.pending);
    EXPECT_EQ(summary["jobs"]["never_started"], each.pending);
    EXPECT_NEAR(summary["metrics"]["all"]["allocated_gpu_h"].get<double>(), each.gpu_seconds / 3600,
                1e-6);
  }
}

}  // namespace
}  // namespace berth::test
