// What `sacct -P` prints, rule by rule, on the bundled sample and on single rows. Expected values
// are worked out by hand; instants are from `date -u -d TIME +%s`.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "tests/workloads/files.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr const char* kSample = BERTH_SOURCE_DIR "/workloads/samples/sacct.txt";

std::uint64_t rows_with(const std::vector<TraceReport::Verdict>& verdicts,
                        std::string_view reason) {
  for (const TraceReport::Verdict& verdict : verdicts) {
    if (verdict.reason.starts_with(reason)) return verdict.rows;
  }
  return 0;
}

TEST(SacctTest, ReadsTheSample) {
  const LoadedTrace trace = load_trace("sacct", kSample);
  // 12 rows, two of them steps.
  EXPECT_EQ(trace.report.rows, 12U);
  EXPECT_EQ(rows_with(trace.report.dropped, "a step of a job"), 2U);
  ASSERT_EQ(trace.table.size(), 10U);
  EXPECT_EQ(trace.table.epoch_unix_ms(), 1'704'704'400'000);  // 2024-01-08 09:00:00 UTC
  EXPECT_EQ(trace.report.zone.name(), "UTC");
  EXPECT_EQ(trace.report.zone_source, "default of the format");

  const Job& first = trace[0];
  EXPECT_EQ(trace.id(0), "1001");
  EXPECT_EQ(first.run, hours(26) + minutes(3) + seconds(4));
  EXPECT_EQ(first.recorded_start, SimTime(seconds(10)));
  EXPECT_EQ(first.gpu_parts, 8U);  // not 16: gres/gpu and gres/gpu:a100 are the same
  EXPECT_EQ(first.cpus, 128U);
  EXPECT_EQ(first.memory_mib, 1024U * 1024);
  EXPECT_EQ(first.time_limit, hours(48));
  EXPECT_EQ(trace.table.user_of(first), "ann");
  const JobTraits& traits = trace.table.traits_of(first);
  const TraitNames& names = trace.table.trait_names();
  EXPECT_EQ(names.groups.name(traits.vc), "a100");
  EXPECT_EQ(names.groups.name(traits.account), "nlp");
  EXPECT_EQ(names.priorities.name(traits.priority), "normal");
  EXPECT_EQ(names.gpu_models.name(traits.gpu_model), "a100");
  EXPECT_EQ(names.names.name(traits.name), "pretrain-7b");

  EXPECT_EQ(trace.id(1), "1002_1");
  EXPECT_EQ(trace[1].state, JobState::kFailed);
  EXPECT_EQ(trace[2].state, JobState::kFailed);  // out of memory
  EXPECT_EQ(trace.id(3), "1002_[3-8%2]");
  EXPECT_TRUE(trace[3].never_started);
  EXPECT_EQ(trace[3].gpu_parts, 1U);  // of ReqTRES: nothing was allocated
  EXPECT_EQ(trace.id(4), "1003");
  EXPECT_TRUE(trace[4].never_started);
  EXPECT_EQ(trace[4].state, JobState::kCancelled);
  EXPECT_LT(trace[4].time_limit, Duration(0));  // UNLIMITED
  EXPECT_FALSE(trace[5].never_started);
  EXPECT_EQ(trace[5].run, minutes(30));
  // Both runs of the requeued job are load.
  EXPECT_EQ(trace.id(6), "1005");
  EXPECT_EQ(trace[6].state, JobState::kPreempted);
  EXPECT_EQ(trace[6].run, hours(2));
  EXPECT_EQ(trace.id(7), "1006");
  EXPECT_EQ(trace.table.type_of(trace[7]), "CPU");
  EXPECT_EQ(trace[7].gpu_parts, 0U);
  EXPECT_EQ(trace.id(8), "1005");
  EXPECT_EQ(trace[8].state, JobState::kTimeout);
  EXPECT_EQ(trace[8].run, hours(24) + seconds(7));
  // The last still runs, until the latest instant: the end of 1005, 12:10:07 on the 9th.
  EXPECT_EQ(trace.id(9), "1007");
  EXPECT_EQ(trace[9].run, minutes(59) + seconds(7));
  EXPECT_EQ(trace.report.still_running, 1U);
  EXPECT_EQ(trace.report.never_started, 2U);
  EXPECT_EQ(rows_with(trace.report.fixed, "state REQUEUED"), 1U);
  EXPECT_EQ(rows_with(trace.report.fixed, "state OUT_OF_MEMORY"), 1U);
  EXPECT_EQ(rows_with(trace.report.fixed, "state PENDING"), 1U);
  EXPECT_EQ(rows_with(trace.report.fixed, "the rest of an array"), 1U);
  EXPECT_EQ(trace.report.duration_differs, 0U);
}

constexpr std::string_view kHeader =
    "JobID|User|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS|AllocTRES\n";

class SacctRows : public testing::Test {
 protected:
  LoadedTrace load(const std::string& rows, const std::string& yaml = "{}") {
    return load_trace("sacct", folder_.write("jobs.txt", std::string(kHeader) + rows), {}, yaml);
  }
  TempFolder folder_;
};

