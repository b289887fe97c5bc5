// Public tables read through the mappings that come with Berth (configs/traces), whole, and
// replayed. What is expected is counted from the files by awk.
#include <nlohmann/json.hpp>

#include "tests/shared/shared_data.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

using Json = nlohmann::json;

class CsvTraces : public SharedData {
 protected:
  // What `berth inspect` says of the trace under its mapping.
  Json inspect(const std::string& mapping, const std::string& file,
               std::vector<std::string> more = {}) {
    std::vector<std::string> words{"inspect",
                                   (shared_ / "data/traces" / file).string(),
                                   "--quiet",
                                   "--json",
                                   "out.json",
                                   "--set",
                                   "workload=" BERTH_SOURCE_DIR "/configs/traces/" + mapping};
    for (const std::string& each : more) {
      words.emplace_back("--set");
      words.push_back(each);
    }
    const ProcessResult result = run_berth(words, {.folder = folder_.path()});
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(read_text(folder_.path() / "out.json"))["traces"][0];
  }
  // The summary of a run.
  Json run(const std::string& mapping, const std::string& file, const std::string& cluster,
           const std::string& policy) {
    folder_.write("run.yaml", "workload: " BERTH_SOURCE_DIR "/configs/traces/" + mapping + "\n");
    const ProcessResult result =
        run_berth({"run", "run.yaml", "--out", "out", "--set",
                   "workload.trace.path=" + (shared_ / "data/traces" / file).string(), "--set",
                   "cluster=" + cluster, "--set", "policy=" + policy},
                  {.folder = folder_.path()});
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(read_text(folder_.path() / "out/summary.json"));
  }
  TempFolder folder_;
};

double pct(const Json& groups, const std::string& name, const char* key) {
  for (const Json& group : groups) {
    if (group["name"] == name) return group[key];
  }
  return -1;
}

