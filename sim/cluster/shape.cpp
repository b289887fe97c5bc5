#include "sim/cluster/shape.hpp"

namespace berth {
namespace {

template <class T>
constexpr T divide_up(T a, T b) {
  return (a + b - 1) / b;
}

}  // namespace

std::optional<Shape> shape_of(const Request& request, const ClusterSpec& spec) {
  const std::uint32_t cpus = spec.constrain_cpus ? request.cpus : 0;
  const std::uint64_t memory = spec.constrain_memory ? request.memory_mib : 0;
  Shape shape;
  shape.gpus = request.gpus;
  if (request.gpus == 0 && cpus == 0 && memory == 0) return shape;  // takes nothing, always fits

  const bool pool = spec.packing == Packing::kPool;
  const std::uint64_t unit_gpus = pool ? spec.total_parts() : spec.parts_per_node();
  const std::uint64_t unit_cpus = std::uint64_t{spec.cpus_per_node} * (pool ? spec.nodes : 1);
  const std::uint64_t unit_memory = spec.memory_mib_per_node * (pool ? spec.nodes : 1);
  const std::uint64_t units = pool ? 1 : spec.nodes;

  if (request.gpus <= unit_gpus) {
    shape.nodes = 1;
    shape.each = {request.gpus, cpus, memory};
    shape.last = shape.each;
  } else {
    const auto full = static_cast<std::uint32_t>(unit_gpus);
    shape.nodes = divide_up(request.gpus, full);
    // CPUs and memory lie evenly over the nodes, rounded up.
    shape.each = {full, divide_up(cpus, shape.nodes),
                  divide_up<std::uint64_t>(memory, shape.nodes)};
    shape.last = shape.each;
    shape.last.gpus = request.gpus - full * (shape.nodes - 1);
  }
  shape.need = shape.each;
  const bool fits = shape.nodes <= units && shape.need.gpus <= unit_gpus &&
                    (cpus == 0 || shape.need.cpus <= unit_cpus) &&
                    (memory == 0 || shape.need.memory_mib <= unit_memory);
  if (!fits) return std::nullopt;
  return shape;
}

std::optional<ShapeId> ShapeTable::intern(const Request& request) {
  // What does not bind does not make a shape of its own.
  const Request key{request.gpus, spec_.constrain_cpus ? request.cpus : 0,
                    spec_.constrain_memory ? request.memory_mib : 0};
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
