// Philly's job log, on the bundled sample, whose first job is the one that the data set's README
// prints. Expected values are worked out by hand; instants are from
// `TZ=America/Los_Angeles date -d TIME +%s`.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "sim/core/error.hpp"
#include "tests/workloads/files.hpp"
#include "tests/workloads/read_trace.hpp"
#include "workloads/reading/philly_log.hpp"

namespace berth::test {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr const char* kSample = BERTH_SOURCE_DIR "/workloads/samples/philly.json";

std::uint64_t rows_with(const std::vector<TraceReport::Verdict>& verdicts,
                        std::string_view reason) {
  for (const TraceReport::Verdict& verdict : verdicts) {
    if (verdict.reason.starts_with(reason)) return verdict.rows;
  }
  return 0;
}

TEST(PhillyTest, ReadsTheSample) {
  const LoadedTrace trace = load_trace("philly", kSample);
  ASSERT_EQ(trace.table.size(), 6U);
  EXPECT_EQ(trace.report.rows, 6U);
  EXPECT_EQ(trace.report.zone.name(), "America/Los_Angeles");
  EXPECT_EQ(trace.report.zone_source, "default of the format");
  EXPECT_EQ(trace.table.epoch_unix_ms(), 1'507'363'899'000);  // 2017-10-07 01:11:39 PDT

  const Job& printed = trace[0];
  EXPECT_EQ(trace.id(0), "application_1506638472019_14199");
  EXPECT_EQ(trace.table.user_of(printed), "ce2f4c");
  EXPECT_EQ(trace.table.trait_names().groups.name(trace.table.traits_of(printed).vc), "ee9e8c");
  EXPECT_EQ(printed.gpu_parts, 8U);
  EXPECT_EQ(printed.recorded_start, SimTime(seconds(30)));
  // 1:14 of the first attempt, 2 d 5:39:42 of the second; the 7 s between them are not run.
  EXPECT_EQ(printed.run, seconds(74) + hours(53) + minutes(39) + seconds(42));
  EXPECT_EQ(printed.state, JobState::kCompleted);
  EXPECT_EQ(printed.line, 2U);
  EXPECT_EQ(rows_with(trace.report.fixed, "several attempts: runs for their sum"), 1U);

  EXPECT_EQ(trace[1].gpu_parts, 4U);  // on two machines
  EXPECT_EQ(trace[1].state, JobState::kCancelled);
  EXPECT_EQ(trace[1].run, hours(1));
  EXPECT_TRUE(trace[2].never_started);
  EXPECT_EQ(trace[2].gpu_parts, 0U);
  EXPECT_EQ(rows_with(trace.report.fixed, "no attempt that names GPUs"), 1U);
  EXPECT_EQ(trace[3].run, seconds(30));
  EXPECT_EQ(trace[3].state, JobState::kFailed);
  EXPECT_EQ(rows_with(trace.report.fixed, "an attempt without a start or an end"), 1U);

  // 14203 still runs, until the latest instant: 03:00 PST on 5 November. It started at 00:40 PDT,
  // and at 02:00 PDT the clocks went back to 01:00: 3 h 20 min.
  EXPECT_EQ(trace.id(4), "application_1506638472019_14203");
  EXPECT_EQ(trace[4].run, hours(3) + minutes(20));
  EXPECT_EQ(trace[4].state, JobState::kRunning);
  EXPECT_EQ(trace.report.still_running, 1U);
  // 14204: 01:30 stood twice on the clock that night; the first is taken, and counted. From then
  // to 02:30 PST are two hours.
  EXPECT_EQ(trace[5].recorded_start - trace[5].submit, hours(2));
  EXPECT_EQ(rows_with(trace.report.fixed, "a local time that the clocks showed twice"), 1U)
      << (trace.report.fixed.empty() ? "" : trace.report.fixed.back().reason);
}

TEST(PhillyTest, MachinesAreHeldAgainstTheList) {
  const LoadedTrace trace =
      load_trace("philly", kSample, {},
                 "machines: " BERTH_SOURCE_DIR "/workloads/samples/philly_machines.csv");
  EXPECT_EQ(trace.report.files.size(), 2U);
  ASSERT_EQ(rows_with(trace.report.fixed, "a machine that the list of machines"), 1U);
  ASSERT_EQ(rows_with(trace.report.fixed, "more GPUs of a machine"), 1U);
  for (const TraceReport::Verdict& verdict : trace.report.fixed) {
    if (verdict.reason.starts_with("a machine")) {
      EXPECT_EQ(verdict.example.substr(verdict.example.find(' ') + 1), "m9");
    }
    if (verdict.reason.starts_with("more GPUs")) {
      EXPECT_EQ(verdict.example.substr(verdict.example.find(' ') + 1), "m31: 3 of 2");
    }
  }
}

class PhillyRows : public testing::Test {
 protected:
  // A log of one job with these attempts.
  LoadedTrace load(const std::string& attempts) {
    return load_trace(
        "philly",
        folder_.write("log.json", R"([{"jobid":"a","status":"Pass","user":null,"vc":"v",)"
                                  R"("submitted_time":"2017-10-07 01:00:00","attempts":)" +
                                      attempts + "}]"));
  }
  TempFolder folder_;
};

TEST_F(PhillyRows, AttemptsOnOtherNumbersOfGpusAreCounted) {
  const LoadedTrace trace =
      load(R"([{"start_time":"2017-10-07 01:00:00","end_time":"2017-10-07 01:01:00",)"
           R"("detail":[{"ip":"m1","gpus":["gpu0","gpu1"]}]},)"
           R"({"start_time":"2017-10-07 02:00:00","end_time":"2017-10-07 02:02:00",)"
           R"("detail":[{"ip":"m1","gpus":["gpu0"]}]}])");
  EXPECT_EQ(trace[0].gpu_parts, 2U);
  EXPECT_EQ(trace[0].run, minutes(3));
  EXPECT_EQ(trace.table.user_of(trace[0]), "");
  EXPECT_EQ(rows_with(trace.report.fixed, "attempts on different numbers of GPUs"), 1U);
}

TEST_F(PhillyRows, UnknownKeysAreSkippedWhateverTheyHold) {
  const LoadedTrace trace = load(
      R"([{"start_time":"2017-10-07 01:00:00","extra":{"gpus":["x",{"ip":1}],"start_time":[[]]},)"
      R"("end_time":"2017-10-07 01:01:00","detail":[{"ip":"m1","gpus":["gpu0"],"n":[1,2]}]}],)"
      R"("more":[{"attempts":[{}]},null,1.5,true])");
  EXPECT_EQ(trace[0].gpu_parts, 1U);
  EXPECT_EQ(trace[0].run, minutes(1));
}

TEST_F(PhillyRows, AJobThatStillRunsAfterOthersIsOneRun) {
  const LoadedTrace trace = load(
      R"([{"start_time":"2017-10-07 01:00:00","end_time":"2017-10-07 01:01:00",)"
      R"("detail":[{"ip":"m1","gpus":["gpu0"]}]},{"start_time":"2017-10-07 02:00:00",)"
      R"("end_time":"None","detail":[{"ip":"m1","gpus":["gpu0"]}]}],"x":0},)"
      R"({"jobid":"b","status":"Pass","user":"u","vc":"v","submitted_time":"2017-10-07 04:00:00","attempts":[])");
  // Until 04:00, the latest instant, from 01:00.
  EXPECT_EQ(trace[0].run, hours(3));
  EXPECT_EQ(rows_with(trace.report.fixed, "several attempts, the last of which still runs"), 1U);
}

TEST(PhillyTest, MemoryIsThatOfOneJob) {
  // A long list is handed over job by job, with the place of each.
  const TempFolder folder;
  std::string text = "[";
  for (int i = 0; i < 20'000; ++i) {
    text += std::string(i == 0 ? "" : ",") + "\n{\"jobid\": \"j" + std::to_string(i) + "\"}";
  }
  TraceFile file(folder.write("log.json", text + "\n]\n"));
  int jobs = 0;
  PhillyLog::read(file, [&](PhillyLog::Job& job, std::uint64_t) {
    EXPECT_EQ(job.id.value, "j" + std::to_string(jobs));
    EXPECT_EQ(job.where.line, jobs + 2);
    EXPECT_EQ(job.where.column, 1);
    EXPECT_EQ(job.id.where.column, 11);
    ++jobs;
  });
  EXPECT_EQ(jobs, 20'000);
}

TEST(PhillyTest, IsRecognisedByItsKeys) {
  const auto format = builtin_registries().formats.find("philly")->make();
  EXPECT_TRUE(format->recognises(slurp(kSample), "x"));
  EXPECT_FALSE(format->recognises("[{\"a\": 1}]", "x"));
  EXPECT_FALSE(format->recognises("{\"jobid\": 1, \"vc\": 2, \"attempts\": []}", "x"));
}

}  // namespace
}  // namespace berth::test
