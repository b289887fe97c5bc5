// The Standard Workload Format, rule by rule. Expected values are worked out by hand; instants are
// from `date -u -d TIME +%s`.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "sim/workload/feedback_chains.hpp"
#include "tests/workloads/files.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

using std::chrono::seconds;

constexpr std::string_view kHeader =
    "; Version: 2.2\n; UnixStartTime: 1027839845\n; TimeZone: 3600\n"
    "; TimeZoneString: Europe/Stockholm\n; MaxProcs: 240\n;\n";

std::uint64_t rows_with(const std::vector<TraceReport::Verdict>& verdicts,
                        std::string_view reason) {
  for (const TraceReport::Verdict& verdict : verdicts) {
    if (verdict.reason.starts_with(reason)) return verdict.rows;
  }
  return 0;
}

class SwfTest : public testing::Test {
 protected:
  LoadedTrace load(std::string_view rows, const std::string& yaml = "{}",
                   std::string_view header = kHeader) {
    const auto file = folder_.write("log.swf", std::string(header).append(rows));
    return load_trace("swf", file, {}, yaml);
  }
  TempFolder folder_;
};

// A row of HPC2N-2002-2.2-cln, as the archive has it, and one with everything given.
constexpr std::string_view kHpc2n =
    "   12   342343      5    553   40 552.21    -1   40  43200    -1  1   4   1  -1 -1  1 -1 -1\n";
constexpr std::string_view kFull = "77 342400 60 100 4 9.5 2048 8 600 512 0 3 2 9 5 1 12 30\n";

