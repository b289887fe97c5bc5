// window: all expected values by hand.
#include <gtest/gtest.h>

#include "tests/workloads/transforms/transformed.hpp"

namespace berth::test {
namespace {

constexpr std::int64_t kHour = 3600;

TEST(Window, IsHalfOpen) {
  const std::vector<SourceJob> jobs{
      {.submit = 0}, {.submit = 99}, {.submit = 100}, {.submit = 200}, {.submit = 199}};
  const Transformed out = transformed(jobs, {"{window: {from: 100s, to: 200s}}"});
  EXPECT_EQ(out.ids(), (Ids{"2", "4"}));
  EXPECT_EQ(out.submits_ms(), (Times{0, 99'000}));  // time zero is the first that is kept
  EXPECT_EQ(out.table.epoch_unix_ms(), (1'677'600'000LL + 100) * 1000);
  EXPECT_EQ(out.lines[0],
            "window: kept 2 of 5 jobs, those submitted from 2023-02-28 16:01:40 UTC until before "
            "2023-02-28 16:03:20 UTC");
  EXPECT_EQ(transformed(jobs, {"{window: {from: 100s}}"}).ids(), (Ids{"2", "4", "3"}));
  EXPECT_EQ(transformed(jobs, {"{window: {to: 100s}}"}).ids(), (Ids{"0", "1"}));
}

TEST(Window, TakesDatesWithAnOffsetOrAZone) {
  // The first job at midnight of 1 March in Shanghai, then one an hour.
  std::vector<SourceJob> jobs;
  for (int hour = 0; hour < 48; ++hour) jobs.push_back({.submit = hour * kHour});
  for (const char* text : {"{window: {from: 2023-03-02, timezone: Asia/Shanghai}}",
                           "{window: {from: \"2023-03-01 16:00:00Z\"}}",
                           "{window: {from: \"2023-03-02 00:00:00+08:00\"}}",
                           "{window: {from: 2023-03-02+08:00}}", "{window: {from: 1d}}"}) {
    const Transformed out = transformed(jobs, {text});
    EXPECT_EQ(out.table.size(), 24U) << text;
    EXPECT_EQ(out.ids().front(), "24") << text;
  }
}

// 0 ran 100 s from 20 and has 20 s left at 100; 1 waits from 30 until 150; 2 had ended at 100; 3
// never started; 4 comes at 100.
TEST(Window, CanTakeAlongWhatWasGoingOn) {
  const std::vector<SourceJob> jobs{
      {.submit = 10, .run = 100, .wait = 10, .limit = 150},
      {.submit = 30, .run = 60, .wait = 120},
      {.submit = 40, .run = 60, .wait = 0},
      {.submit = 50, .wait = -1},
      {.submit = 110, .run = 5, .wait = 3},
  };
  // `from` counts from the first submission, at 10 s.
  EXPECT_EQ(transformed(jobs, {"{window: {from: 90s}}"}).ids(), (Ids{"4"}));
  const Transformed running = transformed(jobs, {"{window: {from: 90s, running: keep}}"});
  EXPECT_EQ(running.ids(), (Ids{"0", "4"}));
  EXPECT_EQ(running.runs_ms(), (Times{20'000, 5'000}));
  EXPECT_EQ(running.submits_ms(), (Times{0, 10'000}));
  EXPECT_EQ(running.waits_ms(), (Times{0, 3'000}));
  EXPECT_EQ(running.table.jobs()[0].time_limit, std::chrono::seconds(70));
  const Transformed both =
      transformed(jobs, {"{window: {from: 90s, running: keep, waiting: keep}}"});
  EXPECT_EQ(both.ids(), (Ids{"0", "1", "4"}));
  EXPECT_EQ(both.runs_ms(), (Times{20'000, 60'000, 5'000}));
  EXPECT_EQ(both.waits_ms(), (Times{0, 50'000, 3'000}));
  EXPECT_NE(both.lines[0].find("; 1 that ran at its start have their rest to run; 1 that waited"),
            std::string::npos)
      << both.lines[0];
}

// Those that ran go first, though a waiting one stands before them in the trace.
TEST(Window, TheRunningGoAheadOfTheWaiting) {
  const std::vector<SourceJob> jobs{
      {.submit = 0, .wait = 500}, {.submit = 1, .run = 300}, {.submit = 200}};
  EXPECT_EQ(transformed(jobs, {"{window: {from: 200s, running: keep, waiting: keep}}"}).ids(),
            (Ids{"1", "0", "2"}));
}

TEST(Window, RefusesWhatPicksNothingByMistake) {
  const std::vector<SourceJob> jobs{{.submit = 0}};
  EXPECT_NE(fault_of(jobs, {"{window: {from: 2d, to: 1d}}"}).find("ends after it begins"),
            std::string::npos);
  EXPECT_NE(fault_of(jobs, {"{window: {from: 2023-03-02}}"}).find("no offset from UTC"),
            std::string::npos);
  EXPECT_NE(fault_of(jobs, {"{window: {to: 1d, running: keep}}"}).find("no meaning without from"),
            std::string::npos);
  // A date and a time after the first submission meet when the trace is known.
  EXPECT_NE(fault_of(jobs, {"{window: {from: 2d, to: 2023-03-02+08:00}}"})
                .find("the window ends at 2023-03-01 16:00:00 UTC, before it begins at 2023-03-02 "
                      "16:00:00 UTC"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::test
