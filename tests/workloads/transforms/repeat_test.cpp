// repeat: all expected values by hand.
#include <gtest/gtest.h>

#include "tests/workloads/transforms/transformed.hpp"

namespace berth::test {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;

TEST(Repeat, CopiesInWholeDays) {
  // A span of exactly a day: the copy comes after two, not upon the last job.
  const std::vector<SourceJob> jobs{{.submit = 100, .run = 5, .wait = 7},
                                    {.submit = 100 + 86'400, .run = 6, .wait = -1}};
  const Transformed out = transformed(jobs, {"{repeat: {times: 3}}"});
  EXPECT_EQ(out.ids(), (Ids{"0", "1", "0#2", "1#2", "0#3", "1#3"}));
  EXPECT_EQ(out.submits_ms(), (Times{0, kDayMs, 2 * kDayMs, 3 * kDayMs, 4 * kDayMs, 5 * kDayMs}));
  EXPECT_EQ(out.waits_ms(), (Times{7'000, -1, 7'000, -1, 7'000, -1}));
  EXPECT_EQ(out.runs_ms(), (Times{5'000, 6'000, 5'000, 6'000, 5'000, 6'000}));
  EXPECT_EQ(out.table.jobs()[4].line, 2U);
  EXPECT_EQ(out.lines[0], "repeat: 6 jobs, 3 times 2, every 2d");
}

TEST(Repeat, CopiesMayOverlap) {
  const std::vector<SourceJob> jobs{{.submit = 0}, {.submit = 25}};
  const Transformed out = transformed(jobs, {"{repeat: {times: 3, every: 10s}}"});
  EXPECT_EQ(out.ids(), (Ids{"0", "0#2", "0#3", "1", "1#2", "1#3"}));
  EXPECT_EQ(out.submits_ms(), (Times{0, 10'000, 20'000, 25'000, 35'000, 45'000}));
  // At one instant the original goes first.
  EXPECT_EQ(transformed(jobs, {"{repeat: {times: 2, every: 25s}}"}).ids(),
            (Ids{"0", "1", "0#2", "1#2"}));
}

TEST(Repeat, OnceChangesNothingAndCopiesMayBeCopied) {
  const std::vector<SourceJob> jobs{{.submit = 0}, {.submit = 25}};
  EXPECT_EQ(transformed(jobs, {"{repeat: {times: 1}}"}).ids(), (Ids{"0", "1"}));
  // Two jobs have the id 0#2 then: the first's copy of each repeat.
  EXPECT_EQ(transformed({{.submit = 0}},
                        {"{repeat: {times: 2, every: 1d}}", "{repeat: {times: 2, every: 5d}}"})
                .ids(),
            (Ids{"0", "0#2", "0#2", "0#2#2"}));
}

// The copy of a follower follows the copy.
TEST(Repeat, ChainsStayWithinACopy) {
  const std::vector<SourceJob> jobs{{.submit = 0}, {.submit = 25, .preceding = "0"}};
  const Transformed out = transformed(jobs, {"{repeat: {times: 2}}"});
  const auto preceding = [&](std::size_t i) {
    const JobTable& table = out.table;
    return table.trait_names().names.name(table.traits_of(table.jobs()[i]).preceding);
  };
  EXPECT_EQ(preceding(1), "0");
  EXPECT_EQ(preceding(2), "");
  EXPECT_EQ(preceding(3), "0#2");
}

TEST(Repeat, RefusesWhatDoesNotFit) {
  const std::vector<SourceJob> jobs{{.submit = 0}};
  EXPECT_NE(fault_of(jobs, {"{repeat: {times: 0}}"}).find("repeat.times"), std::string::npos);
  EXPECT_NE(fault_of(jobs, {"{repeat: {}}"}).find("repeat.times"), std::string::npos);
  EXPECT_NE(fault_of(jobs, {"{repeat: {times: 2, every: 0s}}"}).find("repeat.every"),
            std::string::npos);
  EXPECT_NE(fault_of(jobs, {"{repeat: {times: 10000, every: 3000d}}"}).find("1000 years"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::test
