// Sizes as they are written and read. A kB is 1,000 B, a KiB 1,024 B, and so on by 1,000 and 1,024.
#include "sim/core/quantity.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "sim/core/rng.hpp"

namespace berth {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(ParseBytes, KnowsEveryUnit) {
  EXPECT_EQ(parse_bytes("7B"), 7);
  EXPECT_EQ(parse_bytes("3kB"), 3'000);
  EXPECT_EQ(parse_bytes("3KiB"), 3'072);
  EXPECT_EQ(parse_bytes("14MB"), 14'000'000);
  EXPECT_EQ(parse_bytes("1MiB"), 1'048'576);
  EXPECT_EQ(parse_bytes("14GB"), 14'000'000'000);
  EXPECT_EQ(parse_bytes("80GiB"), 85'899'345'920);  // 80 x 1,073,741,824
  EXPECT_EQ(parse_bytes("2 TB"), 2'000'000'000'000);
  EXPECT_EQ(parse_bytes("1TiB"), 1'099'511'627'776);
  EXPECT_EQ(parse_bytes("0GB"), 0);
}

TEST(ParseBytes, TakesDecimals) {
  EXPECT_EQ(parse_bytes("1.5TB"), 1'500'000'000'000);
  EXPECT_EQ(parse_bytes("0.5KiB"), 512);
  EXPECT_EQ(parse_bytes("0.25GiB"), 268'435'456);
  EXPECT_EQ(parse_bytes("0.1kB"), 100);
  EXPECT_EQ(parse_bytes("2.4B"), 2);
  EXPECT_EQ(parse_bytes("2.6B"), 3);
}

TEST(ParseBytes, IsExactUpToTheLastByte) {
  EXPECT_EQ(parse_bytes("9007199254740993B"), 9'007'199'254'740'993);  // 2^53 + 1
  EXPECT_EQ(parse_bytes("9223372036854775807B"), kMax);
  EXPECT_FALSE(parse_bytes("9223372036854775808B").has_value());
  EXPECT_EQ(parse_bytes("8388607TiB"), 9'223'370'937'343'148'032);  // (2^23 - 1) x 2^40
  EXPECT_FALSE(parse_bytes("8388608TiB").has_value());              // 2^63
  EXPECT_EQ(parse_bytes("9223372TB"), 9'223'372'000'000'000'000);
  EXPECT_FALSE(parse_bytes("9223373TB").has_value());
  EXPECT_FALSE(parse_bytes("99999999999999999999999999TB").has_value());
}

TEST(ParseBytes, RefusesWhatIsNotOne) {
  for (const char* text :
       {"",      " ",     "80",     "GB",    "-1GB",    "-0B",   "+1GB",   "80gb",
        "80Gb",  "80G",   "80 GBs", "1e3B",  "1e3GB",   "inf",   "infB",   "nanB",
        "0x10B", "1,5GB", "1..5GB", "1.GBs", "1GB 2MB", "80GB ", "\t80GB", "eighty GB"}) {
    EXPECT_FALSE(parse_bytes(text).has_value()) << '"' << text << '"';
  }
}

TEST(FormatBytes, TakesTheLargestUnitThatDivides) {
  EXPECT_EQ(format_bytes(0), "0B");
  EXPECT_EQ(format_bytes(7), "7B");
  EXPECT_EQ(format_bytes(1'000), "1kB");
  EXPECT_EQ(format_bytes(1'024), "1KiB");
  EXPECT_EQ(format_bytes(1'610'612'736), "1536MiB");  // 1.5 GiB
  EXPECT_EQ(format_bytes(85'899'345'920), "80GiB");
  EXPECT_EQ(format_bytes(1'000'000'000'000), "1TB");
  EXPECT_EQ(format_bytes(2'000'000'000'000), "2TB");
  EXPECT_EQ(format_bytes(1'500'000'000), "1500MB");
  EXPECT_EQ(format_bytes(128'000), "125KiB");  // 128 kB too; a KiB is larger
  EXPECT_EQ(format_bytes(1'001), "1001B");
  EXPECT_EQ(format_bytes(kMax), "9223372036854775807B");
}

TEST(FormatBytes, IsReadBackAsTheSame) {
  const auto check = [](std::int64_t bytes) {
    const std::string text = format_bytes(bytes);
    ASSERT_EQ(parse_bytes(text), bytes) << text;
  };
  for (std::int64_t bytes = 0; bytes < 5'000; ++bytes) check(bytes);
  for (const std::int64_t unit :
       {1'000, 1'024, 1'000'000, 1'048'576, 1'000'000'000, 1'073'741'824}) {
    for (std::int64_t count = 1; count < 2'000; ++count) {
      for (std::int64_t off = -1; off <= 1; ++off) check(count * unit + off);
    }
  }
  Rng rng(1, "bytes");
  for (int i = 0; i < 20'000; ++i) {
    const auto high = static_cast<std::int64_t>(rng.next_u32() >> 1u);
    const auto draw = high * 4'294'967'296 + static_cast<std::int64_t>(rng.next_u32());
    check(draw >> rng.below(63));
  }
  check(kMax);
}

}  // namespace
}  // namespace berth
