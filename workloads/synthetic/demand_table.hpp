// How types, GPU counts and durations go together. Only their margins are published: GPU demand of
// all jobs, duration per type, GPU quartiles per type, GPU time per size and per type. The table
// is the log-linear one with those margins:
//   log n(type, size, bin) = a(type, bin) + c(type, size) + bin * (p(size) + k(type) * l(size)),
// bin the duration in powers of two, l(size) = floor(log2 size). So sizes are as independent of
// types as the quartiles let them, and p and k, two slopes, say how much longer a larger job runs.
#pragma once

#include <cstddef>
#include <vector>

#include "workloads/synthetic/profile.hpp"

namespace berth::synthetic {

class DemandTable {
 public:
  DemandTable(std::size_t types, std::size_t sizes, std::size_t bins)
      : sizes_(sizes), bins_(bins), cells_(types * sizes * bins) {}

  std::size_t sizes() const { return sizes_; }
  std::size_t bins() const { return bins_; }
  // The share of all GPU jobs that are of this type and size with a duration in this bin.
  double& at(std::size_t type, std::size_t size, std::size_t bin) {
    return cells_[(type * sizes_ + size) * bins_ + bin];
  }
  double at(std::size_t type, std::size_t size, std::size_t bin) const {
    return cells_[(type * sizes_ + size) * bins_ + bin];
  }

 private:
  std::size_t sizes_, bins_;
  std::vector<double> cells_;
};

// Fits the margins one after another until none moves. The durations of each type are exact; the
// GPU time of sizes of a node and more and of types as close as they agree with each other; sizes
// below a node run as long as the durations leave. Throws ConfigError, with what cannot be met, if
// the sizes or quartiles of the profile contradict each other.
DemandTable fit_demand(const Profile& profile);

}  // namespace berth::synthetic
