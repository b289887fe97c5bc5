// Alibaba's PAI of 2020, on the bundled sample. Its first job is made of the rows and of the
// example that the data set's README prints: "14 CPUs (600% + 400% + 400%) and 1 GPU (0% + 50% +
// 50%)". Expected values are worked out by hand.
#include <gtest/gtest.h>

#include <chrono>

#include "sim/core/error.hpp"
#include "tests/workloads/files.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

using std::chrono::seconds;

const std::filesystem::path kSample = BERTH_SOURCE_DIR "/workloads/samples/pai";

std::uint64_t rows_with(const std::vector<TraceReport::Verdict>& verdicts,
                        std::string_view reason) {
  for (const TraceReport::Verdict& verdict : verdicts) {
    if (verdict.reason.starts_with(reason)) return verdict.rows;
  }
  return 0;
}

LoadedTrace load(FractionRule rule, const std::filesystem::path& path = kSample) {
  TraceOptions options;
  options.fractional = rule;
  return load_trace("pai", path, options);
}

TEST(PaiTest, JoinsTheTablesOfTheSample) {
  const LoadedTrace trace = load(FractionRule::kShare);
  EXPECT_EQ(trace.report.rows, 8U);
  ASSERT_EQ(trace.table.size(), 7U);
  EXPECT_EQ(trace.report.files.size(), 4U);
  EXPECT_EQ(trace.report.zone.name(), "Asia/Shanghai");
  const TraitNames& names = trace.table.trait_names();

  const Job& readme = trace[0];
  EXPECT_EQ(trace.id(0), "4b3f04b66a525d2df903eb16");
  EXPECT_EQ(trace.table.user_of(readme), "58540f191766");
  EXPECT_EQ(trace.table.epoch_unix_ms(), 4'550'879'000);
  EXPECT_EQ(readme.gpu_parts, 1000U);  // two halves
  EXPECT_EQ(readme.cpus, 14U);
  EXPECT_EQ(readme.memory_mib, 90'000U);                   // 3 x 29.296875 GiB = 3 x 30,000 MiB
  EXPECT_EQ(readme.recorded_start, SimTime(seconds(26)));  // the first instance: 4550905
  EXPECT_EQ(readme.run, seconds(4'551'416 - 4'550'905));
  EXPECT_EQ(trace.table.type_of(readme), "nmt");
  EXPECT_EQ(names.gpu_models.name(trace.table.traits_of(readme).gpu_model), "V100M32");
  EXPECT_EQ(names.names.name(trace.table.traits_of(readme).name),
            "fbeb14d671c629b6e82bee889fe4bb4c");

  // No end of its own: that of its task. Its start is its task's, for no instance is there.
  EXPECT_EQ(trace[1].state, JobState::kFailed);
  EXPECT_EQ(trace[1].recorded_start - trace[1].submit, seconds(10));
  EXPECT_EQ(trace[1].run, seconds(60));
  EXPECT_EQ(rows_with(trace.report.fixed, "no end_time of the job"), 1U);
  // Still runs, until the latest instant of the jobs kept: 4551800.
  EXPECT_EQ(trace[2].run, seconds(4'551'800 - 4'551'105));
  EXPECT_EQ(trace[2].gpu_parts, 4000U);
  EXPECT_EQ(trace[2].cpus, 48U);
  EXPECT_EQ(trace.report.still_running, 1U);
  // Waiting: what it asks for is known.
  EXPECT_TRUE(trace[3].never_started);
  EXPECT_EQ(trace[3].state, JobState::kCancelled);
  EXPECT_EQ(trace[3].gpu_parts, 250U);
  EXPECT_TRUE(trace[4].never_started);
  EXPECT_EQ(rows_with(trace.report.fixed, "no task"), 1U);
  EXPECT_EQ(trace.table.type_of(trace[5]), "CPU");
  EXPECT_EQ(trace[5].cpus, 2U);  // 3 x 50 % is 1.5
  EXPECT_EQ(rows_with(trace.report.fixed, "a part of a CPU"), 1U);
  EXPECT_EQ(trace[6].gpu_parts, 2500U);  // 2 x 1 + 1 x 0.5
  EXPECT_EQ(trace.table.type_of(trace[6]), "Other");
  EXPECT_EQ(rows_with(trace.report.dropped, "no submission"), 1U);
  EXPECT_EQ(rows_with(trace.report.fixed, "a row of pai_task_table whose job is not"), 1U);
}

TEST(PaiTest, APartOfAGpuIsEachInstancesOwn) {
  const LoadedTrace up = load(FractionRule::kRoundUp);
  EXPECT_EQ(up[0].gpu_parts, 2U);  // two halves take two
  EXPECT_EQ(up[6].gpu_parts, 3U);
  EXPECT_EQ(up[3].gpu_parts, 1U);
  EXPECT_EQ(rows_with(up.report.fixed, "instances of several kinds"), 1U);
  const LoadedTrace skipped = load(FractionRule::kSkip);
  EXPECT_EQ(rows_with(skipped.report.dropped, "asks for a part of a GPU"), 3U);
  EXPECT_EQ(skipped.table.size(), 4U);
}

TEST(PaiTest, TheOptionalTablesMayBeMissing) {
  const TempFolder folder;
  for (const char* table : {"pai_job_table.csv", "pai_task_table.csv"}) {
    std::filesystem::copy(kSample / table, folder.path() / table);
  }
  // The job table by itself names the folder too.
  const LoadedTrace trace = load(FractionRule::kShare, folder.path() / "pai_job_table.csv");
  EXPECT_EQ(trace.report.files.size(), 2U);
  EXPECT_EQ(trace[0].recorded_start, SimTime(seconds(21)));  // the first task: 4550900
  EXPECT_EQ(trace.table.type_of(trace[0]), "Other");
}

TEST(PaiTest, AHeaderFileInFrontIsLeftOut) {
  const TempFolder folder;
  folder.write("pai_job_table.csv",
               "job_name,inst_id,user,status,start_time,end_time\na,i,u,Terminated,0,10\n");
  folder.write("pai_task_table.csv",
               "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,"
               "gpu_type\na,t,1,Terminated,5,10,100,1,100,T4\n");
  const LoadedTrace trace = load(FractionRule::kRoundUp, folder.path());
  ASSERT_EQ(trace.table.size(), 1U);
  EXPECT_EQ(trace[0].run, seconds(5));
  EXPECT_TRUE(trace.report.fixed.empty());
}

TEST(PaiTest, IsRecognisedByItsFiles) {
  const auto format = builtin_registries().formats.find("pai")->make();
  EXPECT_TRUE(format->recognises("", kSample));
  EXPECT_TRUE(format->recognises("", kSample / "pai_job_table.csv"));
  EXPECT_FALSE(format->recognises("", kSample.parent_path()));
  EXPECT_FALSE(format->recognises("", kSample / "pai_task_table.csv"));
}

}  // namespace
}  // namespace berth::test
