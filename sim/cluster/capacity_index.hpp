// Nodes by how many GPUs they have free: finds the fullest node that still serves a request
// without looking at the others.
//
// Invariants: every node is in exactly one level, the one of its free GPUs; `filled_` holds the
// levels that have a node. take/give touch two levels.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cluster/bit_set.hpp"

namespace berth {

class CapacityIndex {
 public:
  static constexpr std::size_t kNone = BitSet::kNone;

  // A node for each of `capacity`, with so many free.
  explicit CapacityIndex(std::vector<std::uint32_t> capacity);

  void move(std::uint32_t node, std::uint32_t from_free, std::uint32_t to_free);
  // All nodes back to their capacity.
  void reset();

  // The lowest level >= `gpus` with a node in it, or kNone.
  std::size_t level_at_least(std::size_t gpus) const { return filled_.next(gpus); }
  // The lowest node >= `from` of `level`, or kNone.
  std::size_t node_in_level(std::size_t level, std::size_t from) const {
    return levels_[level].next(from);
  }
  // How many nodes have exactly `gpus` free.
  std::uint32_t count(std::size_t gpus) const { return counts_[gpus]; }
  // How many nodes have at least `gpus` free. O(levels).
  std::uint32_t count_at_least(std::uint32_t gpus) const;
  std::size_t levels() const { return levels_.size(); }

 private:
  std::vector<std::uint32_t> capacity_;  // by node
  std::vector<BitSet> levels_;
  std::vector<std::uint32_t> counts_;
  BitSet filled_;
};

}  // namespace berth
