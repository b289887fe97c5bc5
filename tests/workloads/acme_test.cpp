// The Acme format, rule by rule. Expected values are worked out by hand or with awk from the text
// of the trace; none is copied from a run of Berth.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sim/api/registry.hpp"
#include "sim/core/error.hpp"
#include "tests/workloads/files.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::string_view kSerenHeader =
    "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
    "queue,gpu_time\n";
constexpr std::string_view kKalosHeader =
    "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,"
    "submit_time,start_time,end_time,fail_time,stop_time,duration,queue,gpu_time\n";
// The rows that the README of the data set prints.
constexpr std::string_view kSeren1 =
    "5778432,u5907,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,"
    "2023-03-01 00:20:51+08:00,117,32,936.0\n";
constexpr std::string_view kSeren2 =
    "5778469,u5907,1,8,128,Other,COMPLETED,2023-03-01 00:23:58+08:00,2023-03-01 00:24:11+08:00,"
    "2023-03-01 01:09:04+08:00,2693,13,21544.0\n";
constexpr std::string_view kKalos1 =
    "dlctk696s0jbvitv,uf794,8,64,960,1000,100.0,Other,FAILED,2023-05-17 11:00:58+00:00,"
    "2023-05-17 11:01:08+00:00,2023-05-17 11:01:16+00:00,2023-05-17 11:01:16+00:00,,18,10.0,"
    "1152.0\n";
constexpr std::string_view kKalos2 =
    "dlc1t2ypl09b8qtp,uf794,8,64,960,1000,100.0,Other,CANCELLED,2023-05-17 11:28:42+00:00,"
    "2023-05-17 11:28:54+00:00,2023-05-17 11:30:04+00:00,,2023-05-17 11:30:04+00:00,82,12.0,"
    "5248.0\n";

struct Loaded {
  JobTable table;
  TraceReport report;

  const Job& operator[](std::size_t i) const { return table.jobs()[i]; }
  std::string id(std::size_t i) const { return std::string(table.id_of((*this)[i])); }
  std::string type(std::size_t i) const { return table.type_of((*this)[i]); }
};

// Rows of these tests often differ in nothing that is read; duplicates_test.cpp has the rule.
TraceOptions keep_duplicates() {
  TraceOptions options;
  options.duplicates = DuplicateRule::kKeep;
  return options;
}

Loaded load(const std::filesystem::path& file, const TraceOptions& options = keep_duplicates()) {
  Loaded out;
  JobTableBuilder builder;
  read_trace("acme", file, options, builder, out.report);
  out.table = builder.finish();
  return out;
}

SimTime at(Duration d) { return SimTime(d); }

class AcmeTest : public testing::Test {
 protected:
  Loaded load_text(std::string_view text, const TraceOptions& options = keep_duplicates()) {
    return load(folder_.write("trace.csv", text), options);
  }
  // A trace of the Seren schema with these rows.
  Loaded seren(std::string_view rows, const TraceOptions& options = keep_duplicates()) {
    return load_text(std::string(kSerenHeader).append(rows), options);
  }

  TempFolder folder_;
};

// A row of 8 GPUs: submitted at `submit` and so on, each a time of day of 2023-03-01, or empty.
std::string row(std::string_view id, std::string_view type, std::string_view state,
                std::string_view submit, std::string_view start, std::string_view end,
                std::string_view duration = "") {
  const auto time = [](std::string_view t) {
    return t.empty() ? std::string() : "2023-03-01 " + std::string(t) + "+08:00";
  };
  std::string out(id);
  out.append(",u1,1,8,128,").append(type).append(",").append(state).append(",");
  out += time(submit) + "," + time(start) + "," + time(end) + ",";
  return out.append(duration).append(",,\n");
}

