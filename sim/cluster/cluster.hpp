// The ledger: what is free on every node. The only thing that changes it is take() and give().
//
// Under pool packing each group is one node that has everything. A placement is a list of nodes;
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
  // Nodes of the ledger: one a group under pool packing.
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(free_.size()); }
  // What a node of the ledger has when empty.
  const Slice& capacity(NodeId node) const { return capacity_[group_of(node)]; }
  // The group that it belongs to. O(1).
  std::size_t group_of(NodeId node) const {
    return capacity_.size() == 1 ? 0 : group_[index(node)];
  }
  const Slice& free(NodeId node) const { return free_[index(node)]; }
  std::span<const Slice> free() const { return free_; }
  std::uint64_t free_gpus() const { return free_gpus_; }

  // Of the group of `node` the job may run.
  bool allows(NodeId node, const Need& need) const {
    return capacity_.size() == 1 || (need.groups >> group_[index(node)] & 1u) != 0;
  }
  // `node` may serve `need`, and has at least that free in every resource that binds.
  bool serves(NodeId node, const Need& need) const {
    return free_[index(node)].covers(need) && allows(node, need);
  }
  // The node with the fewest (the most) free GPUs among those that serve `need`; the lowest index
  // on ties. Empty if none serves.
  std::optional<NodeId> fullest_serving(const Need& need) const;
  std::optional<NodeId> emptiest_serving(const Need& need) const;
  // How many nodes have exactly so many GPUs free. O(1).
  std::uint32_t nodes_with_free(std::uint32_t gpus) const {
    if (free_.size() == 1) return free_[0].gpus == gpus ? 1 : 0;
    return gpus < index_.levels() ? index_.count(gpus) : 0;
  }
  // The lowest node at or after `from` that serves `need` and has no GPU free beyond it: where
  // need.gpus is all that a node has, an entirely free one.
  std::optional<NodeId> next_filled_by(const Need& need, std::uint32_t from) const;
  // How many nodes serve `need`. O(free levels), or O(nodes) where CPUs, memory or groups bind.
  std::uint32_t count_serving(const Need& need) const;

  // Takes the shape's slices from `placement` (all but the last node give `each`). Over-taking, or
  // a node of a group that is not allowed, is an InternalError: the placement was not checked.
  void take(std::span<const NodeId> placement, const Shape& shape);
  void give(std::span<const NodeId> placement, const Shape& shape);
  // Everything free again.
  void clear();

 private:
  std::optional<NodeId> first_in_level(std::size_t level, const Need& need, std::size_t from) const;
  void set_free_gpus(NodeId node, std::uint32_t gpus);
  void take_slice(NodeId node, const Slice& slice);
  void give_slice(NodeId node, const Slice& slice);

  ClusterSpec spec_;
  std::vector<Slice> capacity_;      // by group
  std::vector<std::uint8_t> group_;  // by node; empty where there is one
  std::vector<Slice> free_;
  CapacityIndex index_;  // of more than one node; a pool needs none
  std::uint64_t free_gpus_ = 0;
};

}  // namespace berth
