// Distributions against hand arithmetic and a plain sort.
#include "sim/metrics/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/core/rng.hpp"

namespace berth {
namespace {

TEST(Distribution, OfNothingIsZero) {
  std::vector<std::int64_t> none;
  const Distribution d = distribution_of(std::span(none), 0, 1e-3);
  EXPECT_EQ(d.count, 0u);
  EXPECT_EQ(d.mean, 0);
  EXPECT_EQ(d.max, 0);
}

TEST(Distribution, OfOneIsThatOne) {
  std::vector<std::int64_t> one{2500};
  const Distribution d = distribution_of(one, 2.5, 1e-3);
  for (const double value : {d.mean, d.median, d.p90, d.p99, d.max}) EXPECT_DOUBLE_EQ(value, 2.5);
}

TEST(Distribution, InterpolatesBetweenNeighbours) {
  std::vector<std::int64_t> values{40, 10, 30, 20};
  const Distribution d = distribution_of(values, 25, 1);
  EXPECT_DOUBLE_EQ(d.mean, 25);
  EXPECT_DOUBLE_EQ(d.median, 25);  // position 1.5
  EXPECT_DOUBLE_EQ(d.p90, 37);     // position 2.7
  EXPECT_DOUBLE_EQ(d.p99, 39.7);   // position 2.97
  EXPECT_DOUBLE_EQ(d.max, 40);
}

TEST(Distribution, AgreesWithASort) {
  for (std::uint64_t round = 0; round < 200; ++round) {
    Rng rng(7, "values", round);
    std::vector<double> values(1 + rng.below(60));
    for (double& value : values) value = rng.below(20);
    std::vector<double> sorted = values;
    std::ranges::sort(sorted);
    const auto at = [&](double q) {
      const double position = q * static_cast<double>(sorted.size() - 1);
      const auto low = static_cast<std::size_t>(position);
      const std::size_t high = std::min(low + 1, sorted.size() - 1);
      return sorted[low] + (sorted[high] - sorted[low]) * (position - std::floor(position));
    };
    const Distribution d = distribution_of(values, 0);
    EXPECT_DOUBLE_EQ(d.median, at(0.5));
    EXPECT_DOUBLE_EQ(d.p90, at(0.9));
    EXPECT_DOUBLE_EQ(d.p95, at(0.95));
    EXPECT_DOUBLE_EQ(d.p99, at(0.99));
    EXPECT_DOUBLE_EQ(d.max, sorted.back());
  }
}

}  // namespace
}  // namespace berth
