// On which days jobs were submitted, by a site's clock. Instants are from `date -u -d TIME +%s`.
#include "sim/metrics/submission_days.hpp"

#include <gtest/gtest.h>

namespace berth::test {
namespace {

constexpr std::int64_t kHour = 3'600'000;
constexpr std::int64_t kMarch1 = 1'677'628'800'000;  // 2023-03-01 00:00:00 UTC
constexpr std::int64_t kMarch1Day = 19'417;          // since 1970-01-01: kMarch1 / 86,400,000

TimeZone zone(const char* name) { return TimeZone::find(name).value(); }

std::vector<Job> submitted_at_hours(std::initializer_list<int> hours) {
  std::vector<Job> jobs;
  for (const int hour : hours) {
    jobs.emplace_back().submit = SimTime(Duration(hour * kHour));
    jobs.back().gpu_parts = hour % 2 == 0 ? 1 : 0;
  }
  return jobs;
}

TEST(SubmissionDaysTest, CountsByTheLocalDay) {
  // In Shanghai (+8) the hours 15 and 16 of a UTC day lie on either side of midnight.
  const SubmissionDays days =
      submission_days(submitted_at_hours({0, 15, 16, 40}), kMarch1, zone("Asia/Shanghai"));
  EXPECT_EQ(days.first_day, kMarch1Day);
  EXPECT_EQ(days.jobs, (std::vector<std::uint64_t>{2, 1, 1}));
  EXPECT_EQ(days.gpu_jobs, (std::vector<std::uint64_t>{1, 1, 1}));
  EXPECT_EQ(days.days_covered, 3U);
  EXPECT_TRUE(days.holes.empty());
  EXPECT_EQ(days.first_unix_ms, kMarch1);
  EXPECT_EQ(days.last_unix_ms, kMarch1 + 40 * kHour);
  EXPECT_EQ(civil_text(days.first_civil_ms), "2023-03-01 08:00:00");
  EXPECT_EQ(civil_text(days.last_civil_ms), "2023-03-03 00:00:00");
}

TEST(SubmissionDaysTest, NamesTheDaysWithout) {
  // On days 0, 1, 4 and 6.
  const SubmissionDays days = submission_days(
      submitted_at_hours({1, 30, 4 * 24, 4 * 24 + 1, 6 * 24}), kMarch1, TimeZone::utc());
  EXPECT_EQ(days.jobs, (std::vector<std::uint64_t>{1, 1, 0, 0, 2, 0, 1}));
  EXPECT_EQ(days.days_covered, 4U);
  ASSERT_EQ(days.holes.size(), 2U);
  EXPECT_EQ(days.holes[0].first_day, kMarch1Day + 2);
  EXPECT_EQ(days.holes[0].last_day, kMarch1Day + 3);
  EXPECT_EQ(days.holes[1].first_day, kMarch1Day + 5);
  EXPECT_EQ(days.holes[1].last_day, kMarch1Day + 5);
}

TEST(SubmissionDaysTest, TheClockMayGoBackOverMidnight) {
  // Havana put its clocks back from 01:00 to 00:00 on 2023-11-05 (05:00 UTC): the day is the same;
  // the hour before (04:30 UTC = 00:30) and after (05:30 UTC = 00:30 again) are both on the 5th.
  constexpr std::int64_t kNovember5 = 1'699'142'400'000;  // 2023-11-05 00:00:00 UTC
  std::vector<Job> jobs(2);
  jobs[0].submit = SimTime(Duration(4 * kHour + kHour / 2));
  jobs[1].submit = SimTime(Duration(5 * kHour + kHour / 2));
  const SubmissionDays days = submission_days(jobs, kNovember5, zone("America/Havana"));
  EXPECT_EQ(civil_text(days.first_civil_ms), "2023-11-05 00:30:00");
  EXPECT_EQ(civil_text(days.last_civil_ms), "2023-11-05 00:30:00");
  EXPECT_EQ(days.jobs, (std::vector<std::uint64_t>{2}));
}

TEST(LocalClockTest, FollowsAChangeWithinTheHour) {
  // Lord Howe Island changes by half an hour: +11:00 to +10:30 at 2023-04-01 15:00 UTC. Kathmandu
  // stands at +05:45 always.
  LocalClock lord_howe(zone("Australia/Lord_Howe"));
  constexpr std::int64_t kChange = 1'680'361'200'000;  // 2023-04-01 15:00:00 UTC
  EXPECT_EQ(lord_howe.civil_ms(kChange - 1) - (kChange - 1), 11 * kHour);
  EXPECT_EQ(lord_howe.civil_ms(kChange) - kChange, 10 * kHour + kHour / 2);
  EXPECT_EQ(lord_howe.civil_ms(kChange - 1) - (kChange - 1), 11 * kHour);
  LocalClock kathmandu(zone("Asia/Kathmandu"));
  EXPECT_EQ(kathmandu.civil_ms(kChange) - kChange, 5 * kHour + 45 * 60'000);
}

TEST(LocalClockTest, RoundsDownBefore1970) {
  EXPECT_EQ(floor_div(-1, 10), -1);
  EXPECT_EQ(floor_div(-10, 10), -1);
  EXPECT_EQ(floor_div(-11, 10), -2);
  EXPECT_EQ(floor_div(9, 10), 0);
}

}  // namespace
}  // namespace berth::test
