#include "sim/cluster/cluster.hpp"

#include <algorithm>

namespace berth {
namespace {

std::uint32_t ledger_nodes(const NodeGroup& group, const ClusterSpec& spec) {
  return spec.packing == Packing::kPool ? 1 : group.nodes;
}

std::vector<Slice> node_capacities(const ClusterSpec& spec) {
  std::vector<Slice> out;
  for (const NodeGroup& group : spec.groups) {
    const std::uint32_t in_one = spec.packing == Packing::kPool ? group.nodes : 1;
    // A resource that does not bind is never asked for (shape_of leaves it out), so 0 is enough.
    out.push_back({in_one * spec.parts_per_node(group),
                   spec.constrain_cpus ? in_one * group.cpus_per_node : 0,
                   spec.constrain_memory ? in_one * group.memory_mib_per_node : 0});
  }
  return out;
}

std::vector<std::uint8_t> groups_by_node(const ClusterSpec& spec) {
  std::vector<std::uint8_t> out;
  if (spec.is_uniform()) return out;
  for (std::size_t i = 0; i < spec.groups.size(); ++i) {
    out.insert(out.end(), ledger_nodes(spec.groups[i], spec), static_cast<std::uint8_t>(i));
  }
  return out;
}

std::vector<std::uint32_t> gpus_by_node(const std::vector<Slice>& free) {
  std::vector<std::uint32_t> out;
  for (const Slice& slice : free) out.push_back(slice.gpus);
  return out;
}

std::vector<Slice> all_free(const ClusterSpec& spec, const std::vector<Slice>& capacity) {
  std::vector<Slice> out;
  for (std::size_t i = 0; i < spec.groups.size(); ++i) {
    out.insert(out.end(), ledger_nodes(spec.groups[i], spec), capacity[i]);
  }
  return out;
}

}  // namespace

Cluster::Cluster(const ClusterSpec& spec)
    : spec_(spec),
      capacity_(node_capacities(spec)),
      group_(groups_by_node(spec)),
      free_(all_free(spec, capacity_)),
      index_(free_.size() > 1 ? gpus_by_node(free_) : std::vector<std::uint32_t>()),
      free_gpus_(spec.total_parts()) {}

std::optional<NodeId> Cluster::first_in_level(std::size_t level, const Need& need,
                                              std::size_t from) const {
  for (std::size_t node = index_.node_in_level(level, from); node != CapacityIndex::kNone;
       node = index_.node_in_level(level, node + 1)) {
    const NodeId id{static_cast<std::uint32_t>(node)};
    if (serves(id, need)) return id;  // at once, unless CPUs or memory bind
  }
  return std::nullopt;
}

std::optional<NodeId> Cluster::fullest_serving(const Need& need) const {
  if (free_.size() == 1) return serves(NodeId(0), need) ? std::optional(NodeId(0)) : std::nullopt;
  for (std::size_t level = index_.level_at_least(need.gpus); level != CapacityIndex::kNone;
       level = index_.level_at_least(level + 1)) {
    if (const auto node = first_in_level(level, need, 0)) return node;
  }
  return std::nullopt;
}

std::optional<NodeId> Cluster::emptiest_serving(const Need& need) const {
  if (free_.size() == 1) return fullest_serving(need);
  for (std::size_t level = index_.levels(); level-- > need.gpus;) {
    if (const auto node = first_in_level(level, need, 0)) return node;
  }
  return std::nullopt;
}

std::optional<NodeId> Cluster::next_filled_by(const Need& need, std::uint32_t from) const {
  if (free_.size() == 1) {
    const bool serving = from == 0 && free_[0].gpus == need.gpus && serves(NodeId(0), need);
    return serving ? std::optional(NodeId(0)) : std::nullopt;
  }
  return first_in_level(need.gpus, need, from);
}

std::uint32_t Cluster::count_serving(const Need& need) const {
  const GroupMask all = spec_.all_groups();
  if (need.cpus == 0 && need.memory_mib == 0 && (need.groups & all) == all) {
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
  SIM_CHECK(free_[index(node)].covers(slice), "a node would be over-committed");
  Slice& f = free_[index(node)];
  if (slice.gpus != 0) set_free_gpus(node, f.gpus - slice.gpus);
  f.cpus -= slice.cpus;
  f.memory_mib -= slice.memory_mib;
  free_gpus_ -= slice.gpus;
}

void Cluster::give_slice(NodeId node, const Slice& slice) {
  Slice& f = free_[index(node)];
  const Slice& all = capacity(node);
  SIM_CHECK(f.gpus + slice.gpus <= all.gpus && f.cpus + slice.cpus <= all.cpus &&
                f.memory_mib + slice.memory_mib <= all.memory_mib,
            "a node would have more free than it has");
  if (slice.gpus != 0) set_free_gpus(node, f.gpus + slice.gpus);
  f.cpus += slice.cpus;
  f.memory_mib += slice.memory_mib;
  free_gpus_ += slice.gpus;
}

void Cluster::take(std::span<const NodeId> placement, const Shape& shape) {
  SIM_CHECK(placement.size() == shape.nodes, "a placement of the wrong length");
  for (std::size_t i = 0; i < placement.size(); ++i) {
    SIM_CHECK(allows(placement[i], shape.need), "a node of a group that the job must not use");
    take_slice(placement[i], i + 1 == placement.size() ? shape.last : shape.each);
  }
}

void Cluster::give(std::span<const NodeId> placement, const Shape& shape) {
  for (std::size_t i = 0; i < placement.size(); ++i) {
    give_slice(placement[i], i + 1 == placement.size() ? shape.last : shape.each);
  }
}

void Cluster::clear() {
  for (std::size_t node = 0; node < free_.size(); ++node) {
    free_[node] = capacity(NodeId(static_cast<std::uint32_t>(node)));
  }
  if (free_.size() > 1) index_.reset();
  free_gpus_ = spec_.total_parts();
}

}  // namespace berth
