// Free GPUs as a step function of future time, with "the earliest slot for n GPUs over d" in a few
// descents. Conservative backfill plans on it.
//
// A treap of steps, each knowing the smallest and largest value below it, with additions to a range
// left lying at the root of the range until somebody passes (lazy propagation). The first step lies
// at `now`; behind the last one its value holds for ever. Neighbouring steps differ in value.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/time.hpp"

namespace berth {

class AvailabilityProfile {
 public:
  // `free` from time zero on.
  explicit AvailabilityProfile(std::int64_t free);

  // Forgets all: `free` from `now` on.
  void reset(SimTime now, std::int64_t free);
  // Forgets what lies before `now`. REQUIRES: not before the last call.
  void advance(SimTime now);
  // Adds `delta` over [from, to). What lies before now is left out.
  void add(SimTime from, SimTime to, std::int64_t delta);
  // The first step (or now) from which at least `gpus` are free for the whole of `length`. Behind
  // the last step everything is free, so there is one whenever gpus fits the cluster; kNever if
  // not.
  SimTime earliest(std::int64_t gpus, Duration length) const {
    return earliest_before(gpus, length, kNever);
  }
  // What earliest() would say if the `gpus` that are taken over [own, own + length) were given back
  // first, without doing so: `own`, or something better. REQUIRES: own >= now and lowest() >= 0, so
  // that `own` is a slot.
  SimTime earliest_before(std::int64_t gpus, Duration length, SimTime own) const;
  // The fewest GPUs free at any time; below zero if more was taken than there was.
  std::int64_t lowest() const { return nodes_[root_].lowest; }

  std::int64_t free_at(SimTime time) const;
  std::size_t steps() const { return nodes_.size() - 1 - unused_.size(); }

 private:
  using Link = std::uint32_t;
  static constexpr Link kNone = 0;

  struct Step {
    SimTime time;
    std::int64_t free = 0;
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    std::int64_t pending = 0;  // to be added to both subtrees
    Link left = kNone;
    Link right = kNone;
    std::uint32_t priority = 0;
  };

  Link create(SimTime time, std::int64_t free);
  void shift(Link link, std::int64_t delta);
  void push(Link link);
  void update(Link link);
  void split(Link link, SimTime time, Link& before, Link& rest);  // rest: at `time` and later
  Link merge(Link before, Link rest);
  Link leftmost(Link link) const;
  bool has_step(SimTime time) const;
  void ensure_step(SimTime time);
  void insert(Link& link, Link fresh);
  void erase(Link& link, SimTime time);
  void drop_step_if_level(SimTime time);
  // Adds over [from, to) in a subtree whose steps all lie in [low, high).
  void add_within(Link link, SimTime low, SimTime high, SimTime from, SimTime to,
                  std::int64_t delta);
  // The first step at or after `time` with at least (fewer than) `gpus` free; kNone if none.
  Link first_with(Link link, SimTime time, std::int64_t gpus, std::int64_t carried,
                  bool at_least) const;

  std::vector<Step> nodes_;  // nodes_[0] stands for "none"
  std::vector<Link> unused_;
  Link root_ = kNone;
  SimTime now_{};
  std::uint32_t seed_ = 1;
};

}  // namespace berth