TEST_F(AcmeTest, ReadsTheRowsOfSeren) {
  const Loaded trace = seren(std::string(kSeren1).append(kSeren2));
  ASSERT_EQ(trace.table.size(), 2U);
  EXPECT_EQ(trace.table.epoch_unix_ms(), 1'677'601'102'000);  // date -d '2023-03-01 00:18:22+08:00'
  const Job& a = trace[0];
  EXPECT_EQ(trace.id(0), "5778432");
  EXPECT_EQ(trace.table.user_of(a), "u5907");
  EXPECT_EQ(trace.type(0), "Other");
  EXPECT_EQ(a.state, JobState::kFailed);
  EXPECT_EQ(a.gpu_parts, 8U);
  EXPECT_EQ(a.cpus, 128U);
  EXPECT_EQ(a.memory_mib, 0U);
  EXPECT_EQ(a.submit, at(seconds(0)));
  EXPECT_EQ(a.recorded_start, at(seconds(32)));  // 00:18:22 to 00:18:54
  EXPECT_EQ(a.run, seconds(117));                // 00:18:54 to 00:20:51
  EXPECT_EQ(a.line, 2U);
  EXPECT_LT(a.time_limit, Duration(0));
  EXPECT_FALSE(a.never_started);
  const Job& b = trace[1];
  EXPECT_EQ(trace.id(1), "5778469");
  EXPECT_EQ(b.state, JobState::kCompleted);
  EXPECT_EQ(b.submit, at(seconds(336)));  // 5 min 36 s after the first
  EXPECT_EQ(b.recorded_start, at(seconds(336 + 13)));
  EXPECT_EQ(b.run, minutes(44) + seconds(53));  // 00:24:11 to 01:09:04, that is 2693 s
  EXPECT_EQ(b.user, a.user);
  EXPECT_EQ(b.line, 3U);
  EXPECT_FALSE(trace.table.has_time_limits());
  EXPECT_EQ(trace.report.format, "acme");
  EXPECT_EQ(trace.report.rows, 2U);
  EXPECT_EQ(trace.report.bad_rows, 0U);
  EXPECT_EQ(trace.report.never_started, 0U);
  EXPECT_EQ(trace.report.still_running, 0U);
  EXPECT_EQ(trace.report.duration_differs, 0U);
}

// Their `duration` counts the queue in: the run is end - start.
TEST_F(AcmeTest, ReadsTheRowsOfKalos) {
  const Loaded trace = load_text(std::string(kKalosHeader).append(kKalos1).append(kKalos2));
  ASSERT_EQ(trace.table.size(), 2U);
  EXPECT_EQ(trace.table.epoch_unix_ms(), 1'684'321'258'000);  // date -d '2023-05-17 11:00:58Z'
  const Job& a = trace[0];
  EXPECT_EQ(trace.id(0), "dlctk696s0jbvitv");
  EXPECT_EQ(a.gpu_parts, 64U);
  EXPECT_EQ(a.cpus, 960U);
  EXPECT_EQ(a.memory_mib, 8U * 1000U * 1024U);  // 8 pods of 1000 GiB
  EXPECT_EQ(a.state, JobState::kFailed);
  EXPECT_EQ(a.recorded_start, at(seconds(10)));
  EXPECT_EQ(a.run, seconds(8));  // 11:01:08 to 11:01:16, not 18
  const Job& b = trace[1];
  EXPECT_EQ(b.state, JobState::kCancelled);
  EXPECT_EQ(b.submit, at(seconds(1664)));  // 11:00:58 to 11:28:42
  EXPECT_EQ(b.recorded_start, at(seconds(1676)));
  EXPECT_EQ(b.run, seconds(70));  // 11:28:54 to 11:30:04, not 82
  EXPECT_EQ(trace.report.duration_differs, 2U);
}

TEST_F(AcmeTest, ReportsBytesAndHashOfTheFile) {
  const std::string text = std::string(kSerenHeader).append(kSeren1);
  const Loaded trace = load_text(text);
  EXPECT_EQ(trace.report.bytes, text.size());
  EXPECT_EQ(trace.report.hash, XXH3_64bits(text.data(), text.size()));
}

struct Golden {
  const char* file;
  std::size_t jobs;
  std::map<std::string, int> types;
  std::map<JobState, int> states;
  std::size_t users;
  std::int64_t gpus, cpus, run_s, gpu_s, wait_s, first_submit, last_submit;
};

