// Bounds and rounding for what stretches the time of a workload.
#pragma once

#include <charconv>
#include <cmath>
#include <string>

#include "sim/core/time.hpp"
#include "workloads/transforms/option_place.hpp"

namespace berth {

// From the first submission to the last: a thousand years, far inside what the clock holds.
inline constexpr Duration kLongestSpan = 100 * kLongestDuration;

inline void check_span(double span_ms, const OptionPlace& place) {
  if (span_ms <= static_cast<double>(to_ms(kLongestSpan))) return;
  throw place.fault("submissions would spread over more than 1000 years");
}

// `d` times `factor`, rounded to the millisecond, halves away from zero. Exact while the product
// is below 2^53 ms (285,000 years), so a factor of 1 changes nothing.
inline Duration scaled(Duration d, double factor) {
  return Duration(std::llround(static_cast<double>(to_ms(d)) * factor));
}

// The shortest text that reads back as `factor`: "0.1".
inline std::string factor_text(double factor) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, factor).ptr};
}

}  // namespace berth
