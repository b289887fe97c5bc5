#include "workloads/synthetic/curve.hpp"

#include <cmath>
#include <utility>

#include "sim/core/check.hpp"

namespace berth::synthetic {

Curve::Curve(std::vector<Knot> knots, double bend) : knots_(std::move(knots)), bend_(bend) {
  SIM_CHECK(!knots_.empty() && knots_.back().cumulative == 1.0, "a curve that does not reach 1");
}

double Curve::share(std::size_t bin) const {
  return knots_[bin].cumulative - (bin == 0 ? 0.0 : knots_[bin - 1].cumulative);
}

double Curve::mean(std::size_t bin) const {
  const double within = (1 - bend_) * 4.0 / 9.0 + bend_ / 4.0;  // of the quantile, over 0 < u < 1
  return low(bin) + (knots_[bin].value - low(bin)) * within;
}

double Curve::mean() const {
  double sum = 0;
  for (std::size_t i = 0; i < bins(); ++i) sum += share(i) * mean(i);
  return sum;
}

std::vector<std::size_t> Curve::bin_counts(std::size_t count) const {
  std::vector<std::size_t> counts;
  std::size_t before = 0;
  for (const Knot& knot : knots_) {
    const auto upto =
        static_cast<std::size_t>(std::floor(static_cast<double>(count) * knot.cumulative + 0.5));
    counts.push_back(upto - before);
    before = upto;
  }
  return counts;
}

std::vector<std::uint32_t> Curve::values(std::size_t count) const {
  std::vector<std::uint32_t> out;
  out.reserve(count);
  const std::vector<std::size_t> counts = bin_counts(count);
  for (std::size_t bin = 0; bin < bins(); ++bin) {
    const double width = knots_[bin].value - low(bin);
    for (std::size_t i = 0; i < counts[bin]; ++i) {
      const double u = (static_cast<double>(i) + 0.5) / static_cast<double>(counts[bin]);
      const double shape = (1 - bend_) * (2 * u + u * u) / 3 + bend_ * u * u * u;
      const double value = low(bin) + width * shape;
      // Up to the next second, so that none falls on the knot below; the first bin starts at 0.
      out.push_back(
          static_cast<std::uint32_t>(bin == 0 ? std::floor(value + 0.5) : std::ceil(value)));
    }
  }
  return out;
}

}  // namespace berth::synthetic
