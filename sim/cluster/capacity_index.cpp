#include "sim/cluster/capacity_index.hpp"

#include <algorithm>
#include <utility>

namespace berth {

namespace {

std::size_t levels_for(const std::vector<std::uint32_t>& capacity) {
  return capacity.empty() ? 0 : *std::ranges::max_element(capacity) + std::size_t{1};
}

}  // namespace

CapacityIndex::CapacityIndex(std::vector<std::uint32_t> capacity)
    : capacity_(std::move(capacity)),
      levels_(levels_for(capacity_), BitSet(capacity_.size())),
      counts_(levels_.size()),
      filled_(levels_.size()) {
  reset();
}

void CapacityIndex::move(std::uint32_t node, std::uint32_t from_free, std::uint32_t to_free) {
  levels_[from_free].erase(node);
  if (--counts_[from_free] == 0) filled_.erase(from_free);
  levels_[to_free].insert(node);
  if (counts_[to_free]++ == 0) filled_.insert(to_free);
}

void CapacityIndex::reset() {
  for (std::size_t level = filled_.first(); level != kNone; level = filled_.next(level + 1)) {
    levels_[level].clear();
    counts_[level] = 0;
  }
  filled_.clear();
  for (std::size_t node = 0; node < capacity_.size(); ++node) {
    const std::uint32_t level = capacity_[node];
    levels_[level].insert(node);
    if (counts_[level]++ == 0) filled_.insert(level);
  }
}

std::uint32_t CapacityIndex::count_at_least(std::uint32_t gpus) const {
  std::uint32_t count = 0;
  for (std::size_t level = filled_.next(gpus); level != kNone; level = filled_.next(level + 1)) {
    count += counts_[level];
  }
  return count;
}

}  // namespace berth
