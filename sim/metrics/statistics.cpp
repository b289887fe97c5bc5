#include "sim/metrics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace berth {
namespace {

// Calls for rising quantiles select ever smaller tails, so that all together cost about one
// selection over the whole.
template <class T>
class Quantiles {
 public:
  explicit Quantiles(std::span<T> values) : values_(values) {}

  double at(double q) {
    const double position = q * static_cast<double>(values_.size() - 1);
    const auto low = static_cast<std::size_t>(std::floor(position));
    const auto a = static_cast<double>(select(low));
    const double fraction = position - std::floor(position);
    if (fraction == 0) return a;
    const auto b = static_cast<double>(
        *std::min_element(values_.begin() + static_cast<std::ptrdiff_t>(low) + 1, values_.end()));
    return a + (b - a) * fraction;
  }

 private:
  T select(std::size_t k) {
    const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(settled_);
    const auto nth = values_.begin() + static_cast<std::ptrdiff_t>(k);
    std::nth_element(begin, nth, values_.end());
    settled_ = k;
    return *nth;
  }
  std::span<T> values_;
  std::size_t settled_ = 0;  // everything before is no larger than everything from here
};

template <class T>
Distribution describe_values(std::span<T> values, double mean, double unit) {
  Distribution out;
  if (values.empty()) return out;
  out.count = values.size();
  out.mean = mean;
  Quantiles<T> quantiles(values);
  out.median = quantiles.at(0.5) * unit;
  out.p90 = quantiles.at(0.9) * unit;
  out.p95 = quantiles.at(0.95) * unit;
  out.p99 = quantiles.at(0.99) * unit;
  out.max = quantiles.at(1.0) * unit;
  return out;
}

}  // namespace

Distribution distribution_of(std::span<std::int64_t> values, double mean, double unit) {
  return describe_values(values, mean, unit);
}

Distribution distribution_of(std::span<double> values, double mean) {
  return describe_values(values, mean, 1.0);
}

}  // namespace berth
