// Times by a pattern. Instants from `date -u -d TIME +%s`.
#include "workloads/reading/time_pattern.hpp"

#include <gtest/gtest.h>

namespace berth::test {
namespace {

constexpr std::int64_t kTime = 1'711'374'478'000;  // 2024-03-25 13:47:58 UTC, a Monday, day 85

struct Good {
  const char* pattern;
  const char* text;
  std::int64_t expected;
};

TEST(TimePatternTest, ReadsEveryPart) {
  constexpr std::int64_t kSecond = 1000;
  constexpr std::int64_t kMinute = 60 * kSecond;
  constexpr std::int64_t kHour = 60 * kMinute;
  const Good cases[] = {
      {"%Y-%m-%d %H:%M:%S", "2024-03-25 13:47:58", kTime},
      {"%F %T", "2024-03-25 13:47:58", kTime},
      {"%F %R", "2024-03-25 13:47", kTime - 58 * kSecond},
      {"%FT%TZ", "2024-03-25T13:47:58Z", kTime},
      {"%F", "2024-03-25", kTime - 13 * kHour - 47 * kMinute - 58 * kSecond},
      {"%F %H", "2024-03-25 13", kTime - 47 * kMinute - 58 * kSecond},
      {"%D %T", "03/25/24 13:47:58", kTime},
      {"%d.%m.%y %T", "25.3.24 13:47:58", kTime},
      {"%m/%d/%Y %I:%M:%S %p", "3/25/2024 01:47:58 PM", kTime},
      {"%m/%d/%Y %I:%M:%S %p", "3/25/2024 1:47:58 am", kTime - 12 * kHour},
      {"%m/%d/%Y %I:%M:%S%p", "3/25/2024 12:47:58AM", kTime - 13 * kHour},
      {"%m/%d/%Y %I:%M:%S%p", "3/25/2024 12:47:58PM", kTime - kHour},
      {"%d %b %Y %T", "25 Mar 2024 13:47:58", kTime},
      {"%d %B %Y %T", "25 march 2024 13:47:58", kTime},
      {"%a %b %d %T %Y", "Mon Mar 25 13:47:58 2024", kTime},
      {"%A, %d-%b-%y %T", "Monday, 25-MAR-24 13:47:58", kTime},
      {"%a %b %d %T %Y", "Mon Mar    25 13:47:58 2024", kTime},
      {"%Y %j %T", "2024 85 13:47:58", kTime},
      {"%Y%m%d%H%M%S", "20240325134758", kTime},
      {"%F %T", "2024-03-25 13:47:58.25", kTime + 250},
      {"%F %T", "2024-03-25 13:47:58.1239999", kTime + 123},  // digits behind are cut
      {"%F %T%z", "2024-03-25 13:47:58+0800", kTime - 8 * kHour},
      {"%F %T %z", "2024-03-25 13:47:58 -03:30", kTime + 3 * kHour + 30 * kMinute},
      {"%F %T%z", "2024-03-25 13:47:58+08", kTime - 8 * kHour},
      {"%F %T%z", "2024-03-25 13:47:58Z", kTime},
      {"%F at %T (100%%)", "2024-03-25 at 13:47:58 (100%)", kTime},
      {"%d/%m/%y", "01/01/70", 0},  // 69 to 99 are of the last century
  };
  for (const Good& each : cases) {
    const TimePattern pattern(each.pattern);
    ASSERT_EQ(pattern.fault(), "") << each.pattern;
    const Timestamp time = pattern.parse(each.text);
    EXPECT_EQ(time.fault, nullptr) << each.text;
    EXPECT_EQ(time.unix_ms, each.expected) << each.pattern << " of " << each.text;
    EXPECT_EQ(pattern.has_offset(), std::string_view(each.pattern).ends_with("%z"));
  }
}

struct Bad {
  const char* pattern;
  const char* text;
  const char* fault;
};

TEST(TimePatternTest, RefusesWhatDoesNotFit) {
  constexpr const char* kForm = "it is not of this form";
  constexpr const char* kDay = "there is no such day in the calendar";
  const Bad cases[] = {
      {"%F %T", "", kForm},
      {"%F %T", "2024-03-25", kForm},
      {"%F %T", "2024-03-2513:47:58", kForm},
      {"%F %T", "2024/03/25 13:47:58", kForm},
      {"%F %T", "24-03-25 13:47:58", kForm},
      {"%F %T", "-024-03-25 13:47:58", kForm},
      {"%F %T", "2024-03-25 13:47:58.", kForm},
      {"%F %T", " 2024-03-25 13:47:58", kForm},
      {"%F %T", "2024-03-25 13:47:58 ", "something follows that is not of this form"},
      {"%F %T", "2024-03-25 13:47:58+08:00", "something follows that is not of this form"},
      {"%F %T", "2024-02-30 13:47:58", kDay},
      {"%F %T", "2023-02-29 13:47:58", kDay},
      {"%F %T", "2024-00-10 13:47:58", kDay},
      {"%F %T", "2024-13-10 13:47:58", kDay},
      {"%Y %j", "2023 366", kDay},
      {"%Y %j", "2023 0", kDay},
      {"%F %T", "2024-03-25 24:00:00", "the hour is not within 0 and 23"},
      {"%F %T", "2024-03-25 13:60:00", "the minute is not within 0 and 59"},
      {"%F %T", "2024-03-25 13:47:60", "the second is not within 0 and 59"},
      {"%F %I%p", "2024-03-25 0am", "the hour is not within 1 and 12"},
      {"%F %I%p", "2024-03-25 13pm", "the hour is not within 1 and 12"},
      {"%F %I%p", "2024-03-25 1xm", kForm},
      {"%d %b %Y", "25 Mrz 2024", kForm},
      {"%F %T", "1969-12-31 00:00:00", "the year is not within 1970 and 2262"},
      {"%F %T", "2263-01-01 00:00:00", "the year is not within 1970 and 2262"},
      {"%F%z", "2024-03-25+8", kForm},
      {"%F%z", "2024-03-25+08:", kForm},
      {"%F%z", "2024-03-25+25:00", kForm},
      {"%F%z", "2024-03-25 PST", kForm},
  };
  for (const Bad& each : cases) {
    const Timestamp time = TimePattern(each.pattern).parse(each.text);
    ASSERT_NE(time.fault, nullptr) << each.pattern << " of \"" << each.text << '"';
    EXPECT_STREQ(time.fault, each.fault) << each.pattern << " of \"" << each.text << '"';
  }
}

TEST(TimePatternTest, APatternMustTellTheInstant) {
  const std::pair<const char*, const char*> cases[] = {
      {"%F %", "it ends in a %"},
      {"%F %f", "%f is not known; known are %Y"},
      {"%F %T %Z", "names of zones (%Z) are not unique; tell the zone by the option timezone"},
      {"%H:%M", "it needs the year once, as %Y or %y"},
      {"%Y %y-%m-%d", "it needs the year once, as %Y or %y"},
      {"%Y-%m", "it needs the day: %m or %b once, and %d (or %j)"},
      {"%Y-%d", "it needs the day: %m or %b once, and %d (or %j)"},
      {"%Y %b %m %d", "it needs the day: %m or %b once, and %d (or %j)"},
      {"%F %j", "%j tells the day already"},
      {"%F %F", "%Y stands in it twice"},
      {"%F %I:%M", "%I and %p tell the hour together"},
      {"%F %H:%M %p", "%I and %p tell the hour together"},
      {"%F %H %I %p", "it needs the hour once, as %H or %I"},
      {"%F %M", "it needs the hour of its %M"},
      {"%F %H:%S", "it needs the minute of its %S"},
  };
  for (const auto& [pattern, fault] : cases) {
    EXPECT_TRUE(TimePattern(pattern).fault().starts_with(fault))
        << pattern << ": " << TimePattern(pattern).fault();
  }
}

}  // namespace
}  // namespace berth::test
