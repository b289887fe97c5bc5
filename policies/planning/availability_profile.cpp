#include "policies/planning/availability_profile.hpp"

#include <algorithm>
#include <limits>

#include "sim/core/check.hpp"

namespace berth {

AvailabilityProfile::AvailabilityProfile(std::int64_t free) : nodes_(1) { reset(SimTime{}, free); }

void AvailabilityProfile::reset(SimTime now, std::int64_t free) {
  nodes_.resize(1);
  unused_.clear();
  now_ = now;
  root_ = create(now, free);
}

AvailabilityProfile::Link AvailabilityProfile::create(SimTime time, std::int64_t free) {
  seed_ = seed_ * 1664525u + 1013904223u;  // any fixed sequence will do, and it must be fixed
  const std::uint32_t priority = seed_ ^ (seed_ >> 15u);
  const Step step{time, free, free, free, 0, kNone, kNone, priority};
  if (unused_.empty()) {
    nodes_.push_back(step);
    return static_cast<Link>(nodes_.size() - 1);
  }
  const Link link = unused_.back();
  unused_.pop_back();
  nodes_[link] = step;
  return link;
}

void AvailabilityProfile::shift(Link link, std::int64_t delta) {
  if (link == kNone) return;
  Step& step = nodes_[link];
  step.free += delta;
  step.lowest += delta;
  step.highest += delta;
  step.pending += delta;
}

void AvailabilityProfile::push(Link link) {
  Step& step = nodes_[link];
  if (step.pending == 0) return;
  shift(step.left, step.pending);
  shift(step.right, step.pending);
  step.pending = 0;
}

void AvailabilityProfile::update(Link link) {
  Step& step = nodes_[link];
  step.lowest = step.highest = step.free;
  for (const Link child : {step.left, step.right}) {
    if (child == kNone) continue;
    step.lowest = std::min(step.lowest, nodes_[child].lowest);
    step.highest = std::max(step.highest, nodes_[child].highest);
  }
}

void AvailabilityProfile::split(Link link, SimTime time, Link& before, Link& rest) {
  if (link == kNone) {
    before = rest = kNone;
    return;
  }
  push(link);
  Link part = kNone;
  if (nodes_[link].time < time) {
    split(nodes_[link].right, time, part, rest);
    nodes_[link].right = part;
    before = link;
  } else {
    split(nodes_[link].left, time, before, part);
    nodes_[link].left = part;
    rest = link;
  }
  update(link);
}

AvailabilityProfile::Link AvailabilityProfile::merge(Link before, Link rest) {
  if (before == kNone) return rest;
  if (rest == kNone) return before;
  if (nodes_[before].priority > nodes_[rest].priority) {
    push(before);
    const Link right = merge(nodes_[before].right, rest);
    nodes_[before].right = right;
    update(before);
    return before;
  }
  push(rest);
  const Link left = merge(before, nodes_[rest].left);
  nodes_[rest].left = left;
  update(rest);
  return rest;
}

AvailabilityProfile::Link AvailabilityProfile::leftmost(Link link) const {
  while (nodes_[link].left != kNone) link = nodes_[link].left;
  return link;
}

std::int64_t AvailabilityProfile::free_at(SimTime time) const {
  std::int64_t carried = 0;
  std::int64_t free = 0;
  for (Link link = root_; link != kNone;) {
    const Step& step = nodes_[link];
    if (step.time <= time) {
      free = step.free + carried;
      carried += step.pending;
      link = step.right;
    } else {
      carried += step.pending;
      link = step.left;
    }
  }
  return free;
}

bool AvailabilityProfile::has_step(SimTime time) const {
  Link link = root_;
  while (link != kNone && nodes_[link].time != time) {
    link = nodes_[link].time < time ? nodes_[link].right : nodes_[link].left;
  }
  return link != kNone;
}

void AvailabilityProfile::insert(Link& link, Link fresh) {
  if (link == kNone || nodes_[link].priority < nodes_[fresh].priority) {
    Link before = kNone;
    Link rest = kNone;
    split(link, nodes_[fresh].time, before, rest);
    nodes_[fresh].left = before;
    nodes_[fresh].right = rest;
    update(fresh);
    link = fresh;
    return;
  }
  push(link);
  insert(nodes_[link].time < nodes_[fresh].time ? nodes_[link].right : nodes_[link].left, fresh);
  update(link);
}

void AvailabilityProfile::erase(Link& link, SimTime time) {
  SIM_CHECK(link != kNone, "a step to be dropped is not there");
  push(link);
  Step& step = nodes_[link];
  if (step.time == time) {
    unused_.push_back(link);
    link = merge(step.left, step.right);
    return;
  }
  erase(step.time < time ? step.right : step.left, time);
  update(link);
}

void AvailabilityProfile::advance(SimTime now) {
  SIM_CHECK(now >= now_, "the profile cannot go back");
  now_ = now;
  while (true) {
    const Link first = leftmost(root_);
    if (nodes_[first].time == now) return;
    const Link next = first_with(root_, nodes_[first].time + Duration(1),
                                 std::numeric_limits<std::int64_t>::min(), 0, true);
    if (next == kNone || nodes_[next].time > now) {  // its value holds on: it moves up to now
      nodes_[first].time = now;
      return;
    }
    erase(root_, nodes_[first].time);
  }
}

void AvailabilityProfile::ensure_step(SimTime time) {
  if (!has_step(time)) insert(root_, create(time, free_at(time)));
}

void AvailabilityProfile::drop_step_if_level(SimTime time) {
  if (time > now_ && free_at(time) == free_at(time - Duration(1))) erase(root_, time);
}

void AvailabilityProfile::add_within(Link link, SimTime low, SimTime high, SimTime from, SimTime to,
                                     std::int64_t delta) {
  if (link == kNone || high <= from || to <= low) return;
  if (from <= low && high <= to) {
    shift(link, delta);
    return;
  }
  push(link);
  Step& step = nodes_[link];
  add_within(step.left, low, step.time, from, to, delta);
  if (from <= step.time && step.time < to) step.free += delta;
  add_within(step.right, step.time, high, from, to, delta);
  update(link);
}

void AvailabilityProfile::add(SimTime from, SimTime to, std::int64_t delta) {
  from = std::max(from, now_);
  if (delta == 0 || from >= to) return;
  ensure_step(from);
  ensure_step(to);
  add_within(root_, now_, kNever, from, to, delta);
  drop_step_if_level(from);
  drop_step_if_level(to);
}

AvailabilityProfile::Link AvailabilityProfile::first_with(Link link, SimTime time,
                                                          std::int64_t gpus, std::int64_t carried,
                                                          bool at_least) const {
  if (link == kNone) return kNone;
  const Step& step = nodes_[link];
  const bool possible = at_least ? step.highest + carried >= gpus : step.lowest + carried < gpus;
  if (!possible) return kNone;
  const std::int64_t below = carried + step.pending;
  if (step.time < time) return first_with(step.right, time, gpus, below, at_least);
  const Link found = first_with(step.left, time, gpus, below, at_least);
  if (found != kNone) return found;
  const std::int64_t free = step.free + carried;
  if (at_least ? free >= gpus : free < gpus) return link;
  return first_with(step.right, time, gpus, below, at_least);
}

SimTime AvailabilityProfile::earliest_before(std::int64_t gpus, Duration length,
                                             SimTime own) const {
  SimTime from = now_;
  while (true) {
    const Link slot = first_with(root_, from, gpus, 0, true);
    if (slot == kNone || nodes_[slot].time >= own) return own;
    const SimTime start = nodes_[slot].time;
    const Link end = first_with(root_, start, gpus, 0, false);
    if (end == kNone || nodes_[end].time - start >= length || nodes_[end].time >= own) return start;
    from = nodes_[end].time;
  }
}

}  // namespace berth
