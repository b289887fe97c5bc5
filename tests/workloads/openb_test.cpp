// Pods of Alibaba's GPU-sharing cluster, rule by rule. The first rows are printed in the data set's
// README; expected values are worked out by hand.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/workloads/files.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

using std::chrono::seconds;

const std::string kHeader =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time\n";
const std::string kReadme =
    "openb-pod-0017,88000,327680,8,1000,nan,Burstable,Succeeded,9437497,10769854,9437497\n"
    "openb-pod-0022,4000,15258,1,220,nan,BE,Running,9679175,9973826,9679175\n"
    "openb-pod-0035,16000,32768,1,1000,V100M16|V100M32,LS,Running,9967058,9968575,9967063\n";

class OpenbTest : public testing::Test {
 protected:
  LoadedTrace load(const std::string& rows, const TraceOptions& options = {}) {
    return load_trace("openb", folder_.write("pods.csv", kHeader + rows), options);
  }
  static TraceOptions with(FractionRule rule) {
    TraceOptions options;
    options.fractional = rule;
    return options;
  }
  TempFolder folder_;
};

std::uint64_t rows_with(const std::vector<TraceReport::Verdict>& verdicts,
                        std::string_view reason) {
  for (const TraceReport::Verdict& verdict : verdicts) {
    if (verdict.reason.starts_with(reason)) return verdict.rows;
  }
  return 0;
}

TEST_F(OpenbTest, ReadsTheRowsOfTheReadme) {
  const LoadedTrace trace = load(kReadme);
  ASSERT_EQ(trace.table.size(), 3U);
  const TraitNames& names = trace.table.trait_names();
  EXPECT_EQ(trace.id(0), "openb-pod-0017");
  EXPECT_EQ(trace[0].gpu_parts, 8U);
  EXPECT_EQ(trace[0].cpus, 88U);
  EXPECT_EQ(trace[0].memory_mib, 327'680U);
  EXPECT_EQ(trace[0].run, seconds(10'769'854 - 9'437'497));
  EXPECT_EQ(trace[0].state, JobState::kCompleted);
  EXPECT_EQ(trace.table.type_of(trace[0]), "Other");
  EXPECT_EQ(trace.table.user_of(trace[0]), "");
  EXPECT_EQ(names.gpu_models.name(trace.table.traits_of(trace[0]).gpu_model), "");
  EXPECT_EQ(names.priorities.name(trace.table.traits_of(trace[0]).priority), "Burstable");
  EXPECT_EQ(trace[1].gpu_parts, 1U);  // 220 thousandths, rounded up
  EXPECT_EQ(names.gpu_models.name(trace.table.traits_of(trace[2]).gpu_model), "V100M16|V100M32");
  EXPECT_EQ(trace[2].submit, SimTime(seconds(9'967'058 - 9'437'497)));
  EXPECT_EQ(trace[2].recorded_start - trace[2].submit, seconds(5));
  EXPECT_EQ(trace[2].run, seconds(9'968'575 - 9'967'063));
  EXPECT_EQ(trace[2].state, JobState::kRunning);
  EXPECT_FALSE(trace.report.has_dates);
  EXPECT_TRUE(trace.report.has_starts);
}

TEST_F(OpenbTest, APartOfAGpuIsSharedRoundedUpOrSkipped) {
  const LoadedTrace up = load(kReadme, with(FractionRule::kRoundUp));
  EXPECT_EQ(up[1].gpu_parts, 1U);
  EXPECT_EQ(rows_with(up.report.fixed, "asks for a part of a GPU: rounded up"), 1U);
  const LoadedTrace shared = load(kReadme, with(FractionRule::kShare));
  EXPECT_EQ(shared.table.parts_per_gpu(), 1000U);
  EXPECT_EQ(shared[0].gpu_parts, 8000U);
  EXPECT_EQ(shared[1].gpu_parts, 220U);
  EXPECT_EQ(rows_with(shared.report.fixed, "asks for a part of a GPU: shares"), 1U);
  const LoadedTrace skipped = load(kReadme, with(FractionRule::kSkip));
  ASSERT_EQ(skipped.table.size(), 2U);
  EXPECT_EQ(skipped.id(1), "openb-pod-0035");
  EXPECT_EQ(rows_with(skipped.report.dropped, "asks for a part of a GPU"), 1U);
}

TEST_F(OpenbTest, PhasesBecomeStates) {
  const LoadedTrace trace = load(
      "a,1500,0,0,0,,BE,Failed,0,10,5\n"    // 1.5 CPUs
      "b,1000,0,1,1000,,BE,Failed,1,10,\n"  // evicted before it ran
      "c,1000,0,1,1000,,BE,Pending,2,10,\n"
      "d,1000,0,1,1000,,BE,Running,3,,4\n");  // still runs, until 10
  ASSERT_EQ(trace.table.size(), 4U);
  EXPECT_EQ(trace[0].state, JobState::kFailed);
  EXPECT_EQ(trace[0].run, seconds(5));
  EXPECT_EQ(trace[0].cpus, 2U);
  EXPECT_EQ(trace.table.type_of(trace[0]), "CPU");
  EXPECT_TRUE(trace[1].never_started);
  EXPECT_EQ(trace[1].state, JobState::kFailed);
  EXPECT_TRUE(trace[2].never_started);
  EXPECT_EQ(trace[2].state, JobState::kCancelled);
  EXPECT_EQ(trace[3].run, seconds(6));
  EXPECT_EQ(rows_with(trace.report.fixed, "phase Pending"), 1U);
  EXPECT_EQ(rows_with(trace.report.fixed, "a part of a CPU"), 1U);
  EXPECT_EQ(trace.report.still_running, 1U);
}

TEST_F(OpenbTest, IsRecognisedByItsHeader) {
  const auto format = builtin_registries().formats.find("openb")->make();
  EXPECT_TRUE(format->recognises(kHeader, "x"));
  EXPECT_FALSE(format->recognises("sn,cpu_milli,memory_mib,gpu,model\n", "x"));  // its nodes
}

}  // namespace
}  // namespace berth::test
