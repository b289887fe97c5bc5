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

  std::uint64_t total_gpus() const { return std::uint64_t{nodes} * gpus_per_node; }
};

// Reads the `cluster` section. Findings go to the node's reader.
ClusterSpec read_cluster(ConfigNode node);

}  // namespace berth
