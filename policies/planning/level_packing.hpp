// Packing an empty cluster best fit, without naming nodes: which jobs fit depends only on how many
// nodes have how many GPUs free, since a job of one node goes to the fullest that serves it and a
// larger one to entirely free nodes (semantics.md, 5). A job costs two counters. For clusters of
// one kind of node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/cluster/bit_set.hpp"
#include "sim/cluster/cluster_spec.hpp"
#include "sim/cluster/shape.hpp"

namespace berth {

class LevelPacking {
 public:
  explicit LevelPacking(const ClusterSpec& spec)
      : pool_(spec.packing == Packing::kPool),
        nodes_(spec.groups.front().nodes),
        full_(spec.parts_per_node(spec.groups.front())),
        total_gpus_(spec.total_parts()),
        count_(pool_ ? 0 : full_ + std::size_t{1}),
        filled_(count_.size()) {
    clear();
  }

  void clear() {
    free_gpus_ = total_gpus_;
    if (pool_) return;
    std::fill(count_.begin(), count_.end(), 0);
    filled_.clear();
    count_[full_] = nodes_;
    filled_.insert(full_);
  }
  std::uint64_t free_gpus() const { return free_gpus_; }

  // Places a job of `shape`; false, and nothing changes, if it does not fit.
  bool put(const Shape& shape) {
    if (shape.gpus > free_gpus_) return false;
    if (!pool_ && shape.nodes == 1) {
      const std::size_t level = filled_.next(shape.gpus);
      if (level == BitSet::kNone) return false;
      move(level, level - shape.gpus, 1);
    } else if (!pool_ && shape.nodes > 1) {
      if (count_[full_] < shape.nodes) return false;
      move(full_, 0, shape.nodes - 1);
      move(full_, full_ - shape.last.gpus, 1);
    }
    free_gpus_ -= shape.gpus;
    return true;
  }

 private:
  void move(std::size_t from, std::size_t to, std::uint32_t nodes) {
    count_[from] -= nodes;
    if (count_[from] == 0) filled_.erase(from);
    if (count_[to] == 0) filled_.insert(to);
    count_[to] += nodes;
  }

  bool pool_;
  std::uint32_t nodes_;
  std::uint32_t full_;
  std::uint64_t total_gpus_;
  std::vector<std::uint32_t> count_;  // nodes by free GPUs
  BitSet filled_;                     // levels with a node
  std::uint64_t free_gpus_ = 0;
};

}  // namespace berth
