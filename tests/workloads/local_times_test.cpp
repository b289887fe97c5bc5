// The hours in which a clock on the wall does not tell the instant. Instants from `date -u -d`.
#include "workloads/reading/local_times.hpp"

#include <gtest/gtest.h>

namespace berth::test {
namespace {

constexpr std::int64_t kFirstHalfPastOne = 1'509'870'600'000;   // 2017-11-05 08:30 UTC
constexpr std::int64_t kSecondHalfPastOne = 1'509'874'200'000;  // 2017-11-05 09:30 UTC

LocalTimes los_angeles() { return LocalTimes(*TimeZone::find("America/Los_Angeles")); }

TEST(LocalTimesTest, OfAnHourShownTwiceTheFirstIsTaken) {
  const LocalTimes::Result time = los_angeles().parse("2017-11-05 01:30:00");
  EXPECT_EQ(time.fault, nullptr);
  EXPECT_EQ(time.unix_ms, kFirstHalfPastOne);
  EXPECT_STREQ(time.fix,
               "a local time that the clocks showed twice: taken as the first of the two");
}

TEST(LocalTimesTest, UnlessItFollowsALaterInstant) {
  // Submitted at 08:45 UTC, 01:45 on the clock; a start at 01:30 can only be the second.
  const LocalTimes::Result time =
      los_angeles().parse("2017-11-05 01:30:00", kFirstHalfPastOne + 15 * 60'000);
  EXPECT_EQ(time.unix_ms, kSecondHalfPastOne);
  EXPECT_STREQ(time.fix,
               "a local time that the clocks showed twice: taken as the second, since the first "
               "lies before what it follows");
}

TEST(LocalTimesTest, ButNotWhereTheSecondIsTooEarlyAsWell) {
  const LocalTimes::Result time =
      los_angeles().parse("2017-11-05 01:30:00", kSecondHalfPastOne + 1);
  EXPECT_EQ(time.unix_ms, kFirstHalfPastOne);
}

TEST(LocalTimesTest, AnHourThatWasSkippedIsTakenAsIfItHadNotBeen) {
  const LocalTimes::Result time = los_angeles().parse("2017-03-12 02:30:00");
  EXPECT_EQ(time.unix_ms, 1'489'314'600'000);  // 2017-03-12 10:30 UTC
  EXPECT_STREQ(time.fix,
               "a local time that the clocks skipped: taken as if they had not been put forward "
               "yet");
}

TEST(LocalTimesTest, ElsewhereNothingIsAssumed) {
  LocalTimes times = los_angeles();
  const LocalTimes::Result after = times.parse("2017-11-05 02:00:00");
  EXPECT_EQ(after.unix_ms, 1'509'876'000'000);  // 10:00 UTC
  EXPECT_EQ(after.fix, nullptr);
  const LocalTimes::Result written = times.parse("2017-11-05 01:30:00-08:00");
  EXPECT_EQ(written.unix_ms, kSecondHalfPastOne);
  EXPECT_EQ(written.fix, nullptr);
  EXPECT_NE(times.parse("2017-11-31 01:30:00").fault, nullptr);
}

TEST(LocalTimesTest, TheSameOfCivilTimes) {
  // 01:30 on the clock, as if it were UTC.
  const LocalTimes::Result time = los_angeles().of_civil(kFirstHalfPastOne - 7 * 3'600'000);
  EXPECT_EQ(time.unix_ms, kFirstHalfPastOne);
  EXPECT_NE(time.fix, nullptr);
}

TEST(LocalTimesTest, ARowHasEachFixOnce) {
  std::vector<std::string_view> fixes;
  add_fix(fixes, nullptr);
  add_fix(fixes, "a");
  add_fix(fixes, "b");
  add_fix(fixes, "a");
  EXPECT_EQ(fixes, (std::vector<std::string_view>{"a", "b"}));
}

}  // namespace
}  // namespace berth::test
