#include "sim/engine/engine.hpp"

#include <algorithm>

#include "sim/core/check.hpp"
#include "sim/core/error.hpp"

namespace berth {

Engine::Engine(const ShapedJobs& workload, EngineParts parts)
    : workload_(workload),
      jobs_(workload.jobs().jobs()),
      parts_(std::move(parts)),
      lifecycle_(workload, parts_.policy, parts_.estimates, parts_.sinks) {}

EngineResult Engine::run() {
  parts_.estimates.prepare(workload_.jobs());
  while (true) {
    const SimTime now = next_instant();
    if (now == kNever) break;
    lifecycle_.set_now(now);
    complete_due();
    submit_due();
    pass();
    if (parts_.stop != nullptr && parts_.stop->load(std::memory_order_relaxed)) {
      throw Interrupted("interrupted at " + describe(now.time_since_epoch()) +
                        " of simulated time");
    }
  }
  lifecycle_.log().flush();
  result_.end = lifecycle_.view().now;
  result_.left = lifecycle_.live();
  lifecycle_.check_all_returned();
  return result_;
}

SimTime Engine::next_instant() {
  EventQueue& events = lifecycle_.events();
  while (!events.empty() && !lifecycle_.is_current(events.top())) events.pop();
  skip_jobs_that_never_run();
  SimTime next = wake_;
  if (!events.empty()) next = std::min(next, events.top().time);
  if (next_job_ < jobs_.size()) next = std::min(next, jobs_[next_job_].submit);
  return next;
}

// They are load for nobody and make no instant: neither those that the trace says never started,
// nor those that this cluster can never hold.
void Engine::skip_jobs_that_never_run() {
  for (; next_job_ < jobs_.size(); ++next_job_) {
    if (jobs_[next_job_].never_started) continue;
    if (workload_.can_run(JobId(static_cast<std::uint32_t>(next_job_)))) return;
    ++result_.rejected;
  }
}

void Engine::complete_due() {
  EventQueue& events = lifecycle_.events();
  const SimTime now = lifecycle_.view().now;
  while (!events.empty() && events.top().time == now) {
    const Completion event = events.top();
    events.pop();
    if (lifecycle_.is_current(event)) lifecycle_.finish(event.task);
  }
}

void Engine::submit_due() {
  const SimTime now = lifecycle_.view().now;
  for (skip_jobs_that_never_run(); next_job_ < jobs_.size() && jobs_[next_job_].submit == now;
       skip_jobs_that_never_run()) {
    lifecycle_.submit(JobId(static_cast<std::uint32_t>(next_job_++)));
  }
}

void Engine::pass() {
  wake_ = kNever;
  ++result_.passes;
  parts_.policy.schedule(lifecycle_.view(), *this);
}

bool Engine::try_start(TaskId task) {
  const PassView& view = lifecycle_.view();
  if (!parts_.placement.place(view.shape(task), view.cluster, scratch_)) return false;
  lifecycle_.start(task, scratch_);
  return true;
}

bool Engine::place(ShapeId shape, std::vector<NodeId>& out) const {
  const PassView& view = lifecycle_.view();
  return parts_.placement.place(view.shapes()[shape], view.cluster, out);
}

void Engine::start(TaskId task, std::span<const NodeId> placement) {
  lifecycle_.start(task, placement);
}

void Engine::rearrange(const Plan& plan) { lifecycle_.rearrange(plan); }

void Engine::wake_at(SimTime time) {
  SIM_CHECK(time > lifecycle_.view().now, "a wake-up must lie in the future");
  wake_ = std::min(wake_, time);
}

}  // namespace berth
