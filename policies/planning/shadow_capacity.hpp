// The cluster as it will be at the shadow time, seen by one blocked job: which nodes will have how
// much, and whether the job will fit.
//
// "Fits" is one count (sim/cluster/shape.hpp): enough nodes serve shape.need.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace berth {

class ShadowCapacity {
 public:
  // Starts anew from what is free now, for a job of `wanted`. O(nodes), a copy.
  void reset(const Cluster& now, const Shape& wanted) {
    cluster_ = &now;
    wanted_ = wanted;
    free_.assign(now.free().begin(), now.free().end());
    serving_ = now.count_serving(wanted.need);
  }

  bool fits() const { return serving_ >= wanted_.nodes; }

  void give(std::span<const NodeId> placement, const Shape& shape) {
    change(placement, shape, [](Slice& f, const Slice& s) {
      f.gpus += s.gpus;
      f.cpus += s.cpus;
      f.memory_mib += s.memory_mib;
    });
  }
  // REQUIRES: what is taken is free (now, and so at the shadow time).
  void take(std::span<const NodeId> placement, const Shape& shape) {
    change(placement, shape, [](Slice& f, const Slice& s) {
      f.gpus -= s.gpus;
      f.cpus -= s.cpus;
      f.memory_mib -= s.memory_mib;
    });
  }
  // Whether the job still fits with this taken out as well. Changes nothing.
  bool fits_without(std::span<const NodeId> placement, const Shape& shape) {
    take(placement, shape);
    const bool fitting = fits();
    give(placement, shape);
    return fitting;
  }

 private:
  template <class Apply>
  void change(std::span<const NodeId> placement, const Shape& shape, Apply apply) {
    for (std::size_t i = 0; i < placement.size(); ++i) {
      Slice& f = free_[index(placement[i])];
      const bool allowed = cluster_->allows(placement[i], wanted_.need);
      const bool served = allowed && f.covers(wanted_.need);
      apply(f, i + 1 == placement.size() ? shape.last : shape.each);
      const bool serving = allowed && f.covers(wanted_.need);
      if (serving && !served) ++serving_;
      if (!serving && served) --serving_;
    }
  }

  const Cluster* cluster_ = nullptr;  // for its groups, which do not change
  Shape wanted_;
  std::vector<Slice> free_;  // by node
  std::uint32_t serving_ = 0;
};

}  // namespace berth
