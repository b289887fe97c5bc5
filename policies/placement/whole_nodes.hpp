// Jobs larger than a node: entirely free nodes, lowest indices first.
#pragma once

#include <vector>

#include "sim/cluster/cluster.hpp"

namespace berth {

// Appends shape.nodes entirely free nodes to `out`; false if there are not enough. A shape of no
// nodes always fits.
inline bool take_whole_nodes(const Shape& shape, const Cluster& cluster, std::vector<NodeId>& out) {
  if (shape.nodes == 0) return true;
  if (cluster.nodes_with_free(shape.need.gpus) < shape.nodes) return false;
  std::uint32_t from = 0;
  while (out.size() < shape.nodes) {
    const auto node = cluster.next_filled_by(shape.need, from);
    if (!node) return false;
    out.push_back(*node);
    from = static_cast<std::uint32_t>(index(*node)) + 1;
  }
  return true;
}

}  // namespace berth
