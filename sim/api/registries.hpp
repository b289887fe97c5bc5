// Everything that is chosen by name. A plugin adds to these through the same door as the built-ins.
#pragma once

#include "sim/api/estimate_model.hpp"
#include "sim/api/placement_policy.hpp"
#include "sim/api/queue_order.hpp"
#include "sim/api/registry.hpp"
#include "sim/api/scheduler_policy.hpp"
#include "sim/api/trace_reader.hpp"
#include "sim/api/workload_transform.hpp"
#include "sim/config/config_node.hpp"

namespace berth {

// What a policy's factory may use. Lives as long as the run.
struct PolicyContext {
  const ClusterSpec& cluster;
  const QueueOrder* order;  // null for a scheduler that brings its own order
  const PlacementPolicy& placement;
  std::string_view placement_name;
  std::uint64_t seed;
};

struct Registries {
  // `policy.order`: a queue order, which combines with a backfill ...
  Registry<QueueOrder, ConfigNode&> orders;
  // ... or a whole scheduler, which does not.
  Registry<SchedulerPolicy, ConfigNode&, const PolicyContext&> schedulers;
  // `policy.backfill`. The node is the `policy` section, for options of the discipline's own.
  Registry<SchedulerPolicy, ConfigNode&, const PolicyContext&> backfills;
  // `policy.estimates.mode`; the node is that section. The last argument is the seed.
  Registry<EstimateModel, ConfigNode&, std::uint64_t> estimates;
  Registry<PlacementPolicy> placements;
  // `workload.trace.format`; a format's options are keys of that section.
  Registry<TraceFormat> formats;
  // The keys of `workload.transforms`; the node is the transform's section.
  TransformRegistry transforms;
};

}  // namespace berth
