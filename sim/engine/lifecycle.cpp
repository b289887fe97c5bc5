#include "sim/engine/lifecycle.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace berth {

Lifecycle::Lifecycle(const ShapedJobs& workload, SchedulerPolicy& policy, EstimateModel& estimates,
                     std::vector<RecordSink*> sinks, bool in_order)
    : cluster_(workload.spec()),
      tasks_(workload.jobs().size()),
      view_{SimTime{}, cluster_, tasks_, workload},
      policy_(policy),
      estimates_(estimates),
      log_(std::move(sinks)) {
  if (!in_order) tasks_.jobs_.resize(workload.jobs().size());
}

TaskId Lifecycle::task_for(JobId job) {
  if (tasks_.jobs_.empty()) return TaskId(static_cast<std::uint32_t>(index(job)));
  tasks_.jobs_[next_task_] = job;
  return TaskId(next_task_++);
}

void Lifecycle::emit(RecordKind kind, TaskId task, std::int64_t a, std::uint32_t b) {
  const auto job = static_cast<std::uint32_t>(index(tasks_.job_of(task)));
  log_.emit({view_.now, a, b, job, tasks_.attempt(task), kind});
}

void Lifecycle::emit_nodes(RecordKind kind, TaskId task, const Shape& shape) {
  if (!log_.wants_placements()) return;
  const auto placement = tasks_.placement(task, shape);
  for (std::size_t i = 0; i < placement.size(); ++i) {
    const Slice& slice = i + 1 == placement.size() ? shape.last : shape.each;
    emit(kind, task, static_cast<std::int64_t>(index(placement[i])), slice.gpus);
  }
}

void Lifecycle::submit(JobId id) {
  SIM_CHECK(view_.workload.can_run(id), "a job that can never run was submitted");
  const Job& job = view_.workload.jobs()[id];
  const TaskId task = task_for(id);
  tasks_.phase_[index(task)] = TaskPhase::kPending;
  tasks_.remaining_[index(task)] = job.run;
  const Duration predicted = estimates_.predict(id, job);
  SIM_CHECK(predicted >= Duration(0) && predicted <= kLongestDuration, "a prediction out of range");
  tasks_.predicted_[index(task)] = predicted;
  ++live_;
  emit(RecordKind::kSubmitted, task);
  policy_.on_pending(view_, task);
}

void Lifecycle::keep_placement(TaskId task, std::span<const NodeId> placement) {
  auto& slot = tasks_.placement_[index(task)];
  const std::size_t length = placement.size();
  if (length == 1) {
    slot.node = placement[0];
    return;
  }
  if (length == 0) return;
  auto& holes = tasks_.holes_;
  if (length < holes.size() && !holes[length].empty()) {
    slot.offset = holes[length].back();
    holes[length].pop_back();
  } else {
    slot.offset = static_cast<std::uint32_t>(tasks_.many_.size());
    tasks_.many_.resize(tasks_.many_.size() + length);
  }
  std::copy(placement.begin(), placement.end(), tasks_.many_.begin() + slot.offset);
}

void Lifecycle::forget_placement(TaskId task, const Shape& shape) {
  if (shape.nodes <= 1) return;
  auto& holes = tasks_.holes_;
  if (holes.size() <= shape.nodes) holes.resize(shape.nodes + std::size_t{1});
  holes[shape.nodes].push_back(tasks_.placement_[index(task)].offset);
}

void Lifecycle::take(TaskId task, const Shape& shape, std::span<const NodeId> placement) {
  cluster_.take(placement, shape);
  keep_placement(task, placement);
}

void Lifecycle::release(TaskId task, const Shape& shape) {
  emit_nodes(RecordKind::kGiven, task, shape);
  cluster_.give(tasks_.placement(task, shape), shape);
  forget_placement(task, shape);
}

void Lifecycle::begin_attempt(TaskId task) {
  const std::size_t i = index(task);
  tasks_.phase_[i] = TaskPhase::kRunning;
  tasks_.started_[i] = view_.now;
  const std::uint32_t attempt = ++tasks_.attempt_[i];
  events_.push({view_.now + tasks_.remaining_[i], task, attempt});
  emit(RecordKind::kStarted, task);
  emit_nodes(RecordKind::kTaken, task, view_.shape(task));
  policy_.on_started(view_, task);
}

void Lifecycle::start(TaskId task, std::span<const NodeId> placement) {
  SIM_CHECK(tasks_.phase(task) == TaskPhase::kPending, "only a pending task can start");
  take(task, view_.shape(task), placement);
  begin_attempt(task);
}

void Lifecycle::finish(TaskId task) {
  release(task, view_.shape(task));
  tasks_.phase_[index(task)] = TaskPhase::kDone;
  tasks_.remaining_[index(task)] = Duration(0);
  --live_;
  emit(RecordKind::kFinished, task, to_ms(tasks_.started(task)));
  policy_.on_stopped(view_, task);
}

void Lifecycle::preempt(TaskId task) {
  SIM_CHECK(tasks_.phase(task) == TaskPhase::kRunning, "only a running task can be preempted");
  const std::size_t i = index(task);
  release(task, view_.shape(task));
  const Duration done = view_.now - tasks_.started_[i];
  tasks_.remaining_[i] -= done;
  tasks_.predicted_[i] -= done;
  SIM_CHECK(tasks_.remaining_[i] >= Duration(0), "a task ran longer than its work");
  tasks_.phase_[i] = TaskPhase::kPending;
  emit(RecordKind::kPreempted, task, to_ms(tasks_.started_[i]));
  policy_.on_stopped(view_, task);
  policy_.on_pending(view_, task);
}

void Lifecycle::rearrange(const Plan& plan) {
  for (const TaskId task : plan.preempt) preempt(task);
  const auto planned = [&](const Plan::Entry& entry, const Shape& shape) {
    SIM_CHECK(entry.first_node + std::size_t{shape.nodes} <= plan.nodes.size(),
              "a plan whose nodes are missing");
    return std::span<const NodeId>(plan.nodes).subspan(entry.first_node, shape.nodes);
  };
  // Everybody who moves lets go first; only then are the new places taken.
  arriving_.clear();
  for (const Plan::Entry& entry : plan.run) {
    const Shape& shape = view_.shape(entry.task);
    if (tasks_.phase(entry.task) == TaskPhase::kRunning) {
      if (std::ranges::equal(tasks_.placement(entry.task, shape), planned(entry, shape))) continue;
      release(entry.task, shape);
    }
    arriving_.push_back(entry);
  }
  for (const Plan::Entry& entry : arriving_) {
    const Shape& shape = view_.shape(entry.task);
    if (tasks_.phase(entry.task) == TaskPhase::kRunning) {
      take(entry.task, shape, planned(entry, shape));
      emit_nodes(RecordKind::kTaken, entry.task, shape);
    } else {
      start(entry.task, planned(entry, shape));
    }
  }
}

void Lifecycle::check_all_returned() const {
  for (std::uint32_t node = 0; node < cluster_.nodes(); ++node) {
    SIM_CHECK(cluster_.free(NodeId(node)) == cluster_.capacity(NodeId(node)),
              "a node did not get all back");
  }
}

}  // namespace berth
