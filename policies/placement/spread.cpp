// Spread: a job of one node goes to the emptiest node, the lowest index on ties. Keeps neighbours
// apart and breaks up empty nodes; large jobs take entirely free nodes as under `packed`.
//
//   placement: spread
#include "policies/builtin.hpp"
#include "policies/placement/whole_nodes.hpp"

namespace berth {
namespace {

class Spread final : public PlacementPolicy {
 public:
  bool place(const Shape& shape, const Cluster& cluster, std::vector<NodeId>& out) const override {
    out.clear();
    if (shape.nodes != 1) return take_whole_nodes(shape, cluster, out);
    const auto node = cluster.emptiest_serving(shape.need);
    if (node) out.push_back(*node);
    return node.has_value();
  }
};

}  // namespace

void register_spread(Registries& registries) {
  registries.placements.add("spread", "the emptiest node; whole nodes for large jobs", {},
                            [] { return std::make_unique<Spread>(); });
}

}  // namespace berth
