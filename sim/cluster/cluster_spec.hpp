// The cluster as configured: groups of nodes of one kind, and which of their resources bind.
//
//   cluster:
//     nodes: 286
//     gpus_per_node: 8
//     gpu_model: A100          # default: none named
//     cpus_per_node: 128       # default 0: unknown
//     memory_per_node: 1TB     # default: unknown
//     packing: gang            # gang (node by node) | pool (any free GPUs)
//     constrain: [gpus]        # which resources a job must find free: gpus, cpus, memory
//
// or, in place of the first five, a list of groups with the same keys and a name each:
//
//     groups:
//       - {name: new, gpu_model: H800, nodes: 219, gpus_per_node: 8}
//       - {name: old, gpu_model: A10, nodes: 2494, gpus_per_node: 1}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/config_node.hpp"

namespace berth {

enum class Packing : std::uint8_t { kGang, kPool };

// A set of groups: bit i is group i.
using GroupMask = std::uint64_t;
inline constexpr std::size_t kMostGroups = 64;

struct NodeGroup {
  std::string name;       // empty where the cluster is one group that nobody named
  std::string gpu_model;  // empty: not said
  std::uint32_t nodes = 0;
  std::uint32_t gpus_per_node = 0;
  std::uint32_t cpus_per_node = 0;        // 0: unknown
  std::uint64_t memory_mib_per_node = 0;  // 0: unknown

  std::uint64_t gpus() const { return std::uint64_t{nodes} * gpus_per_node; }
};

struct ClusterSpec {
  // Node indices run through the groups in this order. At least one.
  std::vector<NodeGroup> groups = {NodeGroup{}};
  Packing packing = Packing::kGang;
  // GPUs always bind. CPUs and memory bind where asked: the published traces say what jobs
  // requested, not on which nodes the CPU-only jobs ran, and semantics.md lets those always fit.
  bool constrain_cpus = false;
  bool constrain_memory = false;

  // The ledger counts GPUs in parts: 1, or 1000 a GPU where the workload's fractions of GPUs are
  // shared (JobTable::parts_per_gpu). Everything below sim/cluster that is called "gpus", but not
  // the keys above, is in these parts.
  std::uint32_t parts_per_gpu = 1;

  // One kind of node: what some policies need, and all are fastest on.
  bool is_uniform() const { return groups.size() == 1; }
  std::uint32_t total_nodes() const;
  std::uint64_t total_gpus() const;
  std::uint64_t total_parts() const { return total_gpus() * parts_per_gpu; }
  std::uint32_t parts_per_node(const NodeGroup& group) const {
    return group.gpus_per_node * parts_per_gpu;
  }
  // Of the largest nodes.
  std::uint32_t most_parts_per_node() const;

  // Some group names its model, so that requirements bind.
  bool names_models() const;
  GroupMask all_groups() const;
  // The groups on which a job that requires `model` may run: those of one of its alternatives,
  // which '|' separates; all where it requires none, or the cluster names no models.
  GroupMask groups_of(std::string_view model) const;
};

// Reads the `cluster` section. Findings go to the node's reader.
ClusterSpec read_cluster(ConfigNode node);

}  // namespace berth
