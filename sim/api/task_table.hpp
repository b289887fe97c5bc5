// The state of every task, in columns: what policies read and the engine's lifecycle writes.
//
// A task is what is scheduled. Tasks are numbered in order of their submission, so that the order
// of ids is queue order. Today each job is one task; of the same index, as long as jobs are
// submitted in the order of the workload. Policies rely on neither: a job may later become several
// tasks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/cluster/shape.hpp"
#include "sim/core/huge_pages.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/time.hpp"

namespace berth {

enum class TaskPhase : std::uint8_t { kUnsubmitted, kPending, kRunning, kDone };

class TaskTable {
 public:
  explicit TaskTable(std::size_t tasks)
      : phase_(tasks, TaskPhase::kUnsubmitted),
        attempt_(tasks),
        remaining_(tasks),
        predicted_(tasks),
        started_(tasks),
        placement_(tasks) {}

  std::size_t size() const { return phase_.size(); }
  JobId job_of(TaskId t) const {
    return jobs_.empty() ? JobId(static_cast<std::uint32_t>(index(t))) : jobs_[index(t)];
  }
  TaskPhase phase(TaskId t) const { return phase_[index(t)]; }
  // How often it was started. A completion of an earlier attempt is stale.
  std::uint32_t attempt(TaskId t) const { return attempt_[index(t)]; }
  // When the current attempt started. REQUIRES: running.
  SimTime started(TaskId t) const { return started_[index(t)]; }
  // The predicted run time of the whole task, as the estimate model saw it at submission; may be
  // 0. Kept up to date as the prediction of what is *left* when an attempt is interrupted (then it
  // may be negative: the task has outrun its prediction).
  Duration predicted_left(TaskId t) const { return predicted_[index(t)]; }
  // What schedulers plan with (semantics.md, rule 6): the prediction, at least one second.
  Duration estimate(TaskId t) const {
    return std::max<Duration>(std::chrono::seconds(1), predicted_[index(t)]);
  }
  // REQUIRES: running.
  SimTime estimated_end(TaskId t) const { return started(t) + estimate(t); }
  // The nodes of a running task of `shape`.
  std::span<const NodeId> placement(TaskId t, const Shape& shape) const {
    if (shape.nodes == 1) return {&placement_[index(t)].node, 1};
    return {many_.data() + placement_[index(t)].offset, shape.nodes};
  }

 private:
  friend class Lifecycle;
  JobVector<JobId> jobs_;  // empty: task i is job i
  JobVector<TaskPhase> phase_;
  JobVector<std::uint32_t> attempt_;
  JobVector<Duration> remaining_;  // true work left at the start of the current attempt
  JobVector<Duration> predicted_;
  JobVector<SimTime> started_;

  // One node stands in the column itself; longer placements lie in `many_`, whose holes are reused
  // by length, so that nothing is allocated once the longest mix of placements has been seen.
  union NodeOrOffset {
    NodeId node;
    std::uint32_t offset;
  };
  JobVector<NodeOrOffset> placement_;
  std::vector<NodeId> many_;
  std::vector<std::vector<std::uint32_t>> holes_;  // by length
};

}  // namespace berth
