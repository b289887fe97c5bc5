// The quartiles of a quantity over a group of jobs, and what lies around them.
#pragma once

#include <cstdint>
#include <span>

namespace berth {

// Quantiles as in sim/metrics/statistics.hpp (type 7). All zero for an empty group.
struct Quartiles {
  std::uint64_t count = 0;
  double mean = 0;
  double min = 0;
  double p25 = 0;
  double p50 = 0;
  double p75 = 0;
  double p90 = 0;
  double p99 = 0;
  double max = 0;
};

// REQUIRES: sorted. A value times `unit` is what comes out.
Quartiles quartiles_of(std::span<const std::int64_t> sorted, double unit);

}  // namespace berth
