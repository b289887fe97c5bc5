// The contract between a scheduling policy and the engine.
//
// Facts come one by one (on_pending, on_started, on_stopped), decisions are asked for once per
// simulated instant (schedule), after every fact of that instant: completions first, then
// submissions (docs/architecture.md, "One pass per instant").
#pragma once

#include <span>
#include <vector>

#include "sim/api/shaped_jobs.hpp"
#include "sim/api/task_table.hpp"
#include "sim/cluster/cluster.hpp"

namespace berth {

// What a policy may read: everything true at this instant, all of it read-only. A policy must
// decide from these alone; in particular it must not look at the run time of a Job, which nobody
// knows before the end, but at the task's estimate.
struct PassView {
  SimTime now;
  const Cluster& cluster;
  const TaskTable& tasks;
  const ShapedJobs& workload;

  JobId job_of(TaskId t) const { return tasks.job_of(t); }
  const Job& job(TaskId t) const { return workload.jobs()[job_of(t)]; }
  const ShapeTable& shapes() const { return workload.shapes(); }
  ShapeId shape_id(TaskId t) const { return workload.shape(job_of(t)); }
  const Shape& shape(TaskId t) const { return shapes()[shape_id(t)]; }
};

// What rearrange() carries out: who gives up its place, and who runs where from now on.
struct Plan {
  struct Entry {
    TaskId task;
    std::uint32_t first_node;  // offset into `nodes`; as many follow as the task's shape has
  };
  std::vector<TaskId> preempt;
  std::vector<Entry> run;
  std::vector<NodeId> nodes;

  void clear() {
    preempt.clear();
    run.clear();
    nodes.clear();
  }
};

// The only verbs a policy has. Each takes effect at once, so the view is true on its next line.
// A verb out of place (starting what is not pending, a placement that is taken) is an
// InternalError and ends the run: a wrong decision must not yield a plausible result.
class Dispatcher {
 public:
  // Starts a pending task where the configured placement puts it; false if it does not fit now.
  virtual bool try_start(TaskId task) = 0;
  // Where the configured placement would put a task of this shape now, without starting it.
  // Fills `out` and returns true, or returns false if it does not fit.
  virtual bool place(ShapeId shape, std::vector<NodeId>& out) const = 0;
  // Starts a pending task on these nodes.
  virtual void start(TaskId task, std::span<const NodeId> placement) = 0;
  // Carries out a plan at no cost to anybody: the tasks of plan.preempt stop, keep the work they
  // did and are pending again; those of plan.run that run elsewhere move, those that are pending
  // start. Running tasks that the plan does not name stay as they are.
  virtual void rearrange(const Plan& plan) = 0;
  // Asks for a pass at `time` > now even if nothing else happens then. One request is kept at a
  // time and every pass starts with none: ask again in each pass while it matters.
  virtual void wake_at(SimTime time) = 0;

 protected:
  ~Dispatcher() = default;
};

class SchedulerPolicy {
 public:
  virtual ~SchedulerPolicy() = default;
  // A task may be started from now on: just submitted, or interrupted.
  virtual void on_pending(const PassView& view, TaskId task) = 0;
  // A task was started (by one of this policy's own commands).
  virtual void on_started(const PassView&, TaskId) {}
  // A task stopped running, because it ended or was interrupted; its capacity is free already.
  virtual void on_stopped(const PassView&, TaskId) {}
  // Decide. Called at least once at every instant with a fact, and when a wake_at is due.
  virtual void schedule(const PassView& view, Dispatcher& dispatcher) = 0;
};

}  // namespace berth
