// Timestamps against a calendar that counts days one by one.
#include "workloads/reading/timestamp.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>
#include <string_view>

namespace berth {
namespace {

std::string date_text(int year, int month, int day) {
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
  return text;
}

std::int64_t ms_of(std::string_view text) {
  const Timestamp parsed = parse_timestamp(text);
  EXPECT_EQ(parsed.fault, nullptr) << text << ": " << parsed.fault;
  return parsed.unix_ms;
}

std::string fault_of(std::string_view text) {
  const Timestamp parsed = parse_timestamp(text);
  return parsed.fault == nullptr ? "" : parsed.fault;
}

// The twin: no formula, only the lengths of the months and the rule of leap years.
int days_in(int year, int month) {
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && leap ? 29 : kDays[month - 1];
}

TEST(TimestampTest, AgreesWithCountingDaysFrom1970To2100) {
  TimestampParser parser;
  std::int64_t day_number = 0;
  for (int year = 1970; year <= 2100; ++year) {
    for (int month = 0; month <= 13; ++month) {
      for (int day = 0; day <= 32; ++day) {
        const std::string text = date_text(year, month, day) + " 12:34:56+00:00";
        const bool exists = month >= 1 && month <= 12 && day >= 1 && day <= days_in(year, month);
        for (const Timestamp& parsed : {parse_timestamp(text), parser.parse(text)}) {
          ASSERT_EQ(parsed.fault == nullptr, exists) << text;
          if (exists) {
            // 12 h 34 min 56 s = 43200 + 2040 + 56 s
            ASSERT_EQ(parsed.unix_ms, (day_number * 86'400 + 45'296) * 1000) << text;
          }
        }
        if (exists) ++day_number;
      }
    }
  }
  EXPECT_EQ(day_number, 131 * 365 + 32);  // leap: 1972, 1976 ... 2096, 2000 among them, not 2100
}

TEST(TimestampTest, ReadsEverySecondOfADay) {
  TimestampParser parser;
  const std::int64_t midnight = ms_of("2023-03-01 00:00:00+08:00");
  int second_of_day = 0;
  for (int h = 0; h < 24; ++h) {
    for (int m = 0; m < 60; ++m) {
      for (int s = 0; s < 60; ++s, ++second_of_day) {
        char text[64];
        std::snprintf(text, sizeof text, "2023-03-01 %02d:%02d:%02d+08:00", h, m, s);
        ASSERT_EQ(parser.parse(text).unix_ms, midnight + second_of_day * 1000) << text;
        ASSERT_EQ(ms_of(text), midnight + second_of_day * 1000) << text;
      }
    }
  }
  EXPECT_EQ(second_of_day, 86'400);
}

TEST(TimestampTest, KnownInstants) {
  EXPECT_EQ(ms_of("1970-01-01 00:00:00+00:00"), 0);
  EXPECT_EQ(ms_of("1970-01-01 00:00:00+08:00"), -8 * 3'600'000);
  EXPECT_EQ(ms_of("2001-09-09 01:46:40Z"), 1'000'000'000'000);  // a billion seconds
  EXPECT_EQ(ms_of("2009-02-13 23:31:30Z"), 1'234'567'890'000);
  EXPECT_EQ(ms_of("2038-01-19 03:14:07Z"), 2'147'483'647'000);  // 2^31 - 1
  EXPECT_EQ(ms_of("2023-02-28 16:18:22Z"), ms_of("2023-03-01 00:18:22+08:00"));
}

TEST(TimestampTest, AnyOffset) {
  const std::int64_t noon = ms_of("2023-05-17 12:00:00Z");
  for (const char* text :
       {"2023-05-17 12:00:00+00:00", "2023-05-17 12:00:00-00:00", "2023-05-17 12:00:00z",
        "2023-05-17T12:00:00Z", "2023-05-17t12:00:00Z", "2023-05-17 20:00:00+08:00",
        "2023-05-17 20:00:00+0800", "2023-05-17 20:00:00+08", "2023-05-17 07:00:00-05:00",
        "2023-05-17 07:00:00-0500", "2023-05-17 07:00:00-05", "2023-05-17 17:45:00+05:45",
        "2023-05-17 08:30:00-0330", "2023-05-18 02:00:00+14:00", "2023-05-17 00:00:00-12",
        "2023-05-18 11:59:00+23:59", "2023-05-16 12:01:00-23:59"}) {
    EXPECT_EQ(ms_of(text), noon) << text;
  }
}

TEST(TimestampTest, FractionsAreKeptToTheMillisecondAndCut) {
  const std::int64_t second = ms_of("2023-05-17 12:00:00Z");
  EXPECT_EQ(ms_of("2023-05-17 12:00:00.5Z"), second + 500);
  EXPECT_EQ(ms_of("2023-05-17 12:00:00.05Z"), second + 50);
  EXPECT_EQ(ms_of("2023-05-17 12:00:00.007+00"), second + 7);
  EXPECT_EQ(ms_of("2023-05-17 12:00:00.1234567Z"), second + 123);
  EXPECT_EQ(ms_of("2023-05-17 12:00:00.999999999999+00:00"), second + 999);
  EXPECT_EQ(ms_of("2023-05-17 12:00:00.000000Z"), second);
}

TEST(TimestampTest, SaysWhatIsWrong) {
  const std::string shape = "it is not of the form YYYY-MM-DD hh:mm:ss+hh:mm";
  const std::string day = "there is no such day in the calendar";
  EXPECT_EQ(fault_of(""), shape);
  EXPECT_EQ(fault_of("yesterday"), shape);
  EXPECT_EQ(fault_of("1677601102"), shape);
  EXPECT_EQ(fault_of("2023/03/01 00:18:22+08:00"), shape);
  EXPECT_EQ(fault_of("2023-3-1 00:18:22+08:00"), shape);
  EXPECT_EQ(fault_of("01-03-2023 00:18:22+08:00"), shape);
  EXPECT_EQ(fault_of("2023-03-01_00:18:22+08:00"), shape);
  EXPECT_EQ(fault_of("2023-03-01  00:18:22+08:00"), shape);
  EXPECT_EQ(fault_of("2023-03-01 0:18:22+08:00"), shape);
  EXPECT_EQ(fault_of("2023-03-01 00:18+08:00"), shape);
  EXPECT_EQ(fault_of(" 2023-03-01 00:18:22+08:00"), shape);
  EXPECT_EQ(fault_of("-2023-03-01 00:18:22+08:00"), shape);
  EXPECT_EQ(fault_of("2023-02-30 00:18:22+08:00"), day);
  EXPECT_EQ(fault_of("2023-02-29 00:18:22+08:00"), day);
  EXPECT_EQ(fault_of("2100-02-29 00:18:22+08:00"), day);
  EXPECT_EQ(fault_of("2024-02-29 00:18:22+08:00"), "");
  EXPECT_EQ(fault_of("2023-04-31 00:18:22+08:00"), day);
  EXPECT_EQ(fault_of("2023-13-01 00:18:22+08:00"), day);
  EXPECT_EQ(fault_of("2023-00-01 00:18:22+08:00"), day);
  EXPECT_EQ(fault_of("2023-01-00 00:18:22+08:00"), day);
  EXPECT_EQ(fault_of("2023-03-01"), "the time of day is missing");
  EXPECT_EQ(fault_of("2023-03-01 24:00:00+08:00"), "the hour is not within 00 and 23");
  EXPECT_EQ(fault_of("2023-03-01 00:60:00+08:00"), "the minute is not within 00 and 59");
  EXPECT_EQ(fault_of("2016-12-31 23:59:60+00:00"), "the second is not within 00 and 59");
  EXPECT_EQ(fault_of("2023-03-01 00:18:22.+08:00"), "no digit follows the decimal point");
  EXPECT_EQ(fault_of("2023-03-01 00:18:22"), "the offset from UTC is missing, such as +08:00 or Z");
  EXPECT_EQ(fault_of("2023-03-01 00:18:22 UTC"),
            "an offset from UTC, such as +08:00 or Z, should follow the seconds");
  EXPECT_EQ(fault_of("2023-03-01 00:18:22Zulu"), "something follows the Z");
  const std::string offset = "the offset from UTC is not Z, +hh:mm, +hhmm or +hh";
  EXPECT_EQ(fault_of("2023-03-01 00:18:22+8"), offset);
  EXPECT_EQ(fault_of("2023-03-01 00:18:22+08:"), offset);
  EXPECT_EQ(fault_of("2023-03-01 00:18:22+080"), offset);
  EXPECT_EQ(fault_of("2023-03-01 00:18:22+08:00 "), offset);
  EXPECT_EQ(fault_of("2023-03-01 00:18:22+"), offset);
  EXPECT_EQ(fault_of("2023-03-01 00:18:22+24:00"), "the offset from UTC is not within 23:59");
  EXPECT_EQ(fault_of("2023-03-01 00:18:22+08:60"), "the offset from UTC is not within 23:59");
  EXPECT_EQ(fault_of("1969-12-31 23:59:59+00:00"), "the year is not within 1970 and 2262");
  EXPECT_EQ(fault_of("2263-01-01 00:00:00+00:00"), "the year is not within 1970 and 2262");
  EXPECT_EQ(fault_of("2262-12-31 23:59:59+00:00"), "");
}

// The remembering parser is only faster: on texts that differ in a byte or two, whatever it has
// seen before, it gives what the plain one gives.
TEST(TimestampTest, TheRememberingParserGivesTheSame) {
  std::mt19937_64 random(1);
  constexpr std::string_view kTexts[] = {"2023-03-01 00:18:22+08:00", "2023-03-01 23:59:59+08:00",
                                         "2023-03-02 10:00:00-05:30", "2023-03-01T00:18:22+08:00",
                                         "2023-03-01 00:18:22Z",      "2023-03-01 00:18:22.1234Z",
                                         "2023-03-01 00:18:22.12+08", "2024-02-29 00:00:00+00:00"};
  constexpr std::string_view kBytes = "0123456789:-+ TZ.\xFFx";
  TimestampParser parser;
  int valid = 0;
  for (int i = 0; i < 300'000; ++i) {
    std::string text(kTexts[random() % std::size(kTexts)]);
    for (auto changes = random() % 3; changes > 0; --changes) {
      text[random() % text.size()] = kBytes[random() % kBytes.size()];
    }
    const Timestamp plain = parse_timestamp(text);
    const Timestamp fast = parser.parse(text);
    ASSERT_EQ(plain.unix_ms, fast.unix_ms) << text;
    ASSERT_STREQ(plain.fault, fast.fault) << text;
    valid += plain.fault == nullptr ? 1 : 0;
  }
  EXPECT_GT(valid, 100'000);
}

// A civil time is the instant with the same digits and Z.
TEST(TimestampTest, CivilTimesAreThoseOfUtcWithoutTheZ) {
  EXPECT_EQ(parse_civil_time("2023-03-01 00:18:22").unix_ms,
            parse_timestamp("2023-03-01 00:18:22Z").unix_ms);
  EXPECT_EQ(parse_civil_time("2023-03-01T00:18:22.5").unix_ms,
            parse_timestamp("2023-03-01 00:18:22.500Z").unix_ms);
  EXPECT_STREQ(parse_civil_time("2023-03-01 00:18:22Z").fault, "something follows the seconds");
  EXPECT_NE(parse_civil_time("2023-03-01").fault, nullptr);
}

// Local times of a zone against the same instants written with their offsets, also while the
// parser remembers dates, and whatever else it has seen.
TEST(TimestampTest, ZonedTimesAreTheInstantsWithTheOffset) {
  ZonedTimestampParser shanghai(*TimeZone::find("Asia/Shanghai"));
  std::mt19937_64 random(2);
  for (int i = 0; i < 20'000; ++i) {
    char text[32];
    std::snprintf(text, sizeof text, "2023-%02u-%02u%c%02u:%02u:%02u", 1 + unsigned(random() % 12),
                  1 + unsigned(random() % 28), random() % 9 == 0 ? 'T' : ' ',
                  unsigned(random() % 25), unsigned(random() % 61), unsigned(random() % 61));
    const auto zoned = shanghai.parse(text);
    const Timestamp with_offset = parse_timestamp(std::string(text) + "+08:00");
    ASSERT_EQ(zoned.fault == nullptr, with_offset.fault == nullptr) << text;
    if (zoned.fault == nullptr) {
      ASSERT_EQ(zoned.unix_ms, with_offset.unix_ms) << text;
    }
  }
  // An offset in the text counts for itself.
  EXPECT_EQ(shanghai.parse("2023-03-01 00:18:22Z").unix_ms,
            parse_timestamp("2023-03-01 00:18:22Z").unix_ms);
  ZonedTimestampParser pacific(*TimeZone::find("America/Los_Angeles"));
  const auto twice = pacific.parse("2017-11-05 01:30:00");
  EXPECT_TRUE(twice.ambiguous);
  EXPECT_EQ(twice.unix_ms, parse_timestamp("2017-11-05 01:30:00-07:00").unix_ms);
  EXPECT_TRUE(pacific.parse("2017-03-12 02:30:00").skipped);
}

}  // namespace
}  // namespace berth
