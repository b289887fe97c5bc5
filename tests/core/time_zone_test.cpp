// Civil time against dates that are printed in almanacs; `date -d @N` with TZ set says the same.
#include "sim/core/time_zone.hpp"

#include <gtest/gtest.h>

namespace berth {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;

TEST(TimeZoneTest, FindsNamesAndOffsets) {
  EXPECT_EQ(TimeZone::find("UTC")->offset_ms(0), 0);
  EXPECT_EQ(TimeZone::find("Z")->name(), "UTC");
  EXPECT_EQ(TimeZone::find("+08:00")->offset_ms(0), 8 * kHourMs);
  EXPECT_EQ(TimeZone::find("-0530")->offset_ms(0), -5 * kHourMs - kHourMs / 2);
  EXPECT_EQ(TimeZone::find("+08")->name(), "+08:00");
  EXPECT_EQ(TimeZone::find("Asia/Shanghai")->offset_ms(1'600'000'000'000), 8 * kHourMs);
  for (const char* wrong : {"", "Mars/Olympus", "+", "+8", "+24:00", "+08:60", "08:00", "+08:0",
                            "+08:000", "../../etc/passwd", "Asia", "posixrules\n"}) {
    EXPECT_FALSE(TimeZone::find(wrong).has_value()) << wrong;
  }
}

// America/Los_Angeles in 2017: clocks forward on 12 March 10:00 UTC, back on 5 November 09:00 UTC.
TEST(TimeZoneTest, ClocksThatChange) {
  const TimeZone zone = *TimeZone::find("America/Los_Angeles");
  const std::int64_t back = 1'509'872'400'000;     // 2017-11-05 09:00:00 UTC
  const std::int64_t forward = 1'489'312'800'000;  // 2017-03-12 10:00:00 UTC
  EXPECT_EQ(zone.offset_ms(back - 1000), -7 * kHourMs);
  EXPECT_EQ(zone.offset_ms(back), -8 * kHourMs);
  EXPECT_EQ(zone.offset_ms(forward - 1000), -8 * kHourMs);
  EXPECT_EQ(zone.offset_ms(forward), -7 * kHourMs);

  // 01:30 on 5 November was shown twice: first an hour before the other.
  const std::int64_t twice = back - 7 * kHourMs - kHourMs / 2;
  const auto first = zone.to_instant(twice);
  EXPECT_TRUE(first.ambiguous);
  EXPECT_FALSE(first.skipped);
  EXPECT_EQ(first.unix_ms, back - kHourMs / 2);
  // 02:30 on 12 March was skipped: as if the clock had not been put forward, 10:30 UTC.
  const auto skipped = zone.to_instant(forward - 8 * kHourMs + kHourMs / 2);
  EXPECT_TRUE(skipped.skipped);
  EXPECT_EQ(skipped.unix_ms, forward + kHourMs / 2);
}

// Every hour of some years, in any order: what offset_ms says of the answer is the way back.
TEST(TimeZoneTest, ThereAndBack) {
  for (const char* name : {"America/Los_Angeles", "Europe/Berlin", "Australia/Lord_Howe", "UTC",
                           "Asia/Kolkata", "+05:45"}) {
    const TimeZone zone = *TimeZone::find(name);
    const std::int64_t begin = 1'483'228'800'000;  // 2017
    for (std::int64_t i = 0; i < 3 * 365 * 24; ++i) {
      const std::int64_t civil = begin + (i * 7919 % (3 * 365 * 24)) * kHourMs;
      const auto instant = zone.to_instant(civil);
      if (instant.ambiguous || instant.skipped) continue;
      ASSERT_EQ(instant.unix_ms + zone.offset_ms(instant.unix_ms), civil) << name;
    }
  }
}

TEST(TimeZoneTest, Texts) {
  EXPECT_EQ(civil_text(0), "1970-01-01 00:00:00");
  EXPECT_EQ(civil_text(951'782'399'000), "2000-02-28 23:59:59");
  EXPECT_EQ(civil_text(951'782'400'000), "2000-02-29 00:00:00");
  EXPECT_EQ(civil_text(-1000), "1969-12-31 23:59:59");
  EXPECT_EQ(date_text(-1), "1969-12-31");
  EXPECT_EQ(date_text(19'417), "2023-03-01");
}

}  // namespace
}  // namespace berth
