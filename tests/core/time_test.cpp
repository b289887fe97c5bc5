// Durations as they are written and read. Expected values are counted by hand: a minute is 60 s, an
// hour 3,600 s, a day 86,400 s, a week 604,800 s.
#include "sim/core/time.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/rng.hpp"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

std::string seconds_text(std::int64_t ms) {
  std::string out;
  append_seconds(out, Duration(ms));
  return out;
}

TEST(AppendSeconds, HasDecimalsOnlyWhereTheValueHasThem) {
  EXPECT_EQ(seconds_text(0), "0");
  EXPECT_EQ(seconds_text(12'000), "12");
  EXPECT_EQ(seconds_text(12'500), "12.5");
  EXPECT_EQ(seconds_text(12'340), "12.34");
  EXPECT_EQ(seconds_text(12'345), "12.345");
  EXPECT_EQ(seconds_text(5), "0.005");
  EXPECT_EQ(seconds_text(50), "0.05");
  EXPECT_EQ(seconds_text(1'001), "1.001");
  EXPECT_EQ(seconds_text(-1'500), "-1.5");
  EXPECT_EQ(seconds_text(-20), "-0.02");
}

TEST(AppendSeconds, HoldsTheWholeRangeOfTheClock) {
  EXPECT_EQ(seconds_text(std::numeric_limits<std::int64_t>::max()), "9223372036854775.807");
  EXPECT_EQ(seconds_text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775.808");
}

TEST(AppendSeconds, AppendsToWhatIsThere) {
  std::string out = "t=";
  append_seconds(out, milliseconds(1'250));
  EXPECT_EQ(out, "t=1.25");
}

TEST(Describe, GivesTheTwoLargestUnits) {
  EXPECT_EQ(describe(Duration(0)), "0 s");
  EXPECT_EQ(describe(milliseconds(250)), "250 ms");
  EXPECT_EQ(describe(seconds(59)), "59 s");
  EXPECT_EQ(describe(seconds(7'503)), "2 h 5 min");   // 7,503 = 2 x 3,600 + 5 x 60 + 3
  EXPECT_EQ(describe(hours(24 * 8 + 1)), "8 d 1 h");  // no weeks
  EXPECT_EQ(describe(seconds(-90)), "-1 min 30 s");
  EXPECT_FALSE(describe(Duration::min()).empty());
}

TEST(ParseDuration, KnowsEveryUnit) {
  EXPECT_EQ(parse_duration("250ms"), Duration(250));
  EXPECT_EQ(parse_duration("30s"), Duration(30'000));
  EXPECT_EQ(parse_duration("5min"), Duration(300'000));
  EXPECT_EQ(parse_duration("5m"), Duration(300'000));
  EXPECT_EQ(parse_duration("2h"), Duration(7'200'000));
  EXPECT_EQ(parse_duration("10d"), Duration(864'000'000));
  EXPECT_EQ(parse_duration("1w"), Duration(604'800'000));
}

TEST(ParseDuration, AddsParts) {
  EXPECT_EQ(parse_duration("2h30m"), Duration(9'000'000));
  EXPECT_EQ(parse_duration("1d 12h"), Duration(129'600'000));
  EXPECT_EQ(parse_duration("1d12h"), Duration(129'600'000));
  EXPECT_EQ(parse_duration("  1 h  1 s "), Duration(3'601'000));
  EXPECT_EQ(parse_duration("1s1ms"), Duration(1'001));
}

TEST(ParseDuration, TakesDecimalsAndRoundsToTheMillisecond) {
  EXPECT_EQ(parse_duration("1.5h"), Duration(5'400'000));
  EXPECT_EQ(parse_duration("0.1s"), Duration(100));
  EXPECT_EQ(parse_duration("0.0004s"), Duration(0));
  EXPECT_EQ(parse_duration("0.0006s"), Duration(1));
  EXPECT_EQ(parse_duration("0s"), Duration(0));
}

TEST(ParseDuration, RefusesWhatIsNotOne) {
  for (const char* text :
       {"",      " ",    "30",    "s",      "min",    "h2",     "-5s",      "- 5s",
        "+5s",   "1e3s", "1,5h",  "5S",     "5Min",   "5 mins", "20 dy",    "1h30",
        "1h 30", "1h;",  "1..5s", "infs",   "inf",    "nan",    "nand",     "0x10s",
        "5s x",  "5s\n", "\t5s",  "five s", "1_000s", "5ss",    "\xc2\xb5s"}) {
    EXPECT_FALSE(parse_duration(text).has_value()) << '"' << text << '"';
  }
}

TEST(ParseDuration, StopsAtTheLongestDuration) {
  EXPECT_EQ(parse_duration("3650d"), kLongestDuration);
  EXPECT_EQ(parse_duration("87600h"), kLongestDuration);
  EXPECT_FALSE(parse_duration("3650d1ms").has_value());
  EXPECT_FALSE(parse_duration("522w").has_value());  // 3,654 days
  EXPECT_EQ(parse_duration("521w"), Duration(hours(24 * 7 * 521)));
  EXPECT_FALSE(parse_duration("99999999999999999999999d").has_value());
  EXPECT_FALSE(parse_duration(std::string(500, '9') + "s").has_value());
  EXPECT_FALSE(parse_duration("3650d 3650d").has_value());
}

TEST(ParseDuration, DoesNotReadBehindItsText) {
  const std::string text = "15s";
  EXPECT_FALSE(parse_duration(std::string_view(text).substr(0, 2)).has_value());
  EXPECT_FALSE(parse_duration(std::string_view()).has_value());
}

TEST(FormatDuration, UsesTheLargestUnitsFromDays) {
  EXPECT_EQ(format_duration(Duration(0)), "0s");
  EXPECT_EQ(format_duration(milliseconds(1)), "1ms");
  EXPECT_EQ(format_duration(seconds(60)), "1min");
  EXPECT_EQ(format_duration(minutes(5)), "5min");
  EXPECT_EQ(format_duration(hours(36)), "1d12h");
  EXPECT_EQ(format_duration(hours(24 * 7)), "7d");
  EXPECT_EQ(format_duration(milliseconds(90'061'001)), "1d1h1min1s1ms");
  EXPECT_EQ(format_duration(kLongestDuration), "3650d");
}

TEST(FormatDuration, IsReadBackAsTheSame) {
  std::vector<std::int64_t> values;
  for (std::int64_t ms = 0; ms < 5'000; ++ms) values.push_back(ms);
  for (const std::int64_t unit : {1'000, 60'000, 3'600'000, 86'400'000, 604'800'000}) {
    for (std::int64_t count = 1; count <= 100; ++count) {
      for (std::int64_t off = -2; off <= 2; ++off) values.push_back(count * unit + off);
    }
  }
  values.push_back(to_ms(kLongestDuration));
  values.push_back(to_ms(kLongestDuration) - 1);
  Rng rng(1, "durations");
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(
        static_cast<std::int64_t>(rng.uniform() * static_cast<double>(to_ms(kLongestDuration))));
  }
  for (const std::int64_t ms : values) {
    const std::string text = format_duration(Duration(ms));
    ASSERT_EQ(parse_duration(text), Duration(ms)) << text;
  }
}

}  // namespace
}  // namespace berth
