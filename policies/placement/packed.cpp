// Packed: a job of one node goes to the fullest node that still serves it, so that empty nodes stay
// for large jobs; a job of several takes the entirely free ones of lowest index (semantics.md, 5).
//
//   placement: packed
#include "policies/builtin.hpp"
#include "policies/placement/whole_nodes.hpp"

namespace berth {
namespace {

class Packed final : public PlacementPolicy {
 public:
  bool place(const Shape& shape, const Cluster& cluster, std::vector<NodeId>& out) const override {
    out.clear();
    if (shape.nodes != 1) return take_whole_nodes(shape, cluster, out);
    const auto node = cluster.fullest_serving(shape.need);
    if (node) out.push_back(*node);
    return node.has_value();
  }
};

}  // namespace

void register_packed(Registries& registries) {
  registries.placements.add("packed", "the fullest node that fits; whole nodes for large jobs", {},
                            [] { return std::make_unique<Packed>(); });
}

}  // namespace berth
