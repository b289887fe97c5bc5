// Waiting tasks of which every one that fits starts, in order: one line a shape, and a shape that
// did not fit stays closed until something is freed. A pass costs O(shapes + starts x open shapes).
#pragma once

#include <algorithm>
#include <vector>

#include "policies/planning/shape_lines.hpp"
#include "sim/api/scheduler_policy.hpp"

namespace berth {

class GreedyLines {
 public:
  void add(const PassView& view, const Place& place) {
    const ShapeId shape = view.shape_id(place.task);
    lines_.add(shape, place, 0);
    if (closed_.size() <= index(shape)) closed_.resize(index(shape) + 1, false);
    if (!closed_[index(shape)]) changed_ = true;
  }
  // Something was freed: every shape may fit again.
  void reopen() {
    std::fill(closed_.begin(), closed_.end(), false);
    changed_ = true;
  }

  void start_all_that_fit(const PassView& view, Dispatcher& dispatcher) {
    if (!changed_) return;
    changed_ = false;
    open_.clear();
    for (const ShapeLines::Waiting& waiting : lines_.waiting()) {
      if (closed_[index(waiting.shape)]) continue;
      if (fits(view, dispatcher, waiting.shape)) {
        open_.push_back(waiting.shape);
      } else {
        closed_[index(waiting.shape)] = true;
      }
    }
    while (!open_.empty()) {
      const std::size_t at = earliest();
      const ShapeId shape = open_[at];
      const Place head = lines_.head(shape);
      const bool started = dispatcher.try_start(head.task);
      if (started) lines_.remove(shape, head);
      closed_[index(shape)] = !started;
      if (!started || lines_.line(shape) == OrderedLines::kEmpty) {
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
  }

 private:
  bool fits(const PassView& view, const Dispatcher& dispatcher, ShapeId shape) {
    return view.shapes()[shape].gpus <= view.cluster.free_gpus() &&
           dispatcher.place(shape, scratch_);
  }
  // Of the open shapes, the one whose head comes first.
  std::size_t earliest() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < open_.size(); ++i) {
      if (lines_.head(open_[i]) < lines_.head(open_[best])) best = i;
    }
    return best;
  }

  ShapeLines lines_;
  std::vector<bool> closed_;  // by shape: did not fit, and nothing was freed since
  bool changed_ = false;
  std::vector<ShapeId> open_;  // scratch
  std::vector<NodeId> scratch_;
};

}  // namespace berth
