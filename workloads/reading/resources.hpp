// Amounts of memory as a job table keeps them.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace berth {

// The nearest whole number, at most 4 PiB, which no job asks for. `mib` >= 0.
inline std::uint32_t mib_of(double mib) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  const double rounded = std::round(mib);
  return rounded >= kMost ? kMost : static_cast<std::uint32_t>(rounded);
}

}  // namespace berth
