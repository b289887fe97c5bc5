// A published cumulative curve ("so many per cent take at most 2^i seconds") as a distribution.
//
// Between two knots a published curve says nothing. Here the p-quantile within (low, high] is
//   low + (high - low) * ((1 - bend) * (2u + u^2) / 3 + bend * u^3),   0 < u < 1.
// With bend 0 this is the straight line of a logarithmic axis, on which the curves are drawn: its
// 2^u - 1 by the parabola through both ends and 0.2 % off at most, so that no function of libm is
// needed and every machine gives the same bytes. A bend above 0 moves durations towards the lower
// knot, which lowers the mean and leaves the curve at its knots as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::synthetic {

struct Knot {
  double value;       // seconds, above 0
  double cumulative;  // share at most `value`, 0 to 1
};

class Curve {
 public:
  Curve() = default;
  // Knots with values that rise and shares that do not fall, the last share 1. `bend` is 0 to 1.
  Curve(std::vector<Knot> knots, double bend);

  // Bin i holds what lies above knot i - 1 (0 for i = 0) and at most at knot i.
  std::size_t bins() const { return knots_.size(); }
  double share(std::size_t bin) const;
  double mean(std::size_t bin) const;
  double mean() const;

  // `count` whole seconds in ascending order, at evenly spaced quantiles: exactly
  // round(count * share) of them are at or below each knot.
  std::vector<std::uint32_t> values(std::size_t count) const;
  // How many of those lie in each bin.
  std::vector<std::size_t> bin_counts(std::size_t count) const;

 private:
  double low(std::size_t bin) const { return bin == 0 ? 0.0 : knots_[bin - 1].value; }

  std::vector<Knot> knots_;
  double bend_ = 0;
};

}  // namespace berth::synthetic
