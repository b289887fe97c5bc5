#include "sim/cluster/cluster_spec.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace berth {

ClusterSpec read_cluster(ConfigNode node) {
  ClusterSpec spec;
  spec.nodes = static_cast<std::uint32_t>(node.integer("nodes", {}, 1, 1'000'000));
  spec.gpus_per_node = static_cast<std::uint32_t>(node.integer("gpus_per_node", {}, 1, 1'000));
  spec.cpus_per_node = static_cast<std::uint32_t>(node.integer("cpus_per_node", 0, 0, 4096));
  constexpr std::int64_t kMib = std::int64_t{1} << 20;
  const std::int64_t memory = node.bytes("memory_per_node", 0);
  spec.memory_mib_per_node = static_cast<std::uint64_t>(memory / kMib);
  const std::string packing = node.choice("packing", {"gang", "pool"}, "gang");
  spec.packing = packing == "pool" ? Packing::kPool : Packing::kGang;
  const std::vector<std::string> bound =
      node.choices("constrain", {"gpus", "cpus", "memory"}, {"gpus"});
  const auto binds = [&](const char* what) {
    return std::find(bound.begin(), bound.end(), what) != bound.end();
  };
  if (!binds("gpus")) node.error("constrain", "GPUs always bind; keep gpus in the list");
  spec.constrain_cpus = binds("cpus");
  spec.constrain_memory = binds("memory");
  if (spec.constrain_cpus && spec.cpus_per_node == 0) {
    node.error("constrain", "cpus can only bind where cpus_per_node is given");
  }
  if (spec.constrain_memory && spec.memory_mib_per_node == 0) {
    node.error("constrain", "memory can only bind where memory_per_node is given");
  }
  node.finish();
  return spec;
}

}  // namespace berth
