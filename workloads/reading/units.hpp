// Amounts in the unit that a table counts them in.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/core/time.hpp"
#include "workloads/reading/number.hpp"

namespace berth {

// So many times `unit`, to the nearest millisecond; from 0 to kLongestDuration.
inline std::optional<Duration> parse_span(std::string_view text, Duration unit) {
  const std::optional<double> value = parse_number(text);
  if (!value || *value < 0) return std::nullopt;
  const double ms = *value * static_cast<double>(to_ms(unit));
  if (ms > static_cast<double>(to_ms(kLongestDuration))) return std::nullopt;
  return Duration(std::llround(ms));
}

struct Thousandths {
  std::uint64_t count = 0;
  bool rounded = false;  // the text says something finer
};

// Thousandths of a GPU (or CPU) where `each` of them make one of what the text counts: 1000 for
// whole ones, 10 for per cent. To the nearest, but more than 0 is at least 1. At most 2^31 GPUs.
inline std::optional<Thousandths> parse_thousandths(std::string_view text, std::uint32_t each) {
  const std::optional<double> value = parse_number(text);
  if (!value || *value < 0) return std::nullopt;
  const double exact = *value * each;
  if (exact > kLargestCount * 1000) return std::nullopt;
  const double nearest = exact > 0 && exact < 1 ? 1 : std::round(exact);
  // 0.57 x 1000 is not 570 in binary.
  return Thousandths{static_cast<std::uint64_t>(nearest), std::abs(exact - nearest) > 1e-6};
}

}  // namespace berth
