// scale_arrivals and scale_durations: all expected values by hand.
#include <gtest/gtest.h>

#include "tests/workloads/transforms/transformed.hpp"

namespace berth::test {
namespace {

TEST(ScaleArrivals, MovesSubmissionsFromTheFirst) {
  const std::vector<SourceJob> jobs{{.submit = 100, .run = 7, .wait = 3},
                                    {.submit = 101, .run = 8, .wait = -1},
                                    {.submit = 400, .run = 9, .wait = 50}};
  const Transformed twice = transformed(jobs, {"{scale_arrivals: {factor: 2}}"});
  EXPECT_EQ(twice.submits_ms(), (Times{0, 500, 150'000}));
  EXPECT_EQ(twice.runs_ms(), (Times{7'000, 8'000, 9'000}));
  EXPECT_EQ(twice.waits_ms(), (Times{3'000, -1, 50'000}));
  EXPECT_EQ(twice.table.epoch_unix_ms(), (1'677'600'000LL + 100) * 1000);
  EXPECT_EQ(twice.lines[0],
            "scale_arrivals: 3 jobs arrive at 2 times the rate, over 2 min 30 s "
            "instead of 5 min");
  // A third of 1 s is 333 ms, of 300 s exactly 100 s: rounding does not add up.
  EXPECT_EQ(transformed(jobs, {"{scale_arrivals: {factor: 3}}"}).submits_ms(),
            (Times{0, 333, 100'000}));
  EXPECT_EQ(transformed(jobs, {"{scale_arrivals: {factor: 0.5}}"}).submits_ms(),
            (Times{0, 2'000, 600'000}));
  EXPECT_EQ(transformed(jobs, {"{scale_arrivals: {factor: 1}}"}).submits_ms(),
            (Times{0, 1'000, 300'000}));
}

TEST(ScaleArrivals, KeepsTheOrderOfRowsThatFallTogether) {
  const std::vector<SourceJob> jobs{{.submit = 0}, {.submit = 1}, {.submit = 2}};
  EXPECT_EQ(transformed(jobs, {"{scale_arrivals: {factor: 1000000}}"}).ids(), (Ids{"0", "1", "2"}));
}

TEST(ScaleArrivals, RefusesAThousandYears) {
  const std::vector<SourceJob> jobs{{.submit = 0}, {.submit = 40'000'000}};
  EXPECT_NE(fault_of(jobs, {"{scale_arrivals: {factor: 0.001}}"}).find("more than 1000 years"),
            std::string::npos);
  for (const char* factor : {"0", "-1", "1000001", ".inf", "fast"}) {
    EXPECT_NE(fault_of(jobs, {std::string("{scale_arrivals: {factor: ") + factor + "}}"})
                  .find("scale_arrivals.factor"),
              std::string::npos)
        << factor;
  }
}

TEST(ScaleDurations, MultipliesRunTimesOfThoseAskedFor) {
  const std::vector<SourceJob> jobs{
      {.submit = 0, .run = 10, .wait = 4, .type = "Eval", .limit = 20},
      {.submit = 5, .run = 3, .type = "SFT"},
      {.submit = 6, .run = 0, .type = "Eval"}};
  const Transformed half = transformed(jobs, {"{scale_durations: {factor: 0.25}}"});
  EXPECT_EQ(half.runs_ms(), (Times{2'500, 750, 0}));
  EXPECT_EQ(half.submits_ms(), (Times{0, 5'000, 6'000}));
  EXPECT_EQ(half.waits_ms(), (Times{4'000, 0, 0}));
  EXPECT_EQ(half.table.jobs()[0].time_limit, std::chrono::seconds(20));
  const Transformed evals =
      transformed(jobs, {"{scale_durations: {factor: 3, types: [Eval], limits: scale}}"});
  EXPECT_EQ(evals.runs_ms(), (Times{30'000, 3'000, 0}));
  EXPECT_EQ(evals.table.jobs()[0].time_limit, std::chrono::seconds(60));
  EXPECT_LT(evals.table.jobs()[2].time_limit, Duration(0));
  EXPECT_EQ(evals.lines[0], "scale_durations: run times and limits of 2 of 3 jobs times 3");
}

TEST(ScaleDurations, RoundsHalvesAwayFromZero) {
  // 1 s x 0.0005 = 0.5 ms; 3 s x 0.0005 = 1.5 ms.
  EXPECT_EQ(
      transformed({{.run = 1}, {.run = 3}}, {"{scale_durations: {factor: 0.0005}}"}).runs_ms(),
      (Times{1, 2}));
}

TEST(ScaleDurations, RefusesTenYearsAndUnknownTypes) {
  const std::vector<SourceJob> jobs{{.run = 400'000}};
  EXPECT_NE(fault_of(jobs, {"{scale_durations: {factor: 1000}}"})
                .find("job 0 would run for more than 10 years"),
            std::string::npos);
  EXPECT_NE(fault_of(jobs, {"{scale_durations: {factor: 2, types: [Evil]}}"})
                .find("no job type \"Evil\""),
            std::string::npos);
}

}  // namespace
}  // namespace berth::test