TEST_F(SwfTest, ReadsARowOfHpc2n) {
  const LoadedTrace trace = load(kHpc2n);
  ASSERT_EQ(trace.table.size(), 1U);
  const Job& job = trace[0];
  EXPECT_EQ(trace.id(0), "12");
  EXPECT_EQ(trace.table.epoch_unix_ms(), (1'027'839'845LL + 342'343) * 1000);
  EXPECT_EQ(job.recorded_start, SimTime(seconds(5)));
  EXPECT_EQ(job.run, seconds(553));
  EXPECT_EQ(job.gpu_parts, 40U);
  EXPECT_EQ(job.cpus, 0U);
  EXPECT_EQ(job.memory_mib, 0U);
  EXPECT_EQ(job.time_limit, seconds(43'200));
  EXPECT_EQ(job.state, JobState::kCompleted);
  EXPECT_EQ(trace.table.user_of(job), "4");
  EXPECT_EQ(trace.table.type_of(job), "Other");
  EXPECT_EQ(job.line, 7U);
  const JobTraits& traits = trace.table.traits_of(job);
  EXPECT_EQ(trace.table.trait_names().groups.name(traits.vc), "1");
  EXPECT_EQ(trace.table.trait_names().groups.name(traits.account), "1");
  EXPECT_EQ(trace.table.trait_names().names.name(traits.name), "");
  EXPECT_TRUE(trace.report.has_dates);
  EXPECT_TRUE(trace.report.has_starts);
  EXPECT_EQ(trace.report.zone.name(), "Europe/Stockholm");
  EXPECT_EQ(trace.report.zone_source, "header TimeZoneString");
  EXPECT_EQ(rows_with(trace.report.fixed, "processors are taken as GPUs"), 1U);
}

TEST_F(SwfTest, TakesEveryField) {
  const LoadedTrace trace = load(std::string(kHpc2n).append(kFull));
  const Job& job = trace[1];
  EXPECT_EQ(job.submit, SimTime(seconds(57)));  // 342400 - 342343
  EXPECT_EQ(job.recorded_start, SimTime(seconds(57 + 60)));
  EXPECT_EQ(job.gpu_parts, 8U);   // requested, not the 4 allocated
  EXPECT_EQ(job.memory_mib, 4U);  // 8 x 512 KiB, not the 2048 used
  EXPECT_EQ(job.state, JobState::kFailed);
  const JobTraits& traits = trace.table.traits_of(job);
  EXPECT_EQ(trace.table.trait_names().names.name(traits.name), "9");
  EXPECT_EQ(trace.table.trait_names().groups.name(traits.account), "2");
  EXPECT_EQ(trace.table.trait_names().groups.name(traits.vc), "1");  // the partition
  EXPECT_EQ(trace.table.trait_names().names.name(traits.preceding), "12");
  EXPECT_EQ(traits.think, seconds(30));
  // The link is what feedback chains are made of.
  const FeedbackChains chains(trace.table, ChainRules{});
  EXPECT_NE(chains.text(ChainRules{}).find("1 of 2 jobs"), std::string::npos);
}

TEST_F(SwfTest, TakesWhatIsThereWhereTheRequestIsMissing) {
  const LoadedTrace trace = load("1 0 0 10 4 -1 2048 -1 -1 -1 1 3 -1 -1 5 -1 -1 -1\n");
  const Job& job = trace[0];
  EXPECT_EQ(job.gpu_parts, 4U);
  EXPECT_EQ(job.memory_mib, 8U);  // 4 x 2048 KiB
  EXPECT_LT(job.time_limit, Duration(0));
  EXPECT_EQ(trace.table.trait_names().groups.name(trace.table.traits_of(job).vc), "5");  // queue
  EXPECT_EQ(rows_with(trace.report.fixed, "no requested processors"), 1U);
}

TEST_F(SwfTest, ProcessorsMayBeCpus) {
  const LoadedTrace trace = load(kHpc2n, "processors_as: cpus");
  EXPECT_EQ(trace[0].gpu_parts, 0U);
  EXPECT_EQ(trace[0].cpus, 40U);
  EXPECT_EQ(trace.table.type_of(trace[0]), "CPU");
  EXPECT_TRUE(trace.report.fixed.empty());
}

TEST_F(SwfTest, StatusesBecomeStates) {
  const LoadedTrace trace = load(
      "1 0 0 10 4 -1 -1 4 20 -1 -1 3 2 7 1 1 -1 -1\n"   // unknown
      "2 1 0 10 4 -1 -1 4 20 -1 5 3 2 7 1 1 -1 -1\n"    // cancelled while it ran
      "3 2 30 -1 -1 -1 -1 4 20 -1 5 3 2 7 1 1 -1 -1\n"  // cancelled while it waited
      "4 3 0 10 4 -1 -1 4 20 -1 2 3 2 7 1 1 -1 -1\n"    // parts of a job
      "4 3 0 10 4 -1 -1 4 20 -1 3 3 2 7 1 1 -1 -1\n"
      "4 3 0 10 4 -1 -1 4 20 -1 4 3 2 7 1 1 -1 -1\n"
      "5 4 0 -1 4 -1 -1 4 20 -1 1 3 2 7 1 1 -1 -1\n"    // no run time
      "6 5 0 10 -1 -1 -1 -1 20 -1 1 3 2 7 1 1 -1 -1\n"  // no processors
      "7 6 -1 10 4 -1 -1 4 20 -1 1 3 2 7 1 1 -1 -1\n"   // no wait
      "8 7 1 0 4 -1 -1 4 20 -1 1 3 2 7 1 1 -1 -1\n");   // of no length
  ASSERT_EQ(trace.table.size(), 5U);
  EXPECT_EQ(trace[0].state, JobState::kCompleted);
  EXPECT_EQ(trace[1].state, JobState::kCancelled);
  EXPECT_FALSE(trace[1].never_started);
  EXPECT_EQ(trace[2].state, JobState::kCancelled);
  EXPECT_TRUE(trace[2].never_started);
  EXPECT_EQ(trace.id(3), "7");
  EXPECT_EQ(trace[3].recorded_start, trace[3].submit);
  EXPECT_EQ(trace[4].run, Duration(0));
  EXPECT_EQ(trace.report.rows, 10U);
  EXPECT_EQ(trace.report.kept, 5U);
  EXPECT_EQ(trace.report.never_started, 1U);
  EXPECT_EQ(rows_with(trace.report.fixed, "status unknown"), 1U);
  EXPECT_EQ(rows_with(trace.report.fixed, "wait unknown"), 1U);
  EXPECT_EQ(rows_with(trace.report.dropped, "a part of a job"), 3U);
  EXPECT_EQ(rows_with(trace.report.dropped, "no run time"), 1U);
  EXPECT_EQ(rows_with(trace.report.dropped, "asks for no processors"), 1U);
}

TEST_F(SwfTest, ARunBeyondItsLimitIsKeptAndCounted) {
  const LoadedTrace trace = load(
      "1 0 0 21 4 -1 -1 4 20 -1 1 3 2 7 1 1 -1 -1\n"
      "2 0 0 20 4 -1 -1 4 20 -1 1 3 2 7 1 1 -1 -1\n");
  EXPECT_EQ(trace[0].run, seconds(21));
  EXPECT_EQ(rows_with(trace.report.fixed, "runs longer"), 1U);
}

TEST_F(SwfTest, WithoutAStartTimeThereAreNoDates) {
  for (const char* header : {"", "; UnixStartTime: -1\n", "; UnixStartTime: 0\n", "; a note\n"}) {
    const LoadedTrace trace = load(kHpc2n, "{}", header);
    EXPECT_FALSE(trace.report.has_dates) << header;
    EXPECT_EQ(trace.report.zone.name(), "UTC");
  }
}

TEST_F(SwfTest, TabsAndCrlfAndBlankLinesAreFine) {
  const LoadedTrace trace = load(
      "\r\n\t1\t0 0\t10 4 -1 -1 4 20 -1 1 3 2 7 1 1 -1 -1 \r\n\n; between\r\n"
      "2 1.5 0.25 10 4 -1 -1 4 20 -1 1 3 2 7 1 1 -1 -1");
  ASSERT_EQ(trace.table.size(), 2U);
  EXPECT_EQ(trace[1].submit, SimTime(Duration(1500)));
  EXPECT_EQ(trace[1].recorded_start, SimTime(Duration(1750)));
}

TEST_F(SwfTest, IsRecognisedByItsCommentsOrEighteenNumbers) {
  const auto format = builtin_registries().formats.find("swf")->make();
  EXPECT_TRUE(format->recognises(kHeader, "x"));
  EXPECT_TRUE(format->recognises(kHpc2n, "x"));
  EXPECT_TRUE(format->recognises("\xEF\xBB\xBF\n; Version", "x"));
  EXPECT_FALSE(format->recognises("1 2 3\n", "x"));
  EXPECT_FALSE(format->recognises("job_id,user\n", "x"));
  EXPECT_FALSE(format->recognises("", "x"));
}

}  // namespace
}  // namespace berth::test
