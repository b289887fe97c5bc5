// Numbers against std::from_chars and by hand.
#include "workloads/reading/number.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <random>
#include <string>
#include <string_view>

namespace berth {
namespace {

TEST(NumberTest, ReadsWhatTracesHold) {
  EXPECT_EQ(parse_number("0"), 0.0);
  EXPECT_EQ(parse_number("936.0"), 936.0);
  EXPECT_EQ(parse_number("0.25"), 0.25);
  EXPECT_EQ(parse_number("-3"), -3.0);
  EXPECT_EQ(parse_number("1e3"), 1000.0);
  EXPECT_EQ(parse_number("123456789012345678901234567890"), 123456789012345678901234567890.0);
}

TEST(NumberTest, RefusesWhatIsNone) {
  for (const char* text : {"", " ", " 1", "1 ", "+1", "--1", "1.2.3", ".", ".5.", "1,5", "0x10",
                           "inf", "nan", "-inf", "1e400", "8x", "eight", "1e", "\xFF"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
    EXPECT_EQ(parse_count(text), std::nullopt) << text;
    EXPECT_EQ(parse_seconds(text), std::nullopt) << text;
  }
}

// The short cut of parse_number is exact: it gives the same bits.
TEST(NumberTest, GivesTheSameDoubleAsTheStandardLibrary) {
  std::mt19937_64 random(2);
  constexpr std::string_view kBytes = "00112233445566778899.........-e";
  int numbers = 0;
  for (int i = 0; i < 500'000; ++i) {
    std::string text(1 + random() % 18, ' ');
    for (char& c : text) c = kBytes[random() % (random() % 8 == 0 ? kBytes.size() : 21)];
    double expected = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), expected);
    const bool is_number = error == std::errc{} && end == text.data() + text.size();
    const std::optional<double> parsed = parse_number(text);
    ASSERT_EQ(parsed.has_value(), is_number) << text;
    if (is_number) {
      ASSERT_EQ(*parsed, expected) << text;
      ++numbers;
    }
  }
  EXPECT_GT(numbers, 100'000);
}

TEST(NumberTest, CountsAreWholeAndFit) {
  EXPECT_EQ(parse_count("0"), 0U);
  EXPECT_EQ(parse_count("8"), 8U);
  EXPECT_EQ(parse_count("8.0"), 8U);
  EXPECT_EQ(parse_count("008"), 8U);
  EXPECT_EQ(parse_count("1e3"), 1000U);
  EXPECT_EQ(parse_count("-0"), 0U);
  EXPECT_EQ(parse_count("999999999"), 999'999'999U);
  EXPECT_EQ(parse_count("2147483648"), 2'147'483'648U);
  EXPECT_EQ(parse_count("2147483648.0"), 2'147'483'648U);
  for (const char* text : {"8.5", "-1", "2147483649", "4294967296", "18446744073709551616",
                           "99999999999999999999999", "1e99"}) {
    EXPECT_EQ(parse_count(text), std::nullopt) << text;
  }
}

TEST(NumberTest, SecondsAreToTheMillisecond) {
  EXPECT_EQ(parse_seconds("0"), Duration(0));
  EXPECT_EQ(parse_seconds("18"), Duration(18'000));
  EXPECT_EQ(parse_seconds("10.0"), Duration(10'000));
  EXPECT_EQ(parse_seconds("1.005"), Duration(1'005));
  EXPECT_EQ(parse_seconds("0.0004"), Duration(0));
  EXPECT_EQ(parse_seconds("315360000"), kLongestDuration);
  EXPECT_EQ(parse_seconds("315360000.0"), kLongestDuration);
  for (const char* text : {"315360001", "315360000.001", "-1", "-0.5", "9999999999", "1e300"}) {
    EXPECT_EQ(parse_seconds(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace berth
