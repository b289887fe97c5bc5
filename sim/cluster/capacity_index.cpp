#include "sim/cluster/capacity_index.hpp"

namespace berth {

CapacityIndex::CapacityIndex(std::uint32_t nodes, std::uint32_t gpus)
    : nodes_(nodes),
      gpus_(gpus),
      levels_(gpus + 1, BitSet(nodes)),
      counts_(gpus + 1),
      filled_(gpus + 1) {
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
  for (std::uint32_t node = 0; node < nodes_; ++node) levels_[gpus_].insert(node);
  counts_[gpus_] = nodes_;
  filled_.insert(gpus_);
}

std::uint32_t CapacityIndex::count_at_least(std::uint32_t gpus) const {
  std::uint32_t count = 0;
  for (std::size_t level = filled_.next(gpus); level != kNone; level = filled_.next(level + 1)) {
    count += counts_[level];
  }
  return count;
}

}  // namespace berth
