// The event loop. At each instant: completions, then submissions, then one pass of the policy
// (../docs/architecture.md, "One pass per instant"; the rules are those of semantics.md).
#pragma once

#include <atomic>
#include <vector>

#include "sim/api/estimate_model.hpp"
#include "sim/api/placement_policy.hpp"
#include "sim/api/record.hpp"
#include "sim/api/scheduler_policy.hpp"
#include "sim/engine/arrivals.hpp"
#include "sim/engine/lifecycle.hpp"

namespace berth {

struct EngineParts {
  SchedulerPolicy& policy;
  const PlacementPolicy& placement;
  EstimateModel& estimates;
  std::vector<RecordSink*> sinks;
  // Set from outside (a signal) to end the run early with Interrupted; may be null.
  const std::atomic<bool>* stop = nullptr;
  // Which jobs are submitted because another one ended; may be null.
  const FeedbackChains* chains = nullptr;
};

struct EngineResult {
  SimTime end{};  // the last instant
  std::uint64_t passes = 0;
  std::uint64_t rejected = 0;  // jobs that can never run on this cluster
  std::uint64_t left = 0;      // submitted, but the policy never finished them
};

class Engine final : private Dispatcher {
 public:
  // Everything is borrowed and must outlive the engine.
  Engine(const ShapedJobs& workload, EngineParts parts);
  // Runs until nothing is left to happen. Call once.
  EngineResult run();

 private:
  SimTime next_instant();
  void complete_due();
  void submit_due();
  void pass();

  bool try_start(TaskId task) override;
  bool place(ShapeId shape, std::vector<NodeId>& out) const override;
  void start(TaskId task, std::span<const NodeId> placement) override;
  void rearrange(const Plan& plan) override;
  void wake_at(SimTime time) override;

  const ShapedJobs& workload_;
  EngineParts parts_;
  Lifecycle lifecycle_;
  Arrivals arrivals_;
  SimTime wake_ = kNever;
  EngineResult result_;
  std::vector<NodeId> scratch_;
};

}  // namespace berth
