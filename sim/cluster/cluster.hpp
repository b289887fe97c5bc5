// The ledger: what is free on every node. The only thing that changes it is take() and give().
//
// Under pool packing the cluster is one node that has everything. A placement is a list of nodes;
// what it takes of each follows from the shape. O(nodes of the placement) per call.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/cluster/capacity_index.hpp"
#include "sim/cluster/cluster_spec.hpp"
#include "sim/cluster/shape.hpp"
#include "sim/core/check.hpp"
#include "sim/core/ids.hpp"

namespace berth {

class Cluster {
 public:
  explicit Cluster(const ClusterSpec& spec);

  const ClusterSpec& spec() const { return spec_; }
  // Nodes of the ledger: 1 under pool packing.
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(free_.size()); }
  // What one node of the ledger has when empty.
  const Slice& capacity() const { return capacity_; }
  const Slice& free(NodeId node) const { return free_[index(node)]; }
  std::span<const Slice> free() const { return free_; }
  std::uint64_t free_gpus() const { return free_gpus_; }

  // `node` has at least `need` free, in every resource that binds.
  bool serves(NodeId node, const Slice& need) const {
    const Slice& f = free_[index(node)];
    return f.gpus >= need.gpus && f.cpus >= need.cpus && f.memory_mib >= need.memory_mib;
  }
  // The node with the fewest (the most) free GPUs among those that serve `need`; the lowest index
  // on ties. Empty if none serves.
  std::optional<NodeId> fullest_serving(const Slice& need) const;
  std::optional<NodeId> emptiest_serving(const Slice& need) const;
  // How many nodes have all their GPUs free. O(1).
  std::uint32_t empty_nodes() const {
    if (free_.size() == 1) return free_[0].gpus == capacity_.gpus ? 1 : 0;
    return index_.count(capacity_.gpus);
  }
  // The lowest node at or after `from` with all its GPUs free that serves `need`.
  std::optional<NodeId> next_empty_serving(const Slice& need, std::uint32_t from) const;
  // How many nodes serve `need`. O(free levels), or O(nodes) where CPUs or memory bind.
  std::uint32_t count_serving(const Slice& need) const;

  // Takes the shape's slices from `placement` (all but the last node give `each`). Over-taking is
  // an InternalError: the placement was not checked.
  void take(std::span<const NodeId> placement, const Shape& shape);
  void give(std::span<const NodeId> placement, const Shape& shape);
  // Everything free again.
  void clear();

 private:
  std::optional<NodeId> first_in_level(std::size_t level, const Slice& need,
                                       std::size_t from) const;
  void set_free_gpus(NodeId node, std::uint32_t gpus);
  void take_slice(NodeId node, const Slice& slice);
  void give_slice(NodeId node, const Slice& slice);

  ClusterSpec spec_;
  Slice capacity_;
  std::vector<Slice> free_;
  CapacityIndex index_;  // of more than one node; a pool needs none
  std::uint64_t free_gpus_ = 0;
};

}  // namespace berth
