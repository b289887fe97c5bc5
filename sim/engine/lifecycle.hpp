// From submission to the end: the only code that changes the state of tasks and of the ledger.
//
//   unsubmitted -> pending -> running -> done
//                     ^__________|  (preempted: keeps its work)
//
// Each step checks that it may be taken, changes the tables, pushes the completion to come, emits
// its record and tells the policy.
#pragma once

#include <span>
#include <vector>

#include "sim/api/estimate_model.hpp"
#include "sim/api/scheduler_policy.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/engine/record_log.hpp"

namespace berth {

class Lifecycle {
 public:
  // `in_order`: jobs will be submitted in the order of the workload, each of them.
  Lifecycle(const ShapedJobs& workload, SchedulerPolicy& policy, EstimateModel& estimates,
            std::vector<RecordSink*> sinks, bool in_order);

  const PassView& view() const { return view_; }
  void set_now(SimTime now) { view_.now = now; }
  EventQueue& events() { return events_; }
  RecordLog& log() { return log_; }

  // Tasks that were submitted and are not done.
  std::size_t live() const { return live_; }
  bool is_current(const Completion& event) const {
    return tasks_.phase(event.task) == TaskPhase::kRunning &&
           tasks_.attempt(event.task) == event.attempt;
  }

  void submit(JobId id);
  void start(TaskId task, std::span<const NodeId> placement);
  void finish(TaskId task);
  void rearrange(const Plan& plan);

  // Every node has all it had; called when nothing runs.
  void check_all_returned() const;

 private:
  TaskId task_for(JobId job);
  void preempt(TaskId task);
  void begin_attempt(TaskId task);
  void take(TaskId task, const Shape& shape, std::span<const NodeId> placement);
  void release(TaskId task, const Shape& shape);
  void keep_placement(TaskId task, std::span<const NodeId> placement);
  void forget_placement(TaskId task, const Shape& shape);
  void emit(RecordKind kind, TaskId task, std::int64_t a = 0, std::uint32_t b = 0);
  void emit_nodes(RecordKind kind, TaskId task, const Shape& shape);

  Cluster cluster_;
  TaskTable tasks_;
  PassView view_;
  SchedulerPolicy& policy_;
  EstimateModel& estimates_;
  EventQueue events_;
  RecordLog log_;
  std::size_t live_ = 0;
  std::uint32_t next_task_ = 0;        // only where jobs are not submitted in order
  std::vector<Plan::Entry> arriving_;  // scratch of rearrange
};

}  // namespace berth
