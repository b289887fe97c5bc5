// The distribution of a quantity over a group of jobs.
#pragma once

#include <cstdint>
#include <span>

namespace berth {

// Quantiles interpolate linearly between order statistics (Hyndman and Fan 1996, type 7: what
// numpy and R do by default). All zero for an empty group.
struct Distribution {
  std::uint64_t count = 0;
  double mean = 0;
  double median = 0;
  double p90 = 0;
  double p95 = 0;
  double p99 = 0;
  double max = 0;
};

// Reorders `values`; a value times `unit` is what comes out. The caller gives the mean, which it
// can sum in an order that does not depend on how quantiles are selected.
Distribution distribution_of(std::span<std::int64_t> values, double mean, double unit);
Distribution distribution_of(std::span<double> values, double mean);

}  // namespace berth
