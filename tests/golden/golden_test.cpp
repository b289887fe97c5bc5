// Every case of tests/golden, to the second, through the library and through the binary. The
// expected times come from an independent simulator (tests/golden/README.md).
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/engine/engine.hpp"
#include "sim/experiment/run.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"

namespace berth::test {
namespace {

namespace fs = std::filesystem;
const fs::path kFolder = fs::path(BERTH_SOURCE_DIR) / "tests" / "golden";

// As written in the README beside the files: policy name -> keys of the configuration.
std::vector<std::string> policy_keys(const std::string& policy) {
  if (policy == "fifo") return {"policy.order=fifo", "policy.backfill=none"};
  if (policy == "firstfit") return {"policy.order=fifo", "policy.backfill=greedy"};
  if (policy == "sjf") return {"policy.order=sjf", "policy.backfill=none"};
  if (policy == "srtf") return {"policy.order=srtf", "policy.backfill=greedy"};
  std::vector<std::string> keys{"policy.order=fifo"};
  const bool easy = policy.starts_with("easy");
  keys.push_back(std::string("policy.backfill=") + (easy ? "easy" : "conservative"));
  if (policy.ends_with("_replan")) keys.push_back("policy.conservative=replan");
  if (policy.ends_with("_compress")) keys.push_back("policy.conservative=compress");
  if (policy.find("_x2") != std::string::npos) {
    keys.push_back("policy.estimates.mode=factor");
    keys.push_back("policy.estimates.factor=2");
  }
  return keys;
}

struct Case {
  std::string workload;
  std::string policy;    // as in the file names
  std::string capacity;  // aggregate or gang
  std::string name() const { return workload + "_" + policy + "_" + capacity; }
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name(); }

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* workload : {"tiny", "w200", "w2000"}) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(kFolder / "expected" / workload)) {
      if (entry.path().extension() == ".csv") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      const std::string stem = file.stem().string();
      const std::size_t dot = stem.find('.');
      cases.push_back({workload, stem.substr(0, dot), stem.substr(dot + 1)});
    }
  }
  return cases;
}

class Golden : public testing::TestWithParam<Case> {
 protected:
  nlohmann::json expected_summary() const {
    const fs::path file = kFolder / "expected" / GetParam().workload / "summary.json";
    return nlohmann::json::parse(read_text(file))[GetParam().policy + "." + GetParam().capacity];
  }
  std::vector<std::string> keys() const {
    const nlohmann::json summary = expected_summary();
    std::vector<std::string> out = policy_keys(GetParam().policy);
    out.push_back("cluster.nodes=" + std::to_string(summary["nodes"].get<int>()));
    out.push_back("cluster.gpus_per_node=" + std::to_string(summary["gpus_per_node"].get<int>()));
    out.push_back(std::string("cluster.packing=") +
                  (GetParam().capacity == "gang" ? "gang" : "pool"));
    out.push_back("workload.trace.path=" +
                  (kFolder / "workloads" / (GetParam().workload + ".csv")).string());
    out.push_back("output.timeline=off");
    return out;
  }
  // job_id -> "start,end"
  std::map<std::string, std::string> expected_times() const {
    std::istringstream in(read_text(kFolder / "expected" / GetParam().workload /
                                    (GetParam().policy + "." + GetParam().capacity + ".csv")));
    std::map<std::string, std::string> out;
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line, "job_id,start_s,end_s");
    while (std::getline(in, line)) {
      const std::size_t comma = line.find(',');
      out[line.substr(0, comma)] = line.substr(comma + 1);
    }
    return out;
  }
};

TEST_P(Golden, LibraryAgreesInEveryStartAndEnd) {
  const TempFolder folder;
  write_text(folder.path() / "golden.yaml", "{}\n");
  RunSpec spec({folder.path() / "golden.yaml", keys()});
  const Workload workload = load_workload(spec);
  JobOutcomes outcomes(workload.jobs->size());
  PolicyParts& parts = spec.parts();
  Engine engine(workload.shaped,
                {*parts.scheduler, *parts.placement, *parts.estimates, {&outcomes}});
  engine.run();
  const auto expected = expected_times();
  ASSERT_EQ(workload.jobs->size(), expected.size());
  for (std::uint32_t i = 0; i < workload.jobs->size(); ++i) {
    const std::string id(workload.jobs->id_of((*workload.jobs)[JobId(i)]));
    std::string times;
    append_seconds(times, outcomes[JobId(i)].first_start.time_since_epoch());
    times += ',';
    append_seconds(times, outcomes[JobId(i)].end.time_since_epoch());
    EXPECT_EQ(times, expected.at(id)) << "job " << id;
  }
}

TEST_P(Golden, BinaryAgreesInEveryStartAndEndAndInTheSums) {
  const TempFolder folder;
  write_text(folder.path() / "golden.yaml", "name: golden\n");
  std::vector<std::string> words{"run", "golden.yaml", "--out", "out"};
  for (const std::string& key : keys()) {
    words.push_back("--set");
    words.push_back(key);
  }
  const ProcessResult result = run_berth(words, {.folder = folder.path()});
  ASSERT_EQ(result.status, 0) << result.err;

  const auto expected = expected_times();
  std::istringstream jobs(read_text(folder.path() / "out" / "jobs.csv"));
  std::string line;
  std::getline(jobs, line);
  ASSERT_EQ(line,
            "job_id,user,type,gpus,nodes,submit_s,start_s,end_s,queue_s,jct_s,state,attempts,"
            "preemptions,lost_gpu_s");
  std::size_t rows = 0;
  while (std::getline(jobs, line)) {
    std::vector<std::string> fields;
    std::istringstream split(line);
    for (std::string field; std::getline(split, field, ',');) fields.push_back(field);
    ASSERT_EQ(fields.size(), 14u) << line;
    EXPECT_EQ(fields[6] + "," + fields[7], expected.at(fields[0])) << "job " << fields[0];
    ++rows;
  }
  EXPECT_EQ(rows, expected.size());

  const auto summary = nlohmann::json::parse(read_text(folder.path() / "out" / "summary.json"));
  const auto golden = expected_summary();
  const auto& all = summary["metrics"]["all"];
  EXPECT_NEAR(all["queue_mean_s"].get<double>(), golden["queue_mean_s"].get<double>(), 1e-6);
  EXPECT_NEAR(all["queue_median_s"].get<double>(), golden["queue_median_s"].get<double>(), 1e-6);
  EXPECT_NEAR(all["queue_max_s"].get<double>(), golden["queue_max_s"].get<double>(), 1e-6);
  EXPECT_NEAR(all["jct_mean_s"].get<double>(), golden["jct_mean_s"].get<double>(), 1e-6);
  EXPECT_NEAR(all["allocated_gpu_h"].get<double>() * 3600, golden["busy_gpu_s"].get<double>(),
              1e-3);
  EXPECT_NEAR(summary["cluster"]["makespan_s"].get<double>(), golden["makespan_s"].get<double>(),
              1e-6);
  EXPECT_NEAR(summary["cluster"]["gpu_utilization_pct"].get<double>(),
              100 * golden["gpu_utilization"].get<double>(), 1e-9);
  EXPECT_EQ(summary["jobs"]["preemptions"].get<int>(), golden["preemptions"].get<int>());
}

std::string case_name(const testing::TestParamInfo<Case>& parameter) {
  return parameter.param.name();
}

INSTANTIATE_TEST_SUITE_P(All, Golden, testing::ValuesIn(all_cases()), case_name);

TEST(GoldenFolder, HasAllFortyEightCases) { EXPECT_EQ(all_cases().size(), 48u); }

}  // namespace
}  // namespace berth::test
