// `berth inspect` from outside: what it prints and writes, and how it fails.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"

namespace berth::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kTrace =
    "job_id,user,gpu_num,type,state,submit_time,start_time,end_time\n"
    "a,ann,8,SFT,COMPLETED,2023-03-01 00:00:00Z,2023-03-01 00:00:00Z,2023-03-01 01:00:00Z\n"
    "b,bob,4,Eval,FAILED,2023-03-01 00:00:02Z,2023-03-01 01:00:00Z,2023-03-01 01:30:00Z\n"
    "b,bob,4,Eval,FAILED,2023-03-01 00:00:02Z,2023-03-01 01:00:00Z,2023-03-01 01:30:00Z\n"
    "c,bob,4,Eval,FAILED,2023-03-01 00:00:02Z,2023-03-01 01:00:00Z,2023-03-01 00:30:00Z\n";

class InspectCommand : public testing::Test {
 protected:
  void SetUp() override { folder_.write("t.csv", kTrace); }
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  ProcessResult inspect(std::vector<std::string> words) {
    words.insert(words.begin(), "inspect");
    return run_berth(std::move(words), {.folder = folder_.path()});
  }
  TempFolder folder_;
};

TEST_F(InspectCommand, PrintsTablesAndEveryVerdict) {
  const ProcessResult result = inspect({"t.csv", "--cluster", "seren"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  for (const char* text :
       {"GPU jobs by type", "SFT   1   50.0   80.0", "Eval  1   50.0   20.0",
        "dropped 1 row: duplicate: every column as in an earlier row (duplicates: drop) "
        "(t.csv:4: the same as line 3)",
        "dropped 1 row: faulty (bad_rows: skip) (t.csv:5:", "GPUs of the cluster", "2,288"}) {
    EXPECT_NE(result.out.find(text), std::string::npos) << text << "\nin\n" << result.out;
  }
}

TEST_F(InspectCommand, WritesJsonAndCurves) {
  const ProcessResult result =
      inspect({"t.csv", "t.csv", "--quiet", "--json", "t.json", "--csv", "curves"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "");
  const Json json = Json::parse(read_text(path("t.json")));
  ASSERT_EQ(json["traces"].size(), 2U);
  EXPECT_EQ(json["traces"][0]["name"], "t.csv");
  EXPECT_EQ(json["traces"][1]["name"], "t.csv #2");
  EXPECT_EQ(json["traces"][0]["jobs"]["gpu"], 2);
  // 8 GPU-hours of SFT, 2 of Eval.
  EXPECT_EQ(json["traces"][0]["gpu_h"], 10);
  EXPECT_EQ(json["traces"][0]["by_type"][0]["gpu_h"], 8);
  EXPECT_EQ(json["traces"][0]["trace"]["verdicts"]["kept"], 2);
  EXPECT_EQ(json["traces"][0]["load"]["gpus"], Json::parse("[8.0, 4.0]"));
  EXPECT_EQ(read_text(path("curves/load.csv")),
            "trace,time_s,mean_gpus\nt.csv,0,8\nt.csv,3600,4\nt.csv #2,0,8\nt.csv #2,3600,4\n");
  EXPECT_EQ(read_text(path("curves/gpu_time_cdf.csv")),
            "trace,gpus,cdf_pct\nt.csv,4,20\nt.csv,8,100\nt.csv #2,4,20\nt.csv #2,8,100\n");
  EXPECT_EQ(read_text(path("curves/days.csv")),
            "trace,date,jobs,gpu_jobs\nt.csv,2023-03-01,2,2\nt.csv #2,2023-03-01,2,2\n");
  int files = 0;
  for (const auto& entry : fs::directory_iterator(path("curves"))) {
    ++files;
    const std::string text = read_text(entry.path());
    EXPECT_EQ(text.substr(0, 6), "trace,") << entry.path();
    EXPECT_GT(std::ranges::count(text, '\n'), 2) << entry.path();
  }
  EXPECT_EQ(files, 10);
}

TEST_F(InspectCommand, TakesAMappingAConfigurationAndTransforms) {
  folder_.write("own.csv", "when,gpus,secs\n2024-01-01 00:00:00,2,60\n2024-01-01 00:01:00,4,60\n");
  folder_.write("own.yaml",
                "workload:\n  trace: {format: csv, path: own.csv, timezone: UTC, columns: {submit: "
                "when, gpus: gpus, duration: secs}}\n  transforms: [{filter: {expression: 'gpus > "
                "2'}}]\ncluster: {nodes: 1, gpus_per_node: 8}\n");
  ProcessResult result = inspect({"own.yaml", "--json", "o.json"});
  ASSERT_EQ(result.status, 0) << result.err;
  Json json = Json::parse(read_text(path("o.json")));
  EXPECT_EQ(json["traces"][0]["jobs"]["all"], 1);
  EXPECT_EQ(json["traces"][0]["transforms"].size(), 1U);
  EXPECT_TRUE(json["traces"][0]["load"].is_null());
  folder_.write("map.yaml",
                "trace: {format: csv, timezone: UTC, columns: {submit: when, gpus: gpus, duration: "
                "secs}}\n");
  result = inspect({"own.csv", "--set", "workload=map.yaml", "--json", "o.json"});
  ASSERT_EQ(result.status, 0) << result.err;
  json = Json::parse(read_text(path("o.json")));
  EXPECT_EQ(json["traces"][0]["jobs"]["all"], 2);
}

// A rename would put a file in the place of a pipe or a device. Pipes only: a test that fails must
// not cost the machine a device.
TEST_F(InspectCommand, ReplacesNothingButRegularFiles) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const ProcessResult pipe = inspect({"t.csv", "--json", "pipe"});
  EXPECT_EQ(pipe.status, 2);
  EXPECT_NE(pipe.err.find("pipe is not a regular file"), std::string::npos) << pipe.err;
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  fs::create_symlink("pipe", path("to_pipe"));
  EXPECT_EQ(inspect({"t.csv", "--json", "to_pipe"}).status, 2);
  EXPECT_TRUE(fs::is_symlink(path("to_pipe")));
  fs::create_directory(path("curves"));
  ASSERT_EQ(::mkfifo(path("curves/shares.csv").c_str(), 0600), 0);
  EXPECT_EQ(inspect({"t.csv", "--csv", "curves"}).status, 2);
  EXPECT_TRUE(fs::is_fifo(path("curves/shares.csv")));
  EXPECT_NE(inspect({"t.csv", "--json", "curves"}).err.find("is a folder; name a file in it"),
            std::string::npos);
  // Through a link to a file, which stays a link.
  folder_.write("old.json", "old");
  fs::create_symlink("old.json", path("link.json"));
  const ProcessResult link = inspect({"t.csv", "--json", "link.json"});
  EXPECT_EQ(link.status, 0) << link.err;
  EXPECT_TRUE(fs::is_symlink(path("link.json")));
  EXPECT_TRUE(Json::accept(read_text(path("old.json"))));
  const ProcessResult absent = inspect({"t.csv", "--json", "absent/x.json"});
  EXPECT_EQ(absent.status, 3);
  EXPECT_NE(absent.err.find("there is no folder absent"), std::string::npos) << absent.err;
}

TEST_F(InspectCommand, RefusesOverridesThatItWouldNotHeed) {
  for (const auto& [words, said] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"t.csv", "--set", "policy.order=banana"}, "only keys of the workload section"},
           {{"t.csv", "--cluster", "seren", "--set", "cluster.nodes=4"},
            "only keys of the workload"},
           {{"t.csv", "--set", "workloads.trace.format=acme"}, "only keys of the workload"},
           {{"t.csv", "--set", "workload.trace.path=other.csv"}, "the trace is already named"},
           {{"t.csv", "--format", "acme", "--set", "workload.trace.format=swf"},
            "--format says it"},
       }) {
    const ProcessResult result = inspect(words);
    EXPECT_EQ(result.status, 2) << words.back();
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(said), std::string::npos) << result.err;
  }
}

