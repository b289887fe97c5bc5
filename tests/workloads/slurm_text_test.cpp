// Durations, memory and resources as Slurm writes them (sacct(1)).
#include "workloads/reading/slurm_text.hpp"

#include <gtest/gtest.h>

namespace berth::test {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(SlurmTextTest, Durations) {
  const auto expect = [](const char* text, Duration expected) {
    const auto found = parse_slurm_duration(text);
    ASSERT_TRUE(found.has_value()) << text;
    EXPECT_EQ(*found, expected) << text;
  };
  expect("1-02:03:04", hours(26) + minutes(3) + seconds(4));
  expect("02:03:04", hours(2) + minutes(3) + seconds(4));
  expect("03:04", minutes(3) + seconds(4));
  expect("00:00:00", seconds(0));
  expect("90:00", minutes(90));
  expect("30:00:00", hours(30));
  expect("00:01.250", Duration(1250));
  expect("365-00:00:00", hours(365 * 24));
  for (const char* text : {"",
                           "5",
                           ":",
                           "1:",
                           ":1",
                           "1-",
                           "1-02:03",
                           "1-24:00:00",
                           "00:60",
                           "00:60:00",
                           "-1:00",
                           "1:-1",
                           "1.5:00",
                           "1-1.5:00:00",
                           "1:2:3:4",
                           "a:b",
                           "1-2-3:4:5",
                           "nan:00",
                           "4000-00:00:00",
                           "1e9:00:00",
                           "UNLIMITED",
                           " 1:00"}) {
    EXPECT_FALSE(parse_slurm_duration(text).has_value()) << text;
  }
}

TEST(SlurmTextTest, Memory) {
  EXPECT_EQ(parse_slurm_mib("1T"), 1024.0 * 1024);
  EXPECT_EQ(parse_slurm_mib("1.50G"), 1536.0);
  EXPECT_EQ(parse_slurm_mib("4000M"), 4000.0);
  EXPECT_EQ(parse_slurm_mib("4000"), 4000.0);
  EXPECT_EQ(parse_slurm_mib("2048K"), 2.0);
  for (const char* text : {"", "T", "-1G", "1X", "1GB", "G1", "inf"}) {
    EXPECT_FALSE(parse_slurm_mib(text).has_value()) << text;
  }
}

TEST(SlurmTextTest, Resources) {
  std::string_view wrong;
  const auto one = parse_slurm_tres("billing=128,cpu=128,gres/gpu=8,mem=1T,node=1", wrong);
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->gpus, 8U);
  EXPECT_EQ(one->cpus, 128U);
  EXPECT_EQ(one->memory_mib, 1024.0 * 1024);
  EXPECT_EQ(one->gpu_model, "");
  // The same eight, told twice.
  const auto typed = parse_slurm_tres("gres/gpu:a100=8,gres/gpu=8", wrong);
  EXPECT_EQ(typed->gpus, 8U);
  EXPECT_EQ(typed->gpu_model, "a100");
  // Typed alone count together; of two models none is required.
  const auto both = parse_slurm_tres("gres/gpu:a100=2,gres/gpu:h100=4", wrong);
  EXPECT_EQ(both->gpus, 6U);
  EXPECT_EQ(both->gpu_model, "");
  EXPECT_TRUE(both->several_models);
  // Other resources are none of ours, whatever they hold.
  const auto other =
      parse_slurm_tres("cpu=4,gres/gpumem=40G,gres/gpuutil=90,license/x=1,fs/disk=3", wrong);
  EXPECT_EQ(other->gpus, std::nullopt);
  EXPECT_EQ(other->cpus, 4U);
  EXPECT_TRUE(parse_slurm_tres("", wrong).has_value());
  for (const auto& [text, part] : {std::pair{"cpu", "cpu"},
                                   {"cpu=4,=3", "=3"},
                                   {"cpu=4,gres/gpu=x", "gres/gpu=x"},
                                   {"gres/gpu:a100=-1", "gres/gpu:a100=-1"},
                                   {"mem=1Q,cpu=2", "mem=1Q"},
                                   {"cpu=4,,mem=1G", ""},
                                   {"gres/gpu:a=2147483648,gres/gpu:b=1", "gres/gpu:b=1"}}) {
    EXPECT_FALSE(parse_slurm_tres(text, wrong).has_value()) << text;
    EXPECT_EQ(wrong, part);
  }
}

}  // namespace
}  // namespace berth::test
