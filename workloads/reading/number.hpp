// Numbers as trace files write them: "8", "8.0", "0.25", "1e3". Not a number: nothing, spaces, a
// leading plus, inf, nan, anything behind the number.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/core/time.hpp"

namespace berth {

inline constexpr double kLargestCount = 2147483648.0;

// The nearest double. Up to 15 digits are read here: digits and the power of ten are then exact,
// and so their quotient is what std::from_chars, which takes the rest, would give.
inline std::optional<double> parse_number(std::string_view text) {
  constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  if (text.size() <= 16) {
    std::int64_t digits = 0;
    std::size_t count = 0;
    std::size_t point = text.size();
    for (std::size_t i = 0; i < text.size(); ++i) {
      const unsigned digit = static_cast<unsigned>(text[i]) - '0';
      if (digit <= 9) {
        digits = digits * 10 + digit;
        ++count;
      } else if (text[i] == '.' && point == text.size() && i > 0) {
        point = i;
      } else {
        count = 0;  // a minus, an exponent, or no number
        break;
      }
    }
    const std::size_t decimals = point == text.size() ? 0 : text.size() - point - 1;
    if (count > 0 && count <= 15) return static_cast<double>(digits) / kPowers[decimals];
  }
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || behind != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

// At most nine digits and nothing else, which is what nearly all fields of a trace are; -1 if not.
inline std::int64_t parse_short_whole(std::string_view text) {
  if (text.empty() || text.size() > 9) return -1;
  std::int64_t value = 0;
  for (const char c : text) {
    const unsigned digit = static_cast<unsigned>(c) - '0';
    if (digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

// A whole number from 0 to 2^31, which may be written with decimals that are zero.
inline std::optional<std::uint32_t> parse_count(std::string_view text) {
  if (const std::int64_t n = parse_short_whole(text); n >= 0) return static_cast<std::uint32_t>(n);
  const std::optional<double> value = parse_number(text);
  if (!value || !(*value >= 0 && *value <= kLargestCount)) return std::nullopt;
  const auto count = static_cast<std::uint32_t>(*value);
  if (static_cast<double>(count) != *value) return std::nullopt;
  return count;
}

// Seconds from 0 to kLongestDuration, to the nearest millisecond.
inline std::optional<Duration> parse_seconds(std::string_view text) {
  std::int64_t ms = 0;
  if (const std::int64_t n = parse_short_whole(text); n >= 0) {
    ms = n * 1000;
  } else {
    const std::optional<double> value = parse_number(text);
    if (!value || !(*value >= 0 && *value <= to_seconds(kLongestDuration))) return std::nullopt;
    ms = std::llround(*value * 1000.0);
  }
  if (ms > to_ms(kLongestDuration)) return std::nullopt;
  return Duration(ms);
}

}  // namespace berth
