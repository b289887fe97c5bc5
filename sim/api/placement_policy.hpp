// Which nodes a job gets. Pool packing has one node, so there every placement gives the same.
#pragma once

#include <vector>

#include "sim/cluster/cluster.hpp"

namespace berth {

class PlacementPolicy {
 public:
  virtual ~PlacementPolicy() = default;
  // Fills `out` (the caller's buffer, cleared first) with shape.nodes nodes that serve the shape,
  // the one that gives `last` at the end, and returns true; false if it does not fit. Must fit
  // whenever enough nodes serve shape.need, must not depend on anything but its arguments.
  virtual bool place(const Shape& shape, const Cluster& cluster,
                     std::vector<NodeId>& out) const = 0;
};

}  // namespace berth
