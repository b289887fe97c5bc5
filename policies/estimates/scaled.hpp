// A run time times a factor, in whole milliseconds, never longer than any duration may be.
#pragma once

#include <cmath>

#include "sim/core/time.hpp"

namespace berth {

inline Duration scaled(Duration run, double factor) {
  const double ms = static_cast<double>(to_ms(run)) * factor;
  if (ms >= static_cast<double>(to_ms(kLongestDuration))) return kLongestDuration;
  return Duration(std::llround(ms));
}

}  // namespace berth
