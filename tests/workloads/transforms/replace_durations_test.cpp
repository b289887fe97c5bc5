// replace_durations: all expected values by hand.
#include <gtest/gtest.h>

#include <set>

#include "tests/workloads/transforms/transformed.hpp"

namespace berth::test {
namespace {

constexpr JobState kDone = JobState::kCompleted;
constexpr JobState kCancelled = JobState::kCancelled;
constexpr JobState kFailed = JobState::kFailed;

TEST(ReplaceDurations, AFixedOneForWhoWasCutShort) {
  const std::vector<SourceJob> jobs{{.run = 5, .state = kDone},
                                    {.run = 6, .wait = 4, .state = kCancelled},
                                    {.run = 7, .state = kFailed},
                                    {.run = 8, .state = JobState::kTimeout},
                                    {.run = 0, .wait = -1, .state = kCancelled}};
  const Transformed out = transformed(jobs, {"{replace_durations: {by: {fixed: 2h}}}"});
  EXPECT_EQ(out.runs_ms(), (Times{5'000, 7'200'000, 7'200'000, 8'000, 0}));
  EXPECT_EQ(out.waits_ms(), (Times{0, 4'000, 0, 0, -1}));
  EXPECT_EQ(out.table.jobs()[1].state, kCancelled);
  EXPECT_EQ(out.lines[0],
            "replace_durations: new run times for 2 of 5 jobs (CANCELLED, FAILED), 4 h in all "
            "instead of 13 s; 1 never started and stay so");
  EXPECT_EQ(
      transformed(jobs, {"{replace_durations: {states: [TIMEOUT], by: {fixed: 1s}}}"}).runs_ms(),
      (Times{5'000, 6'000, 7'000, 1'000, 0}));
}

TEST(ReplaceDurations, ByTheLimitOfWhoHasOne) {
  const std::vector<SourceJob> jobs{{.run = 5, .state = kFailed, .limit = 60},
                                    {.run = 6, .state = kFailed}};
  const Transformed out = transformed(jobs, {"{replace_durations: {by: {time_limit: true}}}"});
  EXPECT_EQ(out.runs_ms(), (Times{60'000, 6'000}));
  EXPECT_NE(out.lines[0].find("; 1 have no time limit and keep their run time"), std::string::npos);
  EXPECT_NE(fault_of({jobs[1]}, {"{replace_durations: {by: {time_limit: true}}}"})
                .find("none of the 1 jobs with these states has a time limit"),
            std::string::npos);
}

// Of the same type and size class (2 GPUs and 1, 3 and 4, ...); then of the type; then of any.
TEST(ReplaceDurations, FromCompletedJobsOfTheKind) {
  const std::vector<SourceJob> jobs{
      {.run = 11, .gpus = 3, .type = "Eval"},  // the class of 3 and 4
      {.run = 12, .gpus = 4, .type = "Eval"},
      {.run = 13, .gpus = 5, .type = "Eval"},
      {.run = 14, .gpus = 4, .type = "SFT"},
      {.run = 1, .gpus = 4, .type = "Eval", .state = kFailed},
      {.run = 1, .gpus = 8, .type = "Eval", .state = kFailed},
      {.run = 1, .gpus = 64, .type = "SFT", .state = kFailed},
      {.run = 1, .gpus = 1, .type = "Debug", .state = kFailed},
  };
  std::set<std::int64_t> same_class;
  std::set<std::int64_t> any;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Transformed out =
        transformed(jobs, {"{replace_durations: {by: {distribution: completed}}}"}, {.seed = seed});
    same_class.insert(out.runs_ms()[4]);
    EXPECT_EQ(out.runs_ms()[5], 13'000);  // 5 and 8 are of one class
    EXPECT_EQ(out.runs_ms()[6], 14'000);  // no SFT of its size
    any.insert(out.runs_ms()[7]);         // no completed Debug at all
    EXPECT_NE(out.lines[0].find("; 2 from jobs of another size or type"), std::string::npos);
  }
  EXPECT_EQ(same_class, (std::set<std::int64_t>{11'000, 12'000}));
  EXPECT_EQ(any, (std::set<std::int64_t>{11'000, 12'000, 13'000, 14'000}));
  EXPECT_NE(fault_of({jobs[4]}, {"{replace_durations: {by: {distribution: completed}}}"})
                .find("no completed job"),
            std::string::npos);
}

TEST(ReplaceDurations, RefusesMoreOrLessThanOneWay) {
  const auto fault = [](const std::string& options) {
    return fault_of({{.state = kFailed}}, {"{replace_durations: {" + options + "}}"});
  };
  EXPECT_NE(fault("by: {fixed: 1s, time_limit: true}").find("one of fixed"), std::string::npos);
  EXPECT_NE(fault("by: {}").find("one of fixed"), std::string::npos);
  EXPECT_NE(fault("").find("replace_durations.by"), std::string::npos);
  EXPECT_NE(fault("by: {time_limit: false}").find("true is expected"), std::string::npos);
  EXPECT_NE(fault("by: {distribution: normal}").find("completed"), std::string::npos);
  EXPECT_NE(fault("states: [COMPLETED], by: {fixed: 1s}").find("replace_durations.states"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::test