TEST_F(SacctRows, TimesMayBeSecondsSince1970) {
  const LoadedTrace trace =
      load("7|a|COMPLETED|1704704400|1704704410|1704704500|90|5||gres/gpu=1\n");
  EXPECT_EQ(trace.table.epoch_unix_ms(), 1'704'704'400'000);
  EXPECT_EQ(trace[0].recorded_start, SimTime(seconds(10)));
  EXPECT_EQ(trace[0].run, seconds(90));
  EXPECT_EQ(trace[0].time_limit, minutes(5));  // TimelimitRaw counts minutes
}

TEST_F(SacctRows, TheZoneIsAnOption) {
  // 09:00 in Zurich in winter is 08:00 UTC.
  const LoadedTrace trace = load(
      "7|a|COMPLETED|2024-01-08T09:00:00|2024-01-08T09:00:10|2024-01-08T09:01:40|90|||gres/gpu=1\n",
      "timezone: Europe/Zurich");
  EXPECT_EQ(trace.table.epoch_unix_ms(), 1'704'704'400'000 - 3'600'000);
  EXPECT_EQ(trace.report.zone_source, "option timezone");
}

TEST_F(SacctRows, CancelledWithNothingAllocatedNeverStarted) {
  const LoadedTrace trace = load(
      "7|a|CANCELLED by 5|2024-01-08T09:00:00|2024-01-08T09:05:00|2024-01-08T09:05:00|0||4|\n"
      "8|a|CANCELLED by "
      "5|2024-01-08T09:00:00|2024-01-08T09:05:00|2024-01-08T09:05:00|0||4|gres/gpu=1\n");
  EXPECT_TRUE(trace[0].never_started);
  EXPECT_EQ(trace[0].cpus, 4U);  // NCPUS: no cpu in the resources
  EXPECT_FALSE(trace[1].never_started);
  EXPECT_EQ(trace[1].run, Duration(0));
  EXPECT_EQ(rows_with(trace.report.fixed, "cancelled with nothing allocated"), 1U);
}

TEST_F(SacctRows, ElapsedIsTestedAndTakenWhereThereIsNoEnd) {
  const LoadedTrace trace = load(
      "7|a|FAILED|2024-01-08T09:00:00|2024-01-08T09:05:00|Unknown|60|||gres/gpu=1\n"
      // Suspended for 40 of its 100 s: Elapsed leaves that out.
      "8|a|COMPLETED|2024-01-08T09:00:00|2024-01-08T09:05:00|2024-01-08T09:06:40|60|||gres/"
      "gpu=1\n");
  EXPECT_EQ(trace[0].run, seconds(60));
  EXPECT_EQ(rows_with(trace.report.fixed, "no End"), 1U);
  EXPECT_EQ(trace[1].run, seconds(100));
  EXPECT_EQ(trace.report.duration_differs, 1U);
}

TEST_F(SacctRows, StatesHaveTheNearestName) {
  const std::string times =
      "|2024-01-08T09:00:00|2024-01-08T09:05:00|2024-01-08T09:06:00|60|||gres/gpu=1\n";
  const LoadedTrace trace = load("1|a|BOOT_FAIL" + times + "2|a|DEADLINE" + times + "3|a|REVOKED" +
                                 times + "4|a|SUSPENDED" + times + "5+1|a|CANCELLED+" + times);
  EXPECT_EQ(trace[0].state, JobState::kNodeFail);
  EXPECT_EQ(trace[1].state, JobState::kTimeout);
  EXPECT_EQ(trace[2].state, JobState::kCancelled);
  EXPECT_EQ(trace[3].state, JobState::kRunning);
  EXPECT_EQ(trace[3].run, seconds(60));
  EXPECT_EQ(trace[4].state, JobState::kCancelled);
  EXPECT_EQ(rows_with(trace.report.fixed, "state RUNNING with an end"), 1U);
  EXPECT_EQ(rows_with(trace.report.fixed, "a component of a heterogeneous job"), 1U);
}

TEST_F(SacctRows, ATrailingBarIsFine) {
  // --parsable in place of --parsable2.
  const auto file = folder_.write(
      "jobs.txt",
      "JobID|User|State|Submit|Start|End|ReqTRES|\n"
      "7|a|COMPLETED|2024-01-08T09:00:00|2024-01-08T09:00:00|2024-01-08T09:01:00|gres/gpu=3|\n");
  EXPECT_EQ(load_trace("sacct", file)[0].gpu_parts, 3U);
}

TEST(SacctTest, IsRecognisedByItsHeader) {
  const auto format = builtin_registries().formats.find("sacct")->make();
  EXPECT_TRUE(format->recognises("JobID|User|State|Submit\n", "x"));
  EXPECT_FALSE(format->recognises("JobID,User,State,Submit\n", "x"));
  EXPECT_FALSE(format->recognises("; Version\n", "x"));
}

}  // namespace
}  // namespace berth::test
