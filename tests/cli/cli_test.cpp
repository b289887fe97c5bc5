// The program from outside: files, columns, bytes, exit statuses, interrupts.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"

namespace berth::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// One node of 8 GPUs. By hand, first come first served:
//   a  8 GPUs at 0 s for 10 s            runs 0-10
//   b  4 GPUs at 2 s for 20 s            waits for a, runs 10-30
//   c  8 GPUs at 3 s for 5.5 s           waits for b, runs 30-35.5
//   d  1 GPU  at 4 s for 6 s             behind c: runs 35.5-41.5 (greedy: with b, 10-16)
//   e  never started, f asks for 0 GPUs at 60 s for 0 s
constexpr const char* kTrace =
    "job_id,user,gpu_num,type,state,submit_time,start_time,end_time,extra\n"
    "a,ann,8,SFT,COMPLETED,2023-03-01 00:00:00Z,2023-03-01 00:00:00Z,2023-03-01 00:00:10Z,x\n"
    "b,bob,4,Eval,FAILED,2023-03-01 00:00:02Z,2023-03-01 00:00:02Z,2023-03-01 00:00:22Z,x\n"
    "c,ann,8,Evaluation,CANCELLED,2023-03-01 00:00:03Z,2023-03-01 00:00:03Z,"
    "2023-03-01 00:00:08.5Z,x\n"
    "d,\"o'neil, sean\",1,Mystery,COMPLETED,2023-03-01 00:00:04Z,2023-03-01 00:00:04Z,"
    "2023-03-01 00:00:10Z,x\n"
    "e,bob,8,Eval,CANCELLED,2023-03-01 00:00:05Z,,2023-03-01 00:00:09Z,x\n"
    "f,bob,0,CPU,TIMEOUT,2023-03-01 00:01:00Z,2023-03-01 00:01:00Z,2023-03-01 00:01:00Z,x\n";

class Cli : public testing::Test {
 protected:
  void SetUp() override {
    write_text(path("trace.csv"), kTrace);
    write_text(path("run.yaml"),
               "cluster: {nodes: 1, gpus_per_node: 8}\n"
               "workload: {trace: {format: acme, path: trace.csv}}\n"
               "policy: {order: fifo, backfill: none}\n"
               "output: {timeline: 20s}\n");
  }
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  ProcessResult berth(std::vector<std::string> words) {
    return run_berth(std::move(words), {.folder = folder_.path()});
  }
  void run_to(const std::string& out, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"run", "run.yaml", "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    const ProcessResult result = berth(words);
    ASSERT_EQ(result.status, 0) << result.err;
  }
  Json summary(const std::string& out) const {
    return Json::parse(read_text(path(out) / "summary.json"));
  }
  // Everything in the folder, hidden files included.
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      out.push_back(entry.path().filename().string());
    }
    std::ranges::sort(out);
    return out;
  }
  TempFolder folder_;
};

TEST_F(Cli, JobsCsvIsWhatTheHandSays) {
  run_to("out");
  EXPECT_EQ(read_text(path("out/jobs.csv")),
            "job_id,user,type,gpus,nodes,submit_s,start_s,end_s,queue_s,jct_s,state,attempts,"
            "preemptions,lost_gpu_s\n"
            "a,ann,SFT,8,1,0,0,10,0,10,COMPLETED,1,0,0\n"
            "b,bob,Eval,4,1,2,10,30,8,28,FAILED,1,0,0\n"
            "c,ann,Eval,8,1,3,30,35.5,27,32.5,CANCELLED,1,0,0\n"
            "d,\"o'neil, sean\",Mystery,1,1,4,35.5,41.5,31.5,37.5,COMPLETED,1,0,0\n"
            "e,bob,Eval,8,1,5,,,,,CANCELLED,0,0,0\n"
            "f,bob,CPU,0,0,60,60,60,0,0,TIMEOUT,1,0,0\n");
}

