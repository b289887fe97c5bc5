#include "sim/cluster/shape.hpp"

#include <algorithm>
#include <functional>

namespace berth {
namespace {

template <class T>
constexpr T divide_up(T a, T b) {
  return (a + b - 1) / b;
}

// What is one node to a request: a node of the group, or under pool packing all of them.
struct Unit {
  std::uint64_t gpus = 0;
  std::uint64_t cpus = 0;
  std::uint64_t memory_mib = 0;
  std::uint32_t count = 0;

  Unit(const NodeGroup& group, const ClusterSpec& spec) {
    const bool pool = spec.packing == Packing::kPool;
    const std::uint64_t nodes = pool ? group.nodes : 1;
    gpus = nodes * spec.parts_per_node(group);
    cpus = nodes * group.cpus_per_node;
    memory_mib = nodes * group.memory_mib_per_node;
    count = pool ? 1 : group.nodes;
  }
  bool holds(const Slice& slice) const {
    return slice.gpus <= gpus && slice.cpus <= cpus && slice.memory_mib <= memory_mib;
  }
};

// On one node: of any group that can hold it.
std::optional<Shape> on_one_node(const Slice& all, GroupMask allowed, const ClusterSpec& spec) {
  Shape shape;
  shape.nodes = 1;
  shape.gpus = all.gpus;
  shape.each = shape.last = all;
  shape.need = {all, 0};
  for (std::size_t i = 0; i < spec.groups.size(); ++i) {
    if ((allowed >> i & 1u) == 0 || !Unit(spec.groups[i], spec).holds(all)) continue;
    shape.need.groups |= GroupMask{1} << i;
  }
  if (shape.need.groups == 0) return std::nullopt;
  return shape;
}

// On several entirely free nodes of `full` GPUs.
std::optional<Shape> on_nodes_of(std::uint32_t full, const Slice& all, GroupMask allowed,
                                 const ClusterSpec& spec) {
  Shape shape;
  shape.nodes = divide_up(all.gpus, full);
  shape.gpus = all.gpus;
  // CPUs and memory lie evenly over the nodes, rounded up.
  shape.each = {full, divide_up(all.cpus, shape.nodes),
                divide_up<std::uint64_t>(all.memory_mib, shape.nodes)};
  shape.last = shape.each;
  shape.last.gpus = all.gpus - full * (shape.nodes - 1);
  shape.need = {shape.each, 0};
  std::uint64_t nodes = 0;
  for (std::size_t i = 0; i < spec.groups.size(); ++i) {
    const Unit unit(spec.groups[i], spec);
    if ((allowed >> i & 1u) == 0 || unit.gpus != full || !unit.holds(shape.each)) continue;
    shape.need.groups |= GroupMask{1} << i;
    nodes += unit.count;
  }
  if (nodes < shape.nodes) return std::nullopt;
  return shape;
}

}  // namespace

std::optional<Shape> shape_of(const Request& request, const ClusterSpec& spec) {
  const Slice all{request.gpus, spec.constrain_cpus ? request.cpus : 0,
                  spec.constrain_memory ? request.memory_mib : 0};
  if (all == Slice{}) return Shape{};  // takes nothing, always fits
  if (const auto shape = on_one_node(all, request.groups, spec)) return shape;
  if (spec.packing == Packing::kPool) return std::nullopt;
  std::vector<std::uint32_t> sizes;
  for (const NodeGroup& group : spec.groups) sizes.push_back(spec.parts_per_node(group));
  std::ranges::sort(sizes, std::greater());
  for (const std::uint32_t full : sizes) {
    if (all.gpus <= full) continue;  // its CPUs or memory are too much for a node of this size
    if (const auto shape = on_nodes_of(full, all, request.groups, spec)) return shape;
  }
  return std::nullopt;
}

std::optional<ShapeId> ShapeTable::intern(const Request& request) {
  // What does not bind does not make a shape of its own.
  const Request key{request.gpus, spec_.constrain_cpus ? request.cpus : 0,
                    spec_.constrain_memory ? request.memory_mib : 0,
                    request.groups & spec_.all_groups()};
  if (const auto found = ids_.find(key); found != ids_.end()) return found->second;
  std::optional<ShapeId> id;
  if (const std::optional<Shape> shape = shape_of(key, spec_)) {
    id = ShapeId(static_cast<std::uint32_t>(shapes_.size()));
    shapes_.push_back(*shape);
  }
  ids_.emplace(key, id);
  return id;
}

}  // namespace berth