TEST_F(InspectCommand, FailsWithAMessage) {
  struct Case {
    std::vector<std::string> words;
    int status;
    const char* message;
  };
  folder_.write("nothing.csv", "a,b\n");
  for (const Case& each :
       {Case{{}, 2, "which trace?"}, Case{{"missing.csv"}, 3, "missing.csv"},
        Case{{"nothing.csv"}, 3, "no known format"},
        Case{{"t.csv", "--format", "acmee"}, 2, "acme"},
        Case{{"t.csv", "--cluster", "serem"}, 2, "did you mean \"seren\"?"},
        Case{{"t.csv", "--cluster", "missing.yaml"}, 2, "missing.yaml"},
        Case{{"t.csv", "--top", "0"}, 2, "--top 0; expected a whole number from 1 to 1000"},
        Case{{"t.csv", "--json", "t.csv"}, 2, "is an input and would be replaced"},
        Case{{"t.csv", "--json", "no/such/folder.json"}, 3, "cannot write"},
        Case{{"t.csv", "--csv", "t.csv"}, 3, "cannot write to t.csv"},
        Case{{"t.csv", "--set", "workload.bad_rowz=skip"}, 2, "bad_rowz"},
        Case{{"t.csv", "--set", "workload.bad_rows=error"}, 3, "t.csv:5:"},
        Case{{"t.csv", "--frmat", "acme"}, 2, "frmat"}}) {
    const ProcessResult result = inspect(each.words);
    EXPECT_EQ(result.status, each.status) << result.err;
    EXPECT_NE(result.err.find(each.message), std::string::npos) << each.message << "\nin\n"
                                                                << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_LE(std::ranges::count(result.err, '\n'), 2) << result.err;
  }
  EXPECT_EQ(read_text(path("t.csv")), kTrace);
}

}  // namespace
}  // namespace berth::test
