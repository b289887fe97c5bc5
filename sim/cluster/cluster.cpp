#include "sim/cluster/cluster.hpp"

#include <algorithm>

namespace berth {
namespace {

Slice node_capacity(const ClusterSpec& spec) {
  // A resource that does not bind is never asked for (shape_of leaves it out), so 0 is enough.
  Slice node{spec.parts_per_node(), spec.constrain_cpus ? spec.cpus_per_node : 0,
             spec.constrain_memory ? spec.memory_mib_per_node : 0};
  if (spec.packing == Packing::kPool) {
    node.gpus *= spec.nodes;
    node.cpus *= spec.nodes;
    node.memory_mib *= spec.nodes;
  }
  return node;
}

std::uint32_t ledger_nodes(const ClusterSpec& spec) {
  return spec.packing == Packing::kPool ? 1 : spec.nodes;
}

}  // namespace

Cluster::Cluster(const ClusterSpec& spec)
    : spec_(spec),
      capacity_(node_capacity(spec)),
      free_(ledger_nodes(spec), capacity_),
      index_(free_.size() > 1 ? ledger_nodes(spec) : 0, free_.size() > 1 ? capacity_.gpus : 0),
      free_gpus_(spec.total_parts()) {}

std::optional<NodeId> Cluster::first_in_level(std::size_t level, const Slice& need,
                                              std::size_t from) const {
  for (std::size_t node = index_.node_in_level(level, from); node != CapacityIndex::kNone;
       node = index_.node_in_level(level, node + 1)) {
    const NodeId id{static_cast<std::uint32_t>(node)};
    if (serves(id, need)) return id;  // at once, unless CPUs or memory bind
  }
  return std::nullopt;
}

std::optional<NodeId> Cluster::fullest_serving(const Slice& need) const {
  if (free_.size() == 1) return serves(NodeId(0), need) ? std::optional(NodeId(0)) : std::nullopt;
  for (std::size_t level = index_.level_at_least(need.gpus); level != CapacityIndex::kNone;
       level = index_.level_at_least(level + 1)) {
    if (const auto node = first_in_level(level, need, 0)) return node;
  }
  return std::nullopt;
}

std::optional<NodeId> Cluster::emptiest_serving(const Slice& need) const {
  if (free_.size() == 1) return fullest_serving(need);
  for (std::size_t level = capacity_.gpus + std::size_t{1}; level-- > need.gpus;) {
    if (const auto node = first_in_level(level, need, 0)) return node;
  }
  return std::nullopt;
}

std::optional<NodeId> Cluster::next_empty_serving(const Slice& need, std::uint32_t from) const {
  if (free_.size() == 1) {
    const bool serving = from == 0 && free_[0].gpus == capacity_.gpus && serves(NodeId(0), need);
    return serving ? std::optional(NodeId(0)) : std::nullopt;
  }
  return first_in_level(capacity_.gpus, need, from);
}

std::uint32_t Cluster::count_serving(const Slice& need) const {
  if (need.cpus == 0 && need.memory_mib == 0) {
    if (free_.size() == 1) return free_[0].gpus >= need.gpus ? 1 : 0;
    return index_.count_at_least(need.gpus);
  }
  std::uint32_t count = 0;
  for (std::uint32_t node = 0; node < nodes(); ++node) count += serves(NodeId(node), need) ? 1 : 0;
  return count;
}

void Cluster::set_free_gpus(NodeId node, std::uint32_t gpus) {
  std::uint32_t& free = free_[index(node)].gpus;
  if (free_.size() > 1) index_.move(static_cast<std::uint32_t>(index(node)), free, gpus);
  free = gpus;
}

void Cluster::take_slice(NodeId node, const Slice& slice) {
  SIM_CHECK(serves(node, slice), "a node would be over-committed");
  Slice& f = free_[index(node)];
  if (slice.gpus != 0) set_free_gpus(node, f.gpus - slice.gpus);
  f.cpus -= slice.cpus;
  f.memory_mib -= slice.memory_mib;
  free_gpus_ -= slice.gpus;
}

void Cluster::give_slice(NodeId node, const Slice& slice) {
  Slice& f = free_[index(node)];
  SIM_CHECK(f.gpus + slice.gpus <= capacity_.gpus && f.cpus + slice.cpus <= capacity_.cpus &&
                f.memory_mib + slice.memory_mib <= capacity_.memory_mib,
            "a node would have more free than it has");
  if (slice.gpus != 0) set_free_gpus(node, f.gpus + slice.gpus);
  f.cpus += slice.cpus;
  f.memory_mib += slice.memory_mib;
  free_gpus_ += slice.gpus;
}

void Cluster::take(std::span<const NodeId> placement, const Shape& shape) {
  SIM_CHECK(placement.size() == shape.nodes, "a placement of the wrong length");
  for (std::size_t i = 0; i < placement.size(); ++i) {
    take_slice(placement[i], i + 1 == placement.size() ? shape.last : shape.each);
  }
}

void Cluster::give(std::span<const NodeId> placement, const Shape& shape) {
  for (std::size_t i = 0; i < placement.size(); ++i) {
    give_slice(placement[i], i + 1 == placement.size() ? shape.last : shape.each);
  }
}

void Cluster::clear() {
  std::fill(free_.begin(), free_.end(), capacity_);
  if (free_.size() > 1) index_.reset();
  free_gpus_ = spec_.total_parts();
}

}  // namespace berth
