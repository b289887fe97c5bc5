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
  explicit Quantiles(std::vector<T>& values) : values_(values) {}

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
  std::vector<T>& values_;
  std::size_t settled_ = 0;  // everything before is no larger than everything from here
};

template <class T>
Distribution quantiles_of(std::vector<T>& values, double unit) {
  Distribution out;
  out.count = values.size();
  Quantiles<T> quantiles(values);
  out.median = quantiles.at(0.5) * unit;
  out.p90 = quantiles.at(0.9) * unit;
  out.p95 = quantiles.at(0.95) * unit;
  out.p99 = quantiles.at(0.99) * unit;
  out.max = quantiles.at(1.0) * unit;
  return out;
}

}  // namespace

Distribution distribution_of(std::vector<std::int64_t>& values, double unit) {
  if (values.empty()) return {};
  __int128 sum = 0;
  for (const std::int64_t value : values) sum += value;
  Distribution out = quantiles_of(values, unit);
  out.mean = static_cast<double>(sum) / static_cast<double>(values.size()) * unit;
  return out;
}

Distribution distribution_of(std::vector<double>& values) {
  if (values.empty()) return {};
  double sum = 0;
  for (const double value : values) sum += value;
  Distribution out = quantiles_of(values, 1.0);
  out.mean = sum / static_cast<double>(values.size());
  return out;
}

}  // namespace berth
