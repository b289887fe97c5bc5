// The cluster as configured: nodes of one kind, and which of their resources bind.
//
//   cluster:
//     nodes: 286
//     gpus_per_node: 8
//     cpus_per_node: 128       # default 0: unknown
//     memory_per_node: 1TB     # default: unknown
//     packing: gang            # gang (node by node) | pool (any free GPUs)
//     constrain: [gpus]        # which resources a job must find free: gpus, cpus, memory
#pragma once

#include <cstdint>

#include "sim/config/config_node.hpp"

namespace berth {

enum class Packing : std::uint8_t { kGang, kPool };

struct ClusterSpec {
  std::uint32_t nodes = 0;
  std::uint32_t gpus_per_node = 0;
  std::uint32_t cpus_per_node = 0;
  std::uint64_t memory_mib_per_node = 0;
  Packing packing = Packing::kGang;
  // GPUs always bind. CPUs and memory bind where asked: the published traces say what jobs
  // requested, not on which nodes the CPU-only jobs ran, and semantics.md lets those always fit.
  bool constrain_cpus = false;
  bool constrain_memory = false;

  // The ledger counts GPUs in parts: 1, or 1000 a GPU where the workload's fractions of GPUs are
  // shared (JobTable::parts_per_gpu). Everything below sim/cluster that is called "gpus", but not
  // the keys above, is in these parts.
  std::uint32_t parts_per_gpu = 1;

  std::uint64_t total_gpus() const { return std::uint64_t{nodes} * gpus_per_node; }
  std::uint64_t total_parts() const { return total_gpus() * parts_per_gpu; }
  std::uint32_t parts_per_node() const { return gpus_per_node * parts_per_gpu; }
};

// Reads the `cluster` section. Findings go to the node's reader.
ClusterSpec read_cluster(ConfigNode node);

}  // namespace berth
