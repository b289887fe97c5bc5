#include "sim/engine/engine.hpp"

#include <algorithm>

#include "sim/core/check.hpp"
#include "sim/core/error.hpp"

namespace berth {

Engine::Engine(const ShapedJobs& workload, EngineParts parts)
    : workload_(workload),
      parts_(std::move(parts)),
      lifecycle_(workload, parts_.policy, parts_.estimates, parts_.sinks, parts_.chains == nullptr),
      arrivals_(workload, parts_.chains) {}

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
  result_.rejected = arrivals_.rejected();
  lifecycle_.check_all_returned();
  return result_;
}

SimTime Engine::next_instant() {
  EventQueue& events = lifecycle_.events();
  while (!events.empty() && !lifecycle_.is_current(events.top())) events.pop();
  SimTime next = std::min(wake_, arrivals_.next());
  if (!events.empty()) next = std::min(next, events.top().time);
  return next;
}

void Engine::complete_due() {
  EventQueue& events = lifecycle_.events();
  const SimTime now = lifecycle_.view().now;
  while (!events.empty() && events.top().time == now) {
    const Completion event = events.top();
    events.pop();
    if (!lifecycle_.is_current(event)) continue;
    lifecycle_.finish(event.task);
    arrivals_.on_finished(lifecycle_.view().job_of(event.task), now);
  }
}

void Engine::submit_due() {
  arrivals_.take_due(lifecycle_.view().now, [this](JobId job) { lifecycle_.submit(job); });
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