TEST_F(Cli, SummaryIsWhatTheHandSays) {
  run_to("out");
  const Json json = summary("out");
  EXPECT_EQ(json["jobs"]["submitted"], 6);
  EXPECT_EQ(json["jobs"]["finished"], 5);
  EXPECT_EQ(json["jobs"]["never_started"], 1);
  EXPECT_EQ(json["jobs"]["unfinished"], 0);
  EXPECT_EQ(json["jobs"]["rejected"], 0);
  const Json& all = json["metrics"]["all"];
  // Waits 0, 8, 27, 31.5, 0.
  EXPECT_DOUBLE_EQ(all["queue_mean_s"].get<double>(), 66.5 / 5);
  EXPECT_DOUBLE_EQ(all["queue_median_s"].get<double>(), 8);
  // Type 7: position 0.9 x 4 = 3.6 between 27 and 31.5.
  EXPECT_DOUBLE_EQ(all["queue_p90_s"].get<double>(), 27 + 0.6 * 4.5);
  EXPECT_DOUBLE_EQ(all["queue_max_s"].get<double>(), 31.5);
  EXPECT_DOUBLE_EQ(all["jct_mean_s"].get<double>(), (10 + 28 + 32.5 + 37.5 + 0) / 5);
  // max(1, jct / max(run, 10)): 1, 28/20, 32.5/10, 37.5/10, 1.
  EXPECT_DOUBLE_EQ(all["bounded_slowdown_mean"].get<double>(), (1 + 1.4 + 3.25 + 3.75 + 1) / 5);
  // 8 x 10 + 4 x 20 + 8 x 5.5 + 1 x 6 = 210 GPU-seconds.
  EXPECT_DOUBLE_EQ(all["allocated_gpu_h"].get<double>(), 210.0 / 3600);
  EXPECT_DOUBLE_EQ(json["metrics"]["by_type"]["SFT"]["allocated_share_pct"].get<double>(),
                   100 * 80.0 / 210);
  EXPECT_DOUBLE_EQ(json["metrics"]["by_type"]["Eval"]["queue_mean_s"].get<double>(), 17.5);
  EXPECT_DOUBLE_EQ(json["cluster"]["makespan_s"].get<double>(), 60);
  EXPECT_DOUBLE_EQ(json["cluster"]["gpu_utilization_pct"].get<double>(), 100 * 210.0 / (8 * 60));
  EXPECT_DOUBLE_EQ(json["cluster"]["offered_load_pct"].get<double>(), 100 * 210.0 / (8 * 60));
}

TEST_F(Cli, TimelineIsWhatTheHandSays) {
  run_to("out");
  EXPECT_EQ(read_text(path("out/timeline.csv")),
            "time_s,gpus_total,gpus_up,gpus_allocated,gpus_productive,jobs_pending,gpus_pending,"
            "jobs_running\n"
            "0,8,8,8,8,0,0,1\n"
            "20,8,8,4,4,2,9,1\n"
            "40,8,8,1,1,0,0,1\n"
            "60,8,8,0,0,0,0,0\n");
}

TEST_F(Cli, EventsTellEveryDecisionInOrder) {
  run_to("out", {"--set", "output.events=true"});
  std::istringstream lines(read_text(path("out/events.jsonl")));
  std::vector<std::string> story;
  for (std::string line; std::getline(lines, line);) {
    const Json event = Json::parse(line);
    story.push_back(event["event"].get<std::string>() + " " + event["job_id"].get<std::string>() +
                    " " + event["time_s"].dump());
    if (event["event"] == "started" && event["job_id"] == "a") {
      EXPECT_EQ(event["nodes"], Json::array({0}));
    }
  }
  const std::vector<std::string> expected{
      "submitted a 0",  "started a 0",     "submitted b 2",  "submitted c 3", "submitted d 4",
      "finished a 10",  "started b 10",    "finished b 30",  "started c 30",  "finished c 35.5",
      "started d 35.5", "finished d 41.5", "submitted f 60", "started f 60",  "finished f 60"};
  EXPECT_EQ(story, expected);
}

TEST_F(Cli, PerfettoTraceHasASliceAJobAndNode) {
  run_to("out", {"--set", "output.perfetto=true", "--set", "policy.backfill=greedy"});
  const Json trace = Json::parse(read_text(path("out/trace.perfetto.json")));
  std::map<std::string, Json> slices;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") slices[event["name"].get<std::string>()] = event;
  }
  ASSERT_EQ(slices.size(), 4u);  // f holds no node
  EXPECT_EQ(slices["b"]["ts"], 10'000'000);
  EXPECT_EQ(slices["b"]["dur"], 20'000'000);
  EXPECT_EQ(slices["d"]["ts"], 10'000'000);  // greedy: beside b, on a track of its own
  EXPECT_NE(slices["d"]["tid"], slices["b"]["tid"]);
  EXPECT_EQ(slices["b"]["pid"], 1);
}

TEST_F(Cli, SameBytesTwiceAndFromTheResolvedConfiguration) {
  run_to("one");
  run_to("two");
  ASSERT_EQ(berth({"run", "one/config.yaml", "--out", "three"}).status, 0);
  for (const char* file : {"config.yaml", "jobs.csv", "timeline.csv", "summary.json"}) {
    const std::string once = read_text(path("one") / file);
    EXPECT_EQ(once, read_text(path("two") / file)) << file;
    EXPECT_EQ(once, read_text(path("three") / file)) << file;
  }
}

// Also where an option has no meaning beside another, or says what is the default.
TEST_F(Cli, EveryResolvedConfigurationRunsAgain) {
  for (const char* workload :
       {"feedback: chains", "feedback: chains, chains: {source: recorded}",
        "feedback: chains, chains: {source: inferred, same: [type]}",
        "transforms: [window: {to: 1d}, sample: {jobs: 3}, repeat: {times: 2}]",
        "transforms: [window: {from: 0s, running: keep}, sample: {fraction: 0.5, by: user}]",
        "transforms: [replace_durations: {by: {fixed: 1h}}]",
        "transforms: [filter: {min_gpus: 1}, scale_durations: {factor: 2}]",
        "transforms: [insert: {jobs: [{id: mine, submit: 1s, gpus: 1, run: 1h}]}]"}) {
    SCOPED_TRACE(workload);
    folder_.write("resolve.yaml",
                  "cluster: {groups: [{gpu_model: T4, nodes: 1, gpus_per_node: 8},\n"
                  "                   {nodes: 1, gpus_per_node: 4}]}\n"
                  "workload: {trace: {path: trace.csv}, " +
                      std::string(workload) + "}\n");
    const ProcessResult first = berth({"run", "resolve.yaml", "--out", "first"});
    ASSERT_EQ(first.status, 0) << first.err;
    const ProcessResult again = berth({"run", "first/config.yaml", "--out", "again"});
    ASSERT_EQ(again.status, 0) << again.err;
    for (const char* file : {"summary.json", "jobs.csv", "timeline.csv"}) {
      EXPECT_EQ(read_text(path(std::string("first/") + file)),
                read_text(path(std::string("again/") + file)))
          << file;
    }
  }
}