// Counts and sums over whole files, taken with awk:
//   TZ=UTC awk -F, 'function s(t){t=substr(t,1,19);gsub(/[-:]/," ",t);return mktime(t)-8*3600}
//     NR>1{n++;t[$6]++;st[$7]++;g+=$4;c+=$5;r+=s($10)-s($9);gs+=$4*(s($10)-s($9));w+=s($9)-s($8)}'
TEST_F(AcmeTest, ReadsTheGoldenWorkloadsWhole) {
  const Golden golden[] = {
      {"tiny.csv",
       30,
       {{"Other", 2}, {"Pretrain", 3}, {"MLLM", 2}, {"SFT", 4}, {"Eval", 12}, {"Debug", 7}},
       {{JobState::kCompleted, 19}, {JobState::kFailed, 9}, {JobState::kCancelled, 2}},
       16,
       307,
       4'960,
       323,
       2'859,
       1'313,
       1'677'601'102,
       1'677'601'303},
      {"w200.csv",
       200,
       {{"Other", 43}, {"Pretrain", 9}, {"MLLM", 12}, {"SFT", 26}, {"Eval", 60}, {"Debug", 50}},
       {{JobState::kCompleted, 112}, {JobState::kFailed, 76}, {JobState::kCancelled, 12}},
       48,
       3'240,
       52'200,
       438'993,
       23'576'455,
       23'094,
       1'677'601'102,
       1'677'659'545},
      {"w2000.csv",
       2000,
       {{"Other", 429},
        {"Pretrain", 93},
        {"MLLM", 79},
        {"SFT", 232},
        {"Eval", 725},
        {"Debug", 442}},
       {{JobState::kCompleted, 993}, {JobState::kFailed, 822}, {JobState::kCancelled, 185}},
       183,
       20'276,
       325'788,
       4'634'638,
       174'631'806,
       162'927,
       1'677'601'102,
       1'678'054'855},
  };
  for (const Golden& expected : golden) {
    SCOPED_TRACE(expected.file);
    const Loaded trace =
        load(std::filesystem::path(BERTH_SOURCE_DIR "/tests/golden/workloads") / expected.file);
    EXPECT_EQ(trace.table.size(), expected.jobs);
    EXPECT_EQ(trace.report.rows, expected.jobs);
    EXPECT_EQ(trace.report.duration_differs, 0U);
    std::map<std::string, int> types;
    std::map<JobState, int> states;
    std::map<std::uint32_t, int> users;
    std::int64_t gpus = 0, cpus = 0;
    Duration run{}, gpu_time{}, wait{};
    SimTime last{};
    for (const Job& job : trace.table.jobs()) {
      ++types[trace.table.type_of(job)];
      ++states[job.state];
      ++users[static_cast<std::uint32_t>(job.user)];
      gpus += job.gpu_parts;
      cpus += job.cpus;
      run += job.run;
      gpu_time += job.run * job.gpu_parts;
      wait += job.recorded_start - job.submit;
      EXPECT_GE(job.submit, last);
      last = job.submit;
    }
    EXPECT_EQ(types, expected.types);
    EXPECT_EQ(states, expected.states);
    EXPECT_EQ(users.size(), expected.users);
    EXPECT_EQ(gpus, expected.gpus);
    EXPECT_EQ(cpus, expected.cpus);
    EXPECT_EQ(run, seconds(expected.run_s));
    EXPECT_EQ(gpu_time, seconds(expected.gpu_s));
    EXPECT_EQ(wait, seconds(expected.wait_s));
    EXPECT_EQ(trace.table.epoch_unix_ms(), expected.first_submit * 1000);
    EXPECT_EQ(to_ms(last), (expected.last_submit - expected.first_submit) * 1000);
  }
}

// --- columns ---

TEST_F(AcmeTest, FindsColumnsInAnyOrderAndIgnoresOthers) {
  const Loaded trace = load_text(
      "colour,end_time,start_time,submit_time,state,type,,gpu_num,user,job_id,\n"
      "red,2023-03-01 00:20:51+08:00,2023-03-01 00:18:54+08:00,2023-03-01 00:18:22+08:00,FAILED,"
      "Eval,x,3,u7,j1,y\n");
  ASSERT_EQ(trace.table.size(), 1U);
  EXPECT_EQ(trace.id(0), "j1");
  EXPECT_EQ(trace.table.user_of(trace[0]), "u7");
  EXPECT_EQ(trace.type(0), "Eval");
  EXPECT_EQ(trace[0].gpu_parts, 3U);
  EXPECT_EQ(trace[0].cpus, 0U);
  EXPECT_EQ(trace[0].memory_mib, 0U);
  EXPECT_EQ(trace[0].run, seconds(117));
}

TEST_F(AcmeTest, WithoutStartAndEndTakesDurationAndQueue) {
  const std::string header = "job_id,user,gpu_num,type,state,submit_time,duration";
  const std::string begin = "j,u,1,Eval,COMPLETED,2023-03-01 00:00:10Z,90.5";
  const Loaded plain = load_text(header + "\n" + begin + "\n");
  EXPECT_EQ(plain[0].run, Duration(90'500));
  EXPECT_EQ(plain[0].recorded_start, at(seconds(0)));
  const Loaded queued = load_text(header + ",queue\n" + begin + ",12.25\n" + begin + ",\n");
  EXPECT_EQ(queued[0].recorded_start, at(Duration(12'250)));
  EXPECT_EQ(queued[1].recorded_start, at(seconds(0)));
  EXPECT_EQ(queued[1].run, Duration(90'500));
  EXPECT_EQ(queued.report.duration_differs, 0U);
}

TEST_F(AcmeTest, ReadsTimeLimits) {
  const std::string header = "job_id,user,gpu_num,type,state,submit_time,duration,time_limit\n";
  const std::string begin = "j,u,1,Eval,COMPLETED,2023-03-01 00:00:10Z,90,";
  const Loaded trace = load_text(header + begin + "\n" + begin + "3600\n" + begin + "0.5\n");
  EXPECT_LT(trace[0].time_limit, Duration(0));
  EXPECT_EQ(trace[1].time_limit, hours(1));
  EXPECT_EQ(trace[2].time_limit, Duration(500));
  EXPECT_TRUE(trace.table.has_time_limits());
  EXPECT_FALSE(load_text(header + begin + "\n").table.has_time_limits());
}

TEST_F(AcmeTest, MemoryIsPerPodAndSaturates) {
  const std::string header =
      "job_id,user,gpu_num,type,state,submit_time,duration,mem_per_pod_GB,node_num\n";
  const std::string begin = "j,u,1,Eval,COMPLETED,2023-03-01 00:00:10Z,90,";
  const Loaded trace =
      load_text(header + begin + "0.5,1\n" + begin + "10,\n" + begin + "10,0\n" + begin +
                "10,3.0\n" + begin + ",4\n" + begin + "1e300,2147483648\n");
  EXPECT_EQ(trace[0].memory_mib, 512U);
  EXPECT_EQ(trace[1].memory_mib, 10'240U);
  EXPECT_EQ(trace[2].memory_mib, 10'240U);
  EXPECT_EQ(trace[3].memory_mib, 30'720U);
  EXPECT_EQ(trace[4].memory_mib, 0U);
  EXPECT_EQ(trace[5].memory_mib, 4'294'967'295U);
}

// --- values ---

TEST_F(AcmeTest, NumbersMayBeDecimals) {
  const Loaded trace = seren(
      "j,u,1.0,8.0,128.0,Eval,COMPLETED,2023-03-01 00:00:00Z,2023-03-01 00:00:10Z,"
      "2023-03-01 00:00:20Z,10.0,10.0,80.0\n");
  EXPECT_EQ(trace[0].gpu_parts, 8U);
  EXPECT_EQ(trace[0].cpus, 128U);
  EXPECT_EQ(trace.report.duration_differs, 0U);
}

TEST_F(AcmeTest, DurationDiffersFromASecondOn) {
  const auto differs = [&](std::string_view duration) {
    return seren(row("j", "Eval", "COMPLETED", "01:00:00", "01:00:00", "01:00:10", duration))
        .report.duration_differs;
  };
  EXPECT_EQ(differs("10"), 0U);
  EXPECT_EQ(differs("10.999"), 0U);
  EXPECT_EQ(differs("11"), 1U);
  EXPECT_EQ(differs("9.001"), 0U);
  EXPECT_EQ(differs("9.0"), 1U);
  EXPECT_EQ(differs("0"), 1U);
  EXPECT_EQ(differs(""), 0U);  // says nothing
}

TEST_F(AcmeTest, OffsetsAndFractionsMeetOnOneClock) {
  const Loaded trace = seren(
      "j,u,1,8,1,Eval,COMPLETED,2023-03-01 00:00:00.250+08:00,2023-02-28T16:00:01.5Z,"
      "2023-02-28 08:30:02-07:30,,,\n");
  EXPECT_EQ(trace[0].recorded_start, at(Duration(1'250)));
  EXPECT_EQ(trace[0].run, Duration(500));
}

TEST_F(AcmeTest, KnowsTheTypesAndKeepsUnknownOnes) {
  const std::pair<const char*, const char*> cases[] = {
      {"Eval", "Eval"},
      {"Evaluation", "Eval"},
      {"eval", "Eval"},
      {"EVALUATION", "Eval"},
      {"Pretrain", "Pretrain"},
      {"pretraining", "Pretrain"},
      {"Pre-training", "Pretrain"},
      {"SFT", "SFT"},
      {"sft", "SFT"},
      {"Supervised Fine-Tuning", "SFT"},
      {"MLLM", "MLLM"},
      {"Multimodal LLM", "MLLM"},
      {"Debug", "Debug"},
      {"debugging", "Debug"},
      {"Other", "Other"},
      {"others", "Other"},
      {"CPU", "CPU"},
      {"cpu", "CPU"},
      {"RLHF", "RLHF"},
      {"rlhf", "rlhf"},
      {"Evals", "Evals"},
      {" Eval", " Eval"},
      {"\xE8\xAF\x84\xE6\xB5\x8B", "\xE8\xAF\x84\xE6\xB5\x8B"},
      {"\"a, b\"", "a, b"}};
  std::string rows;
  for (const auto& [written, meant] : cases) {
    rows += row("j", written, "COMPLETED", "01:00:00", "01:00:00", "01:00:10");
  }
  const Loaded trace = seren(rows);
  ASSERT_EQ(trace.table.size(), std::size(cases));
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    EXPECT_EQ(trace.type(i), cases[i].second) << cases[i].first;
  }
}

TEST_F(AcmeTest, KnowsTheStates) {
  const std::pair<const char*, JobState> cases[] = {
      {"COMPLETED", JobState::kCompleted}, {"CANCELLED", JobState::kCancelled},
      {"FAILED", JobState::kFailed},       {"TIMEOUT", JobState::kTimeout},
      {"NODE_FAIL", JobState::kNodeFail},  {"PREEMPTED", JobState::kPreempted},
      {"RUNNING", JobState::kRunning}};
  std::string rows;
  for (const auto& [text, state] : cases) {
    rows += row("j", "Eval", text, "01:00:00", "01:00:00", "01:00:10");
  }
  const Loaded trace = seren(rows);
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    EXPECT_EQ(trace[i].state, cases[i].second);
    EXPECT_EQ(trace[i].run, seconds(10));
  }
  EXPECT_EQ(trace.report.still_running, 0U);  // RUNNING, but with an end
}

TEST_F(AcmeTest, ZeroGpusZeroRunsAndEqualIdsAreJobs) {
  const Loaded trace = seren(
      "j,u,1,0,4,CPU,COMPLETED,2023-03-01 00:00:00Z,2023-03-01 00:00:00Z,2023-03-01 00:00:00Z,0,0,"
      "0\n"
      "j,,0,2147483648,0,CPU,COMPLETED,2023-03-01 00:00:00Z,2023-03-01 00:00:00Z,"
      "2023-03-01 00:00:00Z,0,0,0\n");
  ASSERT_EQ(trace.table.size(), 2U);
  EXPECT_EQ(trace[0].gpu_parts, 0U);
  EXPECT_EQ(trace[0].run, seconds(0));
  EXPECT_EQ(trace[1].gpu_parts, 2'147'483'648U);
  EXPECT_EQ(trace.table.user_of(trace[1]), "");
  EXPECT_EQ(trace.id(0), trace.id(1));
}

TEST_F(AcmeTest, UnsortedRowsAreBroughtInOrderAndEqualSubmissionsStayInTheirs) {
  const Loaded trace = seren(row("c", "Eval", "COMPLETED", "03:00:00", "03:00:00", "03:00:01") +
                             row("a1", "Eval", "COMPLETED", "01:00:00", "01:00:00", "01:00:01") +
                             row("b", "Eval", "COMPLETED", "02:00:00", "02:00:00", "02:00:01") +
                             row("a2", "Eval", "COMPLETED", "01:00:00", "01:00:00", "01:00:01") +
                             row("a3", "Eval", "COMPLETED", "01:00:00", "01:00:00", "01:00:01"));
  const std::vector<std::string> expected = {"a1", "a2", "a3", "b", "c"};
  const std::vector<std::uint64_t> lines = {3, 5, 6, 4, 2};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(trace.id(i), expected[i]);
    EXPECT_EQ(trace[i].line, lines[i]);
  }
  EXPECT_EQ(trace[4].submit, at(hours(2)));
  EXPECT_EQ(trace[4].recorded_start, at(hours(2)));
}

// --- jobs without a start or an end ---

TEST_F(AcmeTest, AJobWithoutAStartKeepsItsRow) {
  const std::string rows = row("a", "Eval", "COMPLETED", "01:00:00", "01:00:00", "01:00:10", "10") +
                           row("b", "Eval", "CANCELLED", "01:00:05", "", "", "7") +
                           row("c", "Eval", "FAILED", "01:00:06", "", "01:00:09");
  const Loaded trace = seren(rows);
  ASSERT_EQ(trace.table.size(), 3U);
  for (const std::size_t i : {1, 2}) {
    EXPECT_TRUE(trace[i].never_started);
    EXPECT_EQ(trace[i].run, Duration(0));
    EXPECT_EQ(trace[i].recorded_start, kNever);
  }
  EXPECT_EQ(trace[1].submit, at(seconds(5)));
  EXPECT_EQ(trace.report.never_started, 2U);
  EXPECT_EQ(trace.report.duration_differs, 0U);
  EXPECT_EQ(trace.report.rows, 3U);

  TraceOptions strict;
  strict.never_started = RowRule::kError;
  // 7 fields and their commas come before start_time: "b,u1,1,8,128,Eval,CANCELLED," is 28 bytes
  // and the submission, with its comma, 26.
  EXPECT_DATA_ERROR(seren(rows, strict),
                    "trace.csv:3:55: start_time is empty: job \"b\" never started");
  strict.bad_rows = RowRule::kSkip;  // another matter
  EXPECT_DATA_ERROR(seren(rows, strict), "trace.csv:3:55: start_time is empty");
}

TEST_F(AcmeTest, AJobThatStillRunsDoesSoUntilTheLastInstantOfTheTrace) {
  const std::string running = row("a", "Eval", "RUNNING", "01:00:00", "01:00:10", "", "99");
  // The last instant: an end, a start, a submission, and the running job's own start.
  Loaded trace = seren(running + row("b", "Eval", "COMPLETED", "01:00:00", "01:00:00", "02:00:00"));
  EXPECT_EQ(trace[0].run, minutes(59) + seconds(50));
  EXPECT_EQ(trace.report.still_running, 1U);
  EXPECT_EQ(trace.report.duration_differs, 0U);
  trace = seren(row("b", "Eval", "RUNNING", "01:00:00", "01:00:30", "") + running);
  EXPECT_EQ(trace[0].run, seconds(0));
  EXPECT_EQ(trace[1].run, seconds(20));
  EXPECT_EQ(trace.report.still_running, 2U);
  trace = seren(running + row("b", "Eval", "CANCELLED", "01:01:10", "", ""));
  EXPECT_EQ(trace[0].run, seconds(60));
  trace = seren(running);
  EXPECT_EQ(trace[0].run, seconds(0));
}

// Order of the table and order of the file differ: the run must reach the right job.
TEST_F(AcmeTest, AJobThatStillRunsIsFoundAgainInAnUnsortedTrace) {
  const Loaded trace = seren(row("late", "Eval", "COMPLETED", "05:00:00", "05:00:00", "06:00:00") +
                             row("runs", "Eval", "RUNNING", "01:00:00", "02:00:00", "") +
                             row("early", "Eval", "COMPLETED", "00:30:00", "01:00:00", "01:00:01"));
  EXPECT_EQ(trace.id(1), "runs");
  EXPECT_EQ(trace[1].run, hours(4));
  EXPECT_EQ(trace[2].run, hours(1));
  EXPECT_EQ(trace[0].run, seconds(1));
}

// --- bad rows ---

TEST_F(AcmeTest, BadRowsAreCountedAndLeftOut) {
  std::string rows;
  for (int i = 0; i < 10; ++i) {
    rows += row("good", "Eval", "COMPLETED", "01:00:00", "01:00:00", "01:00:10");
    // In the year 2223 in hindsight: what a bad row says must not count for anything.
    rows +=
        "bad,u,1,-1,1,Eval,COMPLETED,2223-03-01 00:00:00Z,2223-03-01 00:00:00Z,"
        "2223-03-01 00:00:00Z,0,0,0\n";
  }
  rows += row("runs", "Eval", "RUNNING", "01:00:00", "01:00:00", "");
  TraceOptions options = keep_duplicates();
  options.bad_rows = RowRule::kSkip;
  const Loaded trace = seren(rows, options);
  EXPECT_EQ(trace.table.size(), 11U);
  EXPECT_EQ(trace.report.rows, 21U);
  EXPECT_EQ(trace.report.bad_rows, 10U);
  ASSERT_EQ(trace.report.bad_row_examples.size(), 5U);
  const std::string file = (folder_.path() / "trace.csv").string();
  EXPECT_EQ(trace.report.bad_row_examples[0],
            file + ":3:9: gpu_num is \"-1\", expected a whole number from 0 to 2147483648");
  EXPECT_EQ(trace.report.bad_row_examples[4].substr(0, file.size() + 5), file + ":11:9");
  EXPECT_EQ(trace[10].run, seconds(10));
  EXPECT_DATA_ERROR(seren(rows), "trace.csv:3:9: gpu_num is \"-1\"");
}

TEST_F(AcmeTest, OnlyBadRowsAreNoTrace) {
  TraceOptions options = keep_duplicates();
  options.bad_rows = RowRule::kSkip;
  EXPECT_DATA_ERROR(seren("a,b\nc,d\n", options), "no jobs: all 2 rows are bad; the first: ");
}

TEST_F(AcmeTest, MessagesShowALongValueCut) {
  const std::string rows = "j,u,1," + std::string(500, '9') + ",1,Eval,COMPLETED,,,,,,\n";
  try {
    seren(rows);
    ADD_FAILURE();
  } catch (const DataError& error) {
    const std::string_view message = error.what();
    EXPECT_NE(message.find("gpu_num is \"9999999999"), std::string_view::npos);
    EXPECT_EQ(message.find(std::string(60, '9')), std::string_view::npos);
    EXPECT_NE(message.find("...\""), std::string_view::npos);
  }
}

TEST_F(AcmeTest, ThePlaceOfAFaultIsRightBehindQuotesAndBlankLines) {
  const std::string row_4 =
      "\"j\n\"\"4\"\"\",\"u,1\",1,x,128,Eval,COMPLETED,2023-03-01 00:00:00Z,,,,,\n";
  // Lines: 1 header, 2 a job, 3 blank, 4 and 5 this row; on line 5 stand "4"",u,1",1,x
  //        123456789012345678
  //   ""4""","u,1",1,x   the x is byte 16
  EXPECT_DATA_ERROR(seren(std::string(kSeren1) + "\n" + row_4), "trace.csv:5:16: gpu_num is \"x\"");
  TraceOptions options = keep_duplicates();
  options.bad_rows = RowRule::kSkip;
  const Loaded trace = seren(std::string(kSeren1) + "\n" + row_4 + std::string(kSeren2), options);
  EXPECT_EQ(trace[1].line, 6U);
}

// --- how the file is written ---

std::string with_crlf(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return out;
}

std::string with_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    out += c == ',' ? "\",\"" : c == '\n' ? "\"\n\"" : std::string(1, c);
  }
  out.pop_back();  // the text ends in a line end
  return out;
}

TEST_F(AcmeTest, TheSameTraceInManyDresses) {
  const std::string text = std::string(kSerenHeader).append(kSeren1).append(kSeren2);
  std::string unix_end = text;
  unix_end.pop_back();
  std::string dos_end = with_crlf(text);
  dos_end.resize(dos_end.size() - 2);
  const std::string mark = "\xEF\xBB\xBF";
  const std::string half = std::string(kSerenHeader).append(kSeren1);
  const std::string rest(kSeren2);
  const std::string dresses[] = {text,
                                 unix_end,
                                 with_crlf(text),
                                 dos_end,
                                 mark + text,
                                 mark + with_crlf(text),
                                 with_quotes(text),
                                 mark + with_quotes(text),
                                 with_crlf(with_quotes(text)),
                                 "\n\n" + text + "\n\n",
                                 packed(Pack::kGzip, text),
                                 packed(Pack::kZstd, text),
                                 packed(Pack::kGzip, mark + with_crlf(text)),
                                 packed(Pack::kGzip, half) + packed(Pack::kGzip, rest),
                                 packed(Pack::kZstd, half) + packed(Pack::kZstd, rest)};
  for (const std::string& dress : dresses) {
    SCOPED_TRACE(testing::PrintToString(dress.substr(0, 60)));
    const Loaded trace = load_text(dress);
    ASSERT_EQ(trace.table.size(), 2U);
    EXPECT_EQ(trace.report.bytes, dress.size());
    EXPECT_EQ(trace.id(0), "5778432");
    EXPECT_EQ(trace.id(1), "5778469");
    EXPECT_EQ(trace.table.user_of(trace[1]), "u5907");
    EXPECT_EQ(trace[0].run, seconds(117));
    EXPECT_EQ(trace[1].submit, at(seconds(336)));
    EXPECT_EQ(trace[1].run, seconds(2693));
    EXPECT_EQ(trace[1].line, trace[0].line + 1);
  }
}

// Long enough that the table's room is guessed from the first rows, and pieces of the file end
// within rows.
TEST_F(AcmeTest, AFileOfManyPieces) {
  std::string text(kSerenHeader);
  constexpr int kJobs = 20'000;
  std::int64_t gpus = 0;
  for (int i = 0; i < kJobs; ++i) {
    text += "job" + std::to_string(i) + ",user" + std::to_string(i % 321) + ",1," +
            std::to_string(i % 17) + ",4," + (i % 3 == 0 ? "Eval" : "SFT") +
            ",COMPLETED,2023-03-01 00:00:00Z,2023-03-01 00:00:10Z,2023-03-01 00:01:10Z,60,10,0.5\n";
    gpus += i % 17;
  }
  for (const std::string& bytes : {text, packed(Pack::kGzip, text), packed(Pack::kZstd, text)}) {
    const Loaded trace = load_text(bytes);
    ASSERT_EQ(trace.table.size(), static_cast<std::size_t>(kJobs));
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < trace.table.size(); ++i) {
      ASSERT_EQ(trace.id(i), "job" + std::to_string(i));
      ASSERT_EQ(trace.table.user_of(trace[i]), "user" + std::to_string(i % 321));
      ASSERT_EQ(trace.type(i), i % 3 == 0 ? "Eval" : "SFT");
      ASSERT_EQ(trace[i].run, seconds(60));
      ASSERT_EQ(trace[i].line, i + 2);
      sum += trace[i].gpu_parts;
    }
    EXPECT_EQ(sum, gpus);
  }
}

// Any bytes at all: an error or a trace, never a crash, and the same at every bad_rows rule.
TEST_F(AcmeTest, SurvivesAnyDamage) {
  std::mt19937_64 random(5);
  const std::string text = std::string(kKalosHeader).append(kKalos1).append(kKalos2);
  constexpr std::string_view kBytes("\n\r\",-:+.9e \xFFx\0", 14);
  int good = 0;
  for (int i = 0; i < 8'000; ++i) {
    std::string damaged = text;
    for (auto changes = 1 + random() % 4; changes > 0 && !damaged.empty(); --changes) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 4) {
        case 0:
          damaged.erase(at, 1 + random() % 30);
          break;
        case 1:
          damaged.insert(at, 1, kBytes[random() % kBytes.size()]);
          break;
        case 2:
          damaged.resize(at + 1);
          break;
        default:
          damaged[at] = kBytes[random() % kBytes.size()];
      }
    }
    TraceOptions options = keep_duplicates();
    options.bad_rows = i % 2 == 0 ? RowRule::kError : RowRule::kSkip;
    try {
      const Loaded trace = load_text(damaged, options);
      EXPECT_EQ(trace.table.size() + trace.report.bad_rows, trace.report.rows);
      for (const Job& job : trace.table.jobs()) {
        EXPECT_GE(job.run, Duration(0));
        EXPECT_LE(job.run, kLongestDuration);
      }
      ++good;
    } catch (const DataError&) {
    }
  }
  EXPECT_GT(good, 500);
}

}  // namespace
}  // namespace berth::test
