// Alibaba's spot trace, on the bundled sample, whose first row is a published one. Expected values
// are worked out by hand.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/workloads/files.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

using std::chrono::seconds;

constexpr const char* kSample = BERTH_SOURCE_DIR "/workloads/samples/spot.csv";

TEST(SpotTest, ReadsTheSample) {
  TraceOptions options;
  options.fractional = FractionRule::kShare;
  const LoadedTrace trace = load_trace("spot", kSample, options);
  ASSERT_EQ(trace.table.size(), 5U);
  const TraitNames& names = trace.table.trait_names();
  const JobTraits& traits = trace.table.traits_of(trace[0]);
  EXPECT_EQ(trace.id(0), "437260");
  EXPECT_EQ(trace[0].gpu_parts, 16'000U);  // 16 workers with a GPU each
  EXPECT_EQ(trace[0].cpus, 240U);          // 15 each
  EXPECT_EQ(trace[0].run, seconds(41'060));
  EXPECT_EQ(names.gpu_models.name(traits.gpu_model), "A100-SXM4-80GB");
  EXPECT_EQ(names.groups.name(traits.account), "57");
  EXPECT_EQ(names.priorities.name(traits.priority), "Spot");
  EXPECT_EQ(trace.table.type_of(trace[0]), "Other");
  EXPECT_EQ(trace[1].submit, SimTime(seconds(37)));
  EXPECT_EQ(trace[1].gpu_parts, 32'000U);
  EXPECT_EQ(names.priorities.name(trace.table.traits_of(trace[1]).priority), "HP");
  EXPECT_EQ(trace[2].gpu_parts, 1500U);  // 3 x a half
  EXPECT_EQ(trace[2].cpus, 23U);         // 22.5
  EXPECT_EQ(trace.table.type_of(trace[3]), "CPU");
  EXPECT_EQ(trace[3].cpus, 8U);
  EXPECT_EQ(trace[4].run, Duration(3'600'500));
  EXPECT_FALSE(trace.report.has_dates);
  EXPECT_FALSE(trace.report.has_starts);
  // A worker's half is rounded up by itself: three of them take three GPUs.
  EXPECT_EQ(load_trace("spot", kSample)[2].gpu_parts, 3U);
}

TEST(SpotTest, IsRecognisedByItsHeader) {
  const auto format = builtin_registries().formats.find("spot")->make();
  EXPECT_TRUE(format->recognises(slurp(kSample), "x"));
  EXPECT_FALSE(format->recognises("gpu_model,gpu_capacity_num,cpu_num,node_name\n", "x"));
}

}  // namespace
}  // namespace berth::test