TEST_F(Cli, AnOutputMoreChangesNoOther) {
  run_to("few", {"--set", "output.timeline=off"});
  run_to("all", {"--set", "output.events=true", "--set", "output.perfetto=true"});
  EXPECT_EQ(read_text(path("few/jobs.csv")), read_text(path("all/jobs.csv")));
  Json few = summary("few");
  Json all = summary("all");
  EXPECT_EQ(few["run"]["decision_digest"], all["run"]["decision_digest"]);
  EXPECT_NE(few["run"]["config_hash"], all["run"]["config_hash"]);
  few["run"].erase("config_hash");
  all["run"].erase("config_hash");
  EXPECT_EQ(few, all);
}

TEST_F(Cli, ACopyElsewhereHasTheSameIdentity) {
  run_to("here");
  const TempFolder other;
  fs::copy(path("trace.csv"), other.path() / "trace.csv");
  fs::copy(path("trace.csv"), other.path() / "renamed.csv");
  fs::copy(path("run.yaml"), other.path() / "run.yaml");
  const auto run_there = [&](const std::string& trace, const std::string& out) {
    const ProcessResult result =
        run_berth({"run", "run.yaml", "--out", out, "--set", "workload.trace.path=" + trace},
                  {.folder = other.path()});
    ASSERT_EQ(result.status, 0) << result.err;
  };
  run_there("trace.csv", "there");
  EXPECT_EQ(read_text(path("here/summary.json")), read_text(other.path() / "there/summary.json"));
  // The manifest names the file that was read, so only that differs.
  run_there("renamed.csv", "renamed");
  std::string renamed = read_text(other.path() / "renamed/summary.json");
  const std::size_t name = renamed.find("\"renamed.csv\"");
  ASSERT_NE(name, std::string::npos);
  renamed.replace(name, 13, "\"trace.csv\"");
  EXPECT_EQ(read_text(path("here/summary.json")), renamed);
}

TEST_F(Cli, CompressedTracesReplayAlike) {
  run_to("plain");
  ASSERT_EQ(run_process({"/bin/gzip", "-k", path("trace.csv").string()}).status, 0);
  run_to("packed", {"--set", "workload.trace.path=trace.csv.gz"});
  EXPECT_EQ(read_text(path("plain/jobs.csv")), read_text(path("packed/jobs.csv")));
}

TEST_F(Cli, DefaultFolderCarriesNameAndHash) {
  const ProcessResult result = berth({"run", "run.yaml"});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::vector<fs::path> made{fs::directory_iterator(path("results")), {}};
  ASSERT_EQ(made.size(), 1u);
  const Json json = Json::parse(read_text(made[0] / "summary.json"));
  EXPECT_EQ(made[0].filename().string(),
            "run-" + json["run"]["config_hash"].get<std::string>().substr(0, 8));
  EXPECT_NE(
      result.out.find("submitted 6 = finished 5 + rejected 0 + never started 1 + unfinished 0"),
      std::string::npos)
      << result.out;
}