// zcat philly_sia.csv.gz | awk -F, 'NR>1 && NF && !s[$0]++' leaves 82,182 rows; over those
// {g+=$3; s+=$2*$3; vc[$5]++; if($3==1) o++}.
TEST_F(CsvTraces, PhillyAsReducedBySiaIsReadWhole) {
  const Json trace = inspect("philly_sia.yaml", "philly/philly_sia.csv.gz");
  EXPECT_EQ(trace["trace"]["rows"], 82'247);
  EXPECT_EQ(trace["trace"]["verdicts"]["kept"], 82'182);
  ASSERT_EQ(trace["trace"]["verdicts"]["dropped"].size(), 1U);
  EXPECT_EQ(trace["trace"]["verdicts"]["dropped"][0]["rows"], 65);
  EXPECT_EQ(trace["trace"]["verdicts"]["dropped"][0]["example"],
            "philly_sia.csv.gz:35739: the same as line 35724");
  EXPECT_EQ(trace["jobs"]["gpu"], 82'182);
  EXPECT_NEAR(trace["gpu_h"].get<double>(), 3'521'059'022 / 3600.0, 1e-6);
  EXPECT_NEAR(pct(trace["by_size"], "1", "jobs"), 76'565, 0);
  EXPECT_NEAR(pct(trace["by_size"], "1", "gpu_time_pct"), 100.0 * 636'060'904 / 3'521'059'022.0,
              1e-9);
  EXPECT_EQ(trace["by_vc"].size(), 15U);
  EXPECT_EQ(pct(trace["by_vc"], "6214e9", "jobs"), 41'193);
  EXPECT_EQ(pct(trace["by_vc"], "11cb48", "jobs"), 16'076);
  EXPECT_EQ(pct(trace["by_vc"], "795a4c", "jobs"), 3);
  // Hours of submission, as the file writes them: substr($1,12,2).
  EXPECT_EQ(trace["arrivals"]["by_hour"][5]["jobs"], 3945);
  EXPECT_EQ(trace["arrivals"]["by_hour"][14]["jobs"], 2181);
  // The longest, of the data's README.
  EXPECT_EQ(trace["types"][0]["run_s"]["max"], 4'628'226);
  EXPECT_TRUE(trace["load"].is_null());
}

TEST_F(CsvTraces, DuplicatesOfPhillyMayStay) {
  const Json kept =
      inspect("philly_sia.yaml", "philly/philly_sia.csv.gz", {"workload.duplicates=keep"});
  EXPECT_EQ(kept["jobs"]["all"], 82'247);
  EXPECT_EQ(kept["trace"]["verdicts"]["fixed"][1]["rows"], 65);
}

TEST_F(CsvTraces, PhillyReplays) {
  for (const char* policy : {"{order: fifo, backfill: easy}", "{order: sjf, backfill: none}"}) {
    const Json summary = run("philly_sia.yaml", "philly/philly_sia.csv.gz",
                             "{nodes: 321, gpus_per_node: 8}", policy);
    EXPECT_EQ(summary["jobs"]["submitted"], 82'182);
    EXPECT_EQ(summary["jobs"]["finished"], 82'182);
    EXPECT_NEAR(summary["metrics"]["all"]["allocated_gpu_h"].get<double>(), 3'521'059'022 / 3600.0,
                1e-6);
    EXPECT_EQ(summary["trace"]["verdicts"]["dropped"][0]["rows"], 65);
  }
}

TEST_F(CsvTraces, GavelIsReadWhole) {
  // awk -F'\t' '{n++; s+=$5*$7}': 100 ms a step.
  Json trace = inspect("gavel.yaml", "gavel/23dbec.trace");
  EXPECT_EQ(trace["jobs"]["all"], 9);
  EXPECT_NEAR(trace["gpu_h"].get<double>(), 36949754 * 0.1 / 3600, 1e-6);
  trace = inspect("gavel.yaml", "gavel/51b7ef.trace");
  EXPECT_EQ(trace["jobs"]["all"], 18);
  EXPECT_NEAR(trace["gpu_h"].get<double>(), 77516621 * 0.1 / 3600, 1e-6);
  EXPECT_FALSE(trace["trace"]["first_submit_utc"].is_string());
  trace =
      inspect("gavel.yaml", "gavel/small_test.trace",
              {"workload.trace.columns={type: 1, duration: 6, gpus: 7, priority: 8, submit: 10}"});
  EXPECT_EQ(trace["jobs"]["all"], 20);
  EXPECT_NEAR(trace["gpu_h"].get<double>(), 67723 * 0.1 / 3600, 1e-6);
}

constexpr const char* kBatsim = "batsim/medium_late/easy/out_jobs.csv";
constexpr const char* kMachines = "{nodes: 32, gpus_per_node: 1, packing: pool}";

// awk -F, 'NR>1{s+=($10-$8)*$5; w+=$11} END{print s, w/801}'. As Batsim ran them the jobs
// wait 9.516326 s; anew, under an EASY that counts machines, they wait as long as
// count_based_easy.py has them wait. (golden/batsim_identity.py speaks of 8.680998 s and 78 other
// starts for such an EASY, without its rules; those of docs/semantics.md give 8.672884 s and 76.)
TEST_F(CsvTraces, BatsimsScheduleIsReplayedAndItsJobsScheduledAnew) {
  const Json trace = inspect("batsim_jobs.yaml", kBatsim);
  EXPECT_EQ(trace["jobs"]["all"], 801);
  EXPECT_NEAR(trace["gpu_h"].get<double>(), 256450.464 / 3600, 1e-3);
  for (const Json& test : trace["trace"]["column_tests"]) {
    EXPECT_EQ(test["agreements"].back()["rows"], 0) << test;  // no row fits neither
  }
  EXPECT_EQ(trace["trace"]["column_tests"].size(), 2U);

  const Json recorded = run("batsim_jobs.yaml", kBatsim, kMachines, "{order: recorded}");
  EXPECT_EQ(recorded["recorded_fit"]["late_jobs"], 0);
  EXPECT_NEAR(recorded["metrics"]["all"]["queue_mean_s"].get<double>(), 9.516326, 1e-3);
  const std::string before = read_text(folder_.path() / "out/jobs.csv");

  const Json easy = run("batsim_jobs.yaml", kBatsim, kMachines,
                        "{order: fifo, backfill: easy, estimates: {mode: limit}}");
  EXPECT_EQ(easy["jobs"]["finished"], 801);
  const ProcessResult twin =
      run_process({"/usr/bin/env", "python3", BERTH_SOURCE_DIR "/tests/shared/count_based_easy.py",
                   (shared_ / "data/traces" / kBatsim).string(), "32"});
  ASSERT_EQ(twin.status, 0) << twin.err;
  std::istringstream expected(twin.out);
  double mean_wait_s = 0;
  int expected_others = 0;
  ASSERT_TRUE(expected >> mean_wait_s >> expected_others) << twin.out;
  EXPECT_NEAR(easy["metrics"]["all"]["queue_mean_s"].get<double>(), mean_wait_s, 1e-9);
  // Starts that differ by more than the rounding to milliseconds.
  const auto starts_of = [](const std::string& text) {
    std::map<std::string, double> out;
    std::istringstream in(text);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      std::istringstream fields(line);
      std::vector<std::string> row;
      for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
      out[row[0]] = std::stod(row[6]);
    }
    return out;
  };
  const auto theirs = starts_of(before);
  int others = 0;
  for (const auto& [job, start] : starts_of(read_text(folder_.path() / "out/jobs.csv"))) {
    others += std::abs(theirs.at(job) - start) > 0.1 ? 1 : 0;
  }
  EXPECT_EQ(others, expected_others);
}

TEST_F(CsvTraces, ACalendarOfQuotasIsNoTraceOfJobs) {
  const ProcessResult result =
      run_berth({"inspect", (shared_ / "data/traces/helios/Earth_gpu_number.csv").string()},
                {.folder = folder_.path()});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("no known format: it begins with \"date,vchbv,"), std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace berth::test
