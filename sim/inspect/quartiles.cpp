#include "sim/inspect/quartiles.hpp"

#include <cmath>

namespace berth {

Quartiles quartiles_of(std::span<const std::int64_t> sorted, double unit) {
  Quartiles out;
  if (sorted.empty()) return out;
  const auto at = [&](double q) {
    const double position = q * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(position);
    const auto a = static_cast<double>(sorted[low]);
    const double fraction = position - static_cast<double>(low);
    if (fraction == 0) return a * unit;
    return (a + (static_cast<double>(sorted[low + 1]) - a) * fraction) * unit;
  };
  // Exact: at most 2^32 values below 2^63.
  __extension__ __int128 sum = 0;
  for (const std::int64_t value : sorted) sum += value;
  out.count = sorted.size();
  out.mean = static_cast<double>(sum) / static_cast<double>(sorted.size()) * unit;
  out.min = at(0);
  out.p25 = at(0.25);
  out.p50 = at(0.5);
  out.p75 = at(0.75);
  out.p90 = at(0.9);
  out.p99 = at(0.99);
  out.max = at(1);
  return out;
}

}  // namespace berth