TEST_F(Cli, QuietSaysNothing) {
  const ProcessResult result = berth({"run", "run.yaml", "--out", "out", "--quiet"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(Cli, AJobLargerThanTheClusterIsNamedWithItsLine) {
  const ProcessResult result =
      berth({"run", "run.yaml", "--out", "out", "--set", "cluster.gpus_per_node=4"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("trace.csv:2: job a asks for 8 GPUs, the cluster has 4 GPUs"),
            std::string::npos)
      << result.err;
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(Cli, AJobWhoseModelTheClusterLacksIsNamedWithItsLine) {
  const std::string trace =
      "job_id,submit,duration,gpus,model\n1,2024-01-01 00:00:00Z,10,1,T4\n2,2024-01-01 "
      "00:00:00Z,10,1,A100\n";
  folder_.write("models.csv", trace);
  folder_.write("models.yaml",
                "cluster: {groups: [{gpu_model: T4, nodes: 1, gpus_per_node: 1},\n"
                "                   {gpu_model: A10, nodes: 1, gpus_per_node: 1}]}\n"
                "workload: {trace: {format: csv, path: models.csv, columns: {id: job_id, submit: "
                "submit, duration: duration, gpus: gpus, gpu_model: model}}}\n");
  const ProcessResult result = berth({"run", "models.yaml", "--out", "out"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("models.csv:3: job 2 requires a GPU of the model \"A100\", the cluster "
                            "has T4, A10; is \"A10\" meant?"),
            std::string::npos)
      << result.err;
  // Where no group names a model, none binds, and the run says so.
  const ProcessResult free = berth(
      {"run", "models.yaml", "--out", "out", "--set", "cluster={nodes: 1, gpus_per_node: 2}"});
  EXPECT_EQ(free.status, 0) << free.err;
  EXPECT_NE(free.err.find("note: 2 jobs require a GPU model, which does not bind"),
            std::string::npos)
      << free.err;
}

TEST_F(Cli, OversizedJobsCanBeSkippedAndAreCounted) {
  run_to("out", {"--set", "cluster.gpus_per_node=4", "--set", "workload.oversized=skip"});
  const Json json = summary("out");
  EXPECT_EQ(json["jobs"]["submitted"], 6);
  EXPECT_EQ(json["jobs"]["rejected"], 3);  // a, c and e ask for 8
  EXPECT_EQ(json["jobs"]["finished"], 3);
  // b at 2 s runs at once, d at 4 s waits for it; e, which never started either, has no line.
  const std::string jobs = read_text(path("out/jobs.csv"));
  EXPECT_NE(jobs.find("\nb,bob,Eval,4,1,2,2,22,0,20,"), std::string::npos) << jobs;
  EXPECT_NE(jobs.find(",1,1,4,22,28,18,24,"), std::string::npos) << jobs;
  EXPECT_EQ(std::ranges::count(jobs, '\n'), 4);
}

TEST_F(Cli, NeverStartedCanBeAnError) {
  const ProcessResult result =
      berth({"run", "run.yaml", "--out", "out", "--set", "workload.never_started=error"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("trace.csv:6:"), std::string::npos) << result.err;
}

TEST_F(Cli, BadRowsAreErrorsOrCounted) {
  write_text(path("trace.csv"), std::string(kTrace) + "g,bob,many,Eval,FAILED,,,,\n");
  const ProcessResult refused = berth({"run", "run.yaml", "--out", "out"});
  EXPECT_EQ(refused.status, 3);
  EXPECT_NE(refused.err.find("trace.csv:8:7: "), std::string::npos) << refused.err;
  run_to("out", {"--set", "workload.bad_rows=skip"});
  EXPECT_EQ(summary("out")["trace"]["bad_rows_skipped"], 1);
  EXPECT_EQ(summary("out")["trace"]["rows"], 7);
  EXPECT_EQ(summary("out")["jobs"]["submitted"], 6);
}

TEST_F(Cli, TheManifestHoldsAVerdictForEveryRow) {
  // A bad row, a duplicate of b, and a job that still runs (until the last instant, 00:01:00).
  std::string rows = kTrace;
  const std::size_t b = rows.find("b,bob");
  rows += "g,bob,many,Eval,FAILED,,,,\n" + rows.substr(b, rows.find("c,ann") - b) +
          "h,ann,1,Eval,RUNNING,2023-03-01 00:00:50Z,2023-03-01 00:00:55Z,,x\n";
  write_text(path("trace.csv"), rows);
  const ProcessResult result =
      berth({"run", "run.yaml", "--out", "out", "--set", "workload.bad_rows=skip", "--set",
             "workload.trace.format=auto", "--set",
             "workload.transforms=[{scale_durations: {factor: 2}}]", "--set",
             "workload.feedback=chains"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json all = summary("out");
  const Json& trace = all["trace"];
  EXPECT_EQ(trace["format"], "acme");
  EXPECT_EQ(trace["rows"], 9);
  EXPECT_EQ(trace["verdicts"]["kept"], 7);
  EXPECT_EQ(all["jobs"]["submitted"], 7);
  std::map<std::string, int> dropped;
  for (const Json& verdict : trace["verdicts"]["dropped"]) {
    dropped[verdict["example"].get<std::string>().substr(0, 11)] += verdict["rows"].get<int>();
  }
  EXPECT_EQ(dropped, (std::map<std::string, int>{{"trace.csv:8", 1}, {"trace.csv:9", 1}}));
  ASSERT_EQ(trace["verdicts"]["fixed"].size(), 1U);
  EXPECT_EQ(trace["verdicts"]["fixed"][0]["example"], "trace.csv:10:1");
  EXPECT_EQ(trace["files"][0]["name"], "trace.csv");
  EXPECT_EQ(trace["first_submit_utc"], "2023-03-01 00:00:00Z");
  EXPECT_EQ(trace["last_submit_utc"], "2023-03-01 00:01:00Z");
  EXPECT_EQ(trace["days_covered"], 1);
  ASSERT_EQ(all["workload"]["transforms"].size(), 1U);
  EXPECT_NE(all["workload"]["transforms"][0].get<std::string>().find("scale_durations"),
            std::string::npos);
  EXPECT_NE(all["workload"]["feedback"].get<std::string>().find("chains"), std::string::npos);
  // The terminal says the same.
  for (const char* line :
       {"trace: format acme, 7 of 9 rows kept, submitted 2023-03-01 00:00:00Z to 2023-03-01 "
        "00:01:00Z\n",
        "note: dropped 1 row: faulty", "note: dropped 1 row: duplicate", "note: kept 1 row: no end",
        "transform scale_durations", "feedback chains: "}) {
    EXPECT_NE(result.err.find(line), std::string::npos) << line << "\nin\n" << result.err;
  }
}

// One GPU; two halves and a whole, 10 s each, all at once. By hand: shared, both halves run 0-10
// and the whole 10-20; rounded up, they run one after the other.
TEST_F(Cli, HalvesOfAGpuShareOneOrTakeTurns) {
  write_text(path("pods.csv"),
             "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
             "deletion_time,scheduled_time\n"
             "a,1000,0,1,500,,BE,Succeeded,0,10,0\n"
             "b,1000,0,1,500,,BE,Succeeded,0,10,0\n"
             "c,1000,0,1,1000,,BE,Succeeded,0,10,0\n");
  for (const char* packing : {"gang", "pool"}) {
    const std::string cluster =
        std::string("cluster={nodes: 1, gpus_per_node: 1, packing: ") + packing + "}";
    const std::string trace = "workload.trace={path: pods.csv}";
    run_to("shared", {"--set", cluster, "--set", trace, "--set", "workload.fractional=share"});
    run_to("turns", {"--set", cluster, "--set", trace});
    EXPECT_EQ(summary("shared")["cluster"]["makespan_s"], 20) << packing;
    EXPECT_EQ(summary("turns")["cluster"]["makespan_s"], 30) << packing;
    EXPECT_EQ(summary("shared")["cluster"]["gpus_total"], 1);
    EXPECT_EQ(summary("shared")["cluster"]["gpu_utilization_pct"], 100);
    const std::string jobs = read_text(path("shared/jobs.csv"));
    EXPECT_NE(jobs.find("\na,,Other,0.5,1,0,0,10,"), std::string::npos) << jobs;
    EXPECT_NE(jobs.find("\nb,,Other,0.5,1,0,0,10,"), std::string::npos) << jobs;
    EXPECT_NE(jobs.find("\nc,,Other,1,1,0,10,20,"), std::string::npos) << jobs;
    EXPECT_NE(read_text(path("turns/jobs.csv")).find("\nb,,Other,1,1,0,10,20,"), std::string::npos);
  }
}

TEST_F(Cli, OverloadIsSaid) {
  const ProcessResult result =
      berth({"run", "run.yaml", "--out", "out", "--set", "cluster.gpus_per_node=3", "--set",
             "workload.oversized=skip", "--set", "cluster.nodes=1"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err.find("warning"), std::string::npos) << result.err;
  // a and b at once: 160 GPU-seconds offered in the 2 s between them, on 8 GPUs.
  std::string two = kTrace;
  two.resize(two.find("c,ann"));
  write_text(path("trace.csv"), two);
  const ProcessResult loaded = berth({"run", "run.yaml", "--out", "out"});
  EXPECT_EQ(loaded.status, 0);
  EXPECT_NE(loaded.err.find("offered load 1000.0 %"), std::string::npos) << loaded.err;
  EXPECT_NE(loaded.err.find("warning: more load is offered"), std::string::npos) << loaded.err;
}

TEST_F(Cli, RecordedScheduleReportsWhereItDoesNotFit) {
  // All recorded to start at submission: b, c and d cannot, since a and then b and c are there.
  run_to("out", {"--set", "policy.order=recorded"});
  const Json fit = summary("out")["recorded_fit"];
  EXPECT_EQ(fit["late_jobs"], 3);
  EXPECT_EQ(fit["first_late_job"], "b");
  // At 10 s b (4) and d (1) start, in order of recorded start and past c, which needs all 8: delays
  // 8 and 6. c follows b at 30: delay 27.
  EXPECT_DOUBLE_EQ(fit["late_max_s"].get<double>(), 27);
  EXPECT_DOUBLE_EQ(fit["late_mean_s"].get<double>(), 41.0 / 3);
}

TEST_F(Cli, ARunReplacesAnOlderResultAndItsLeftovers) {
  run_to("out", {"--set", "output.events=true"});
  write_text(path("out/notes.txt"), "mine\n");
  run_to("out", {"--set", "output.per_job=false"});
  EXPECT_FALSE(fs::exists(path("out/events.jsonl")));
  EXPECT_FALSE(fs::exists(path("out/jobs.csv")));
  EXPECT_TRUE(fs::exists(path("out/summary.json")));
  EXPECT_EQ(read_text(path("out/notes.txt")), "mine\n");
}

TEST_F(Cli, AFailedRunLeavesTheOlderResultAlone) {
  run_to("out");
  const std::string before = read_text(path("out/summary.json"));
  write_text(path("trace.csv"), "nonsense\n");
  EXPECT_EQ(berth({"run", "run.yaml", "--out", "out"}).status, 3);
  EXPECT_EQ(read_text(path("out/summary.json")), before);
}

TEST_F(Cli, AFullDiskLeavesNothingBehind) {
  const std::vector<std::string> before = names();
  const ProcessResult result = run_berth({"run", "run.yaml", "--out", "out", "--quiet"},
                                         {.folder = folder_.path(), .file_size_limit = 100});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("cannot write "), std::string::npos) << result.err;
  EXPECT_EQ(names(), before);
}

TEST_F(Cli, AnOutputThatIsNoFolderIsRefused) {
  write_text(path("out"), "a file\n");
  const ProcessResult result = berth({"run", "run.yaml", "--out", "out"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("it is not a folder"), std::string::npos) << result.err;
  EXPECT_EQ(read_text(path("out")), "a file\n");
}

TEST_F(Cli, ResultsDoNotReplaceInputsOrStrangers) {
  fs::rename(path("trace.csv"), path("jobs.csv"));
  const ProcessResult stranger =
      berth({"run", "run.yaml", "--out", ".", "--set", "workload.trace.path=jobs.csv"});
  EXPECT_EQ(stranger.status, 2);
  EXPECT_NE(stranger.err.find("jobs.csv is no result of Berth"), std::string::npos) << stranger.err;
  EXPECT_EQ(read_text(path("jobs.csv")), kTrace);
  run_to("out", {"--set", "workload.trace.path=jobs.csv"});
  fs::copy(path("jobs.csv"), path("out/events.jsonl"));
  const ProcessResult input =
      berth({"run", "run.yaml", "--out", "out", "--set", "workload.trace.path=out/events.jsonl"});
  EXPECT_EQ(input.status, 2);
  EXPECT_NE(input.err.find("events.jsonl is an input"), std::string::npos) << input.err;
  EXPECT_EQ(read_text(path("out/events.jsonl")), kTrace);
}

TEST_F(Cli, ASecondRunIsKeptOutOfTheSameFolder) {
  fs::create_directories(path("out/.partial"));
  const int lock = ::open(path("out/.partial").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  const ProcessResult second = berth({"run", "run.yaml", "--out", "out"});
  EXPECT_EQ(second.status, 3);
  EXPECT_NE(second.err.find("another run is writing into it"), std::string::npos) << second.err;
  ::close(lock);  // as if that run had been killed
  write_text(path("out/.partial/jobs.csv"), "half a");
  write_text(path("out/config.yaml"), "moved already");
  // A folder of that name that Berth did not make is a stranger's.
  const ProcessResult stranger = berth({"run", "run.yaml", "--out", "out"});
  EXPECT_EQ(stranger.status, 2);
  EXPECT_EQ(read_text(path("out/.partial/jobs.csv")), "half a");
  write_text(path("out/.partial/berth"), "");
  run_to("out");
  EXPECT_FALSE(fs::exists(path("out/.partial")));
  EXPECT_TRUE(fs::exists(path("out/summary.json")));
}

TEST_F(Cli, ResultsReplaceNoConfiguration) {
  run_to("out");
  const std::string resolved = read_text(path("out/config.yaml"));
  // Running a result again in its place is fine: the same bytes.
  run_to("out", {});
  const ProcessResult again = berth({"run", "out/config.yaml", "--out", "out"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(read_text(path("out/config.yaml")), resolved);
  // But not one that was edited, or that others extend.
  const std::string edited = "# mine\n" + resolved;
  write_text(path("out/config.yaml"), edited);
  const ProcessResult main = berth({"run", "out/config.yaml", "--out", "out"});
  EXPECT_EQ(main.status, 2);
  EXPECT_NE(main.err.find("config.yaml is an input"), std::string::npos) << main.err;
  write_text(path("child.yaml"), "extends: out/config.yaml\nseed: 2\n");
  const ProcessResult extends = berth({"run", "child.yaml", "--out", "out"});
  EXPECT_EQ(extends.status, 2);
  EXPECT_NE(extends.err.find("config.yaml is an input"), std::string::npos) << extends.err;
  EXPECT_EQ(read_text(path("out/config.yaml")), edited);
}

TEST_F(Cli, AFailedMoveLeavesAFolderThatCanBeWrittenAgain) {
  run_to("out");
  // jobs.csv cannot be replaced by a file, since it is a folder with something in it.
  fs::remove(path("out/jobs.csv"));
  fs::create_directories(path("out/jobs.csv/in the way"));
  const ProcessResult failed = berth({"run", "run.yaml", "--out", "out"});
  EXPECT_EQ(failed.status, 3) << failed.err;
  EXPECT_FALSE(fs::exists(path("out/summary.json")));
  fs::remove_all(path("out/jobs.csv"));
  run_to("out");
  EXPECT_TRUE(fs::exists(path("out/summary.json")));
  EXPECT_FALSE(fs::exists(path("out/.partial")));
}

TEST_F(Cli, AMeanOfNothingIsNull) {
  std::string one = kTrace;
  one.resize(one.find("b,bob"));  // a alone, which asks for 8
  write_text(path("trace.csv"), one);
  run_to("out", {"--set", "cluster.gpus_per_node=4", "--set", "workload.oversized=skip"});
  const Json json = summary("out");
  EXPECT_EQ(json["jobs"]["rejected"], 1);
  EXPECT_TRUE(json["metrics"]["all"]["queue_mean_s"].is_null());
  EXPECT_TRUE(json["cluster"]["offered_load_pct"].is_null());  // submitted at one instant
}

// A queue of thousands that is planned anew at each end: minutes of work.
void write_long_workload(const fs::path& file) {
  std::string csv = "job_id,user,gpu_num,type,state,submit_time,duration\n";
  for (int i = 0; i < 40000; ++i) {
    csv += std::to_string(i) + ",u," + std::to_string(1 + i % 7) +
           ",Eval,COMPLETED,2023-03-01 00:00:00Z," + std::to_string(1 + i % 97) + "\n";
  }
  write_text(file, csv);
}

TEST_F(Cli, CtrlCStopsSaysSoAndLeavesNothing) {
  write_long_workload(path("trace.csv"));
  const std::vector<std::string> before = names();
  const ProcessResult result =
      run_berth({"run", "run.yaml", "--out", "made/for/out", "--set", "cluster.packing=pool",
                 "--set", "policy.backfill=conservative", "--set", "policy.conservative=replan"},
                {.folder = folder_.path(), .interrupt_after_ms = 1500});
  EXPECT_EQ(result.status, 130) << result.err;
  EXPECT_NE(result.err.find("interrupted at "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("no results were written"), std::string::npos) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(names(), before);
}

TEST_F(Cli, ATimelineTooFineForItsSpanIsRefused) {
  write_text(path("trace.csv"),
             "job_id,user,gpu_num,type,state,submit_time,duration\n"
             "a,u,1,Eval,COMPLETED,2000-01-01 00:00:00Z,5\n"
             "b,u,1,Eval,COMPLETED,2023-03-01 00:00:00Z,5\n");
  const ProcessResult result =
      berth({"run", "run.yaml", "--out", "out", "--set", "output.timeline=1s"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("output.timeline: 1s makes too many rows"), std::string::npos)
      << result.err;
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(Cli, CheckPrintsTheResolvedConfiguration) {
  const ProcessResult result = berth({"check", "run.yaml", "--set", "policy.order=sjf"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("order: sjf"), std::string::npos);
  EXPECT_NE(result.out.find("seed: 1"), std::string::npos);
  EXPECT_EQ(names(), (std::vector<std::string>{"run.yaml", "trace.csv"}));
}

TEST_F(Cli, SeedIsAnOverride) {
  const ProcessResult result = berth({"check", "run.yaml", "--seed", "42"});
  EXPECT_NE(result.out.find("seed: 42"), std::string::npos) << result.err;
  EXPECT_EQ(berth({"check", "run.yaml", "--seed", "many"}).status, 2);
}

// Every faulty trace of tests/invalid_traces, as a user meets it; what each message must say is
// tested beside the reader.
TEST_F(Cli, NoFaultyTraceLeavesAResult) {
  std::size_t traces = 0;
  for (const auto& entry : fs::directory_iterator(BERTH_SOURCE_DIR "/tests/invalid_traces/acme")) {
    if (entry.path().extension() != ".csv") continue;
    ++traces;
    const ProcessResult result = berth({"run", "run.yaml", "--out", "out", "--set",
                                        "workload.trace.path=" + entry.path().string()});
    EXPECT_EQ(result.status, 3) << entry.path() << result.err;
    EXPECT_EQ(result.err.rfind(entry.path().string(), 0), 0u) << result.err;
    EXPECT_LE(std::ranges::count(result.err, '\n'), 2) << result.err;
    EXPECT_EQ(result.out, "") << entry.path();
    EXPECT_EQ(names(), (std::vector<std::string>{"run.yaml", "trace.csv"})) << entry.path();
  }
  EXPECT_GE(traces, 40u);
}

TEST_F(Cli, ThePresetsOfTheAcmeStudyAreTheirPublishedSizes) {
  for (const auto& [preset, gpus] : {std::pair("seren", 2288), std::pair("kalos", 2416)}) {
    run_to(preset, {"--set", std::string("cluster=") + BERTH_SOURCE_DIR + "/configs/clusters/" +
                                 preset + ".yaml"});
    EXPECT_EQ(summary(preset)["cluster"]["gpus_total"], gpus);
  }
}

TEST_F(Cli, EveryStopOfTheTourRuns) {
  std::size_t stops = 0;
  for (const auto& entry : fs::directory_iterator(BERTH_SOURCE_DIR "/configs/tour")) {
    if (entry.path().extension() != ".yaml") continue;
    if (entry.path().filename() == "base.yaml") continue;
    ++stops;
    const std::string out = entry.path().stem().string();
    const ProcessResult result = berth({"run", entry.path().string(), "--out", out});
    ASSERT_EQ(result.status, 0) << result.err;
    // The bundled sample has 3,000 jobs; the table of one's own twelve, of which one never ran; in
    // the window of stop 10 are 2,524 that run, counted from the file with Python, and one is
    // added.
    const int jobs = out == "09-your-own-csv" ? 11 : out == "10-transforms" ? 2525 : 3000;
    EXPECT_EQ(summary(out)["jobs"]["finished"], jobs) << out;
  }
  EXPECT_GE(stops, 11u);
}

// At 35 s c fits beside b on node 1 and starts there; then d, which is longer but needs a node of
// its own for its 3 GPUs, makes the pass pack anew: c moves to node 0. By hand from the rules.
TEST_F(Cli, AMoveIsAnEventOfItsOwn) {
  write_text(path("trace.csv"),
             "job_id,user,gpu_num,type,state,submit_time,duration\n"
             "a,u,1,Eval,COMPLETED,2023-03-01 00:00:00Z,343\n"
             "b,u,2,Eval,COMPLETED,2023-03-01 00:00:14Z,217\n"
             "c,u,2,Eval,COMPLETED,2023-03-01 00:00:35Z,21\n"
             "d,u,3,Eval,COMPLETED,2023-03-01 00:00:35Z,105\n");
  run_to("out", {"--set", "cluster={nodes: 2, gpus_per_node: 4}", "--set", "policy.order=srtf",
                 "--set", "output.events=true"});
  std::istringstream lines(read_text(path("out/events.jsonl")));
  std::map<std::string, Json> nodes;  // where each job is
  for (std::string line; std::getline(lines, line);) {
    const Json event = Json::parse(line);
    if (event.contains("nodes")) {
      // Nobody lies on more nodes than its GPUs need.
      EXPECT_EQ(event["nodes"].size(), 1U) << line;
      nodes[event["job_id"]] = event["nodes"];
    }
    if (event["event"] == "finished" || event["event"] == "preempted") {
      nodes.erase(event["job_id"]);
    }
    int used[2] = {0, 0};
    for (const auto& [job, held] : nodes) {
      used[held[0].get<int>()] += job == "a" ? 1 : job == "d" ? 3 : 2;
    }
    if (event["event"] != "moved" && event["event"] != "started") {
      EXPECT_LE(used[0], 4) << line;
      EXPECT_LE(used[1], 4) << line;
    }
  }
}

TEST_F(Cli, WhatTheTraceDoesNotSayCannotBeAskedFor) {
  write_text(path("trace.csv"),
             "job_id,user,gpu_num,type,state,submit_time,duration\n"
             "a,u,1,Eval,COMPLETED,2023-03-01 00:00:00Z,343\n");
  const ProcessResult starts = berth({"run", "run.yaml", "--set", "policy={order: recorded}"});
  EXPECT_EQ(starts.status, 3);
  EXPECT_NE(starts.err.find("does not say when its jobs started"), std::string::npos) << starts.err;
  for (const char* what : {"cpus", "memory"}) {
    const ProcessResult bound = berth(
        {"run", "run.yaml", "--set",
         std::string("cluster={nodes: 1, gpus_per_node: 8, cpus_per_node: 1, memory_per_node: 1MiB,"
                     " constrain: [gpus, ") +
             what + "]}"});
    EXPECT_EQ(bound.status, 3);
    EXPECT_NE(bound.err.find(std::string("cluster.constrain names ") + what), std::string::npos)
        << bound.err;
  }
}

struct Usage {
  const char* what;
  std::vector<std::string> words;
  const char* message;
};

TEST_F(Cli, WrongUsageIsStatusTwoAndSaysWhatWouldBeRight) {
  const std::vector<Usage> cases{
      {"no command", {}, "run CONFIG"},
      {"unknown command", {"rnu", "run.yaml"}, "did you mean \"run\"?"},
      {"no configuration", {"run"}, "which configuration?"},
      {"two configurations", {"run", "run.yaml", "run.yaml"}, "positional"},
      {"unknown option", {"run", "run.yaml", "--outt", "x"}, "--outt"},
      {"abbreviated option", {"run", "run.yaml", "--ou", "x"}, "--ou"},
      {"set without value", {"run", "run.yaml", "--set", "policy.order"}, "policy.order"},
      {"set to nothing", {"run", "run.yaml", "--set", "policy.order="}, "the value is empty"},
      {"set of an unknown key", {"run", "run.yaml", "--set", "policy.odrer=sjf"}, "did you mean"},
      {"empty out", {"run", "run.yaml", "--out="}, "--out"},
      {"unknown list", {"list", "polices"}, "did you mean \"policies\"?"},
  };
  for (const Usage& usage : cases) {
    const ProcessResult result = berth(usage.words);
    EXPECT_EQ(result.status, 2) << usage.what;
    EXPECT_NE(result.err.find(usage.message), std::string::npos)
        << usage.what << ": " << result.err;
    EXPECT_EQ(result.out, "") << usage.what;
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"run.yaml", "trace.csv"}));
}

TEST_F(Cli, HelpAndListsAreThere) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--help"}, {"run", "--help"}, {"check", "--help"}, {"list", "--help"}, {"--version"}}) {
    const ProcessResult result = berth(words);
    EXPECT_EQ(result.status, 0) << words[0];
    EXPECT_NE(result.out, "") << words[0];
    EXPECT_EQ(result.err, "") << words[0];
  }
  const std::string list = berth({"list"}).out;
  for (const char* name :
       {"fifo", "sjf", "srtf", "recorded", "greedy", "easy", "conservative", "lognormal", "packed",
        "spread", "acme", "clusters/seren.yaml", "clusters/kalos.yaml"}) {
    EXPECT_NE(list.find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace berth::test
