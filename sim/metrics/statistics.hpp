// The distribution of a quantity over a group of jobs.
#pragma once

#include <cstdint>
#include <vector>

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

// Reorders `values`. The mean is exact for integers: summed in 128 bits, divided once, scaled once.
Distribution distribution_of(std::vector<std::int64_t>& values, double unit);
// The mean is summed in the order given.
Distribution distribution_of(std::vector<double>& values);

}  // namespace berth
