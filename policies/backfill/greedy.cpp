// Greedy backfill: through the queue in order, start each task that fits. Large jobs may starve.
//
// One line a shape; a shape that did not fit stays closed until something is freed. A pass costs
// O(shapes + starts x open shapes).
#include <algorithm>

#include "policies/builtin.hpp"
#include "policies/planning/shape_lines.hpp"

namespace berth {
namespace {

class GreedyBackfill final : public SchedulerPolicy {
 public:
  explicit GreedyBackfill(const QueueOrder& order) : order_(order) {}

  void on_pending(const PassView& view, TaskId task) override {
    const ShapeId shape = view.shape_id(task);
    lines_.add(shape, {order_.key(view, task), task}, 0);
    if (closed_.size() <= index(shape)) closed_.resize(index(shape) + 1, false);
    if (!closed_[index(shape)]) changed_ = true;
  }
  void on_stopped(const PassView&, TaskId) override {
    std::fill(closed_.begin(), closed_.end(), false);
    changed_ = true;
  }

  void schedule(const PassView& view, Dispatcher& dispatcher) override {
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
      if (!dispatcher.try_start(head.task)) {
        closed_[index(shape)] = true;
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
        continue;
      }
      lines_.remove(shape, head);
      if (lines_.line(shape) == OrderedLines::kEmpty) {
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

  const QueueOrder& order_;
  ShapeLines lines_;
  std::vector<bool> closed_;  // by shape: did not fit, and nothing was freed since
  bool changed_ = false;
  std::vector<ShapeId> open_;  // scratch
  std::vector<NodeId> scratch_;
};

}  // namespace

void register_greedy(Registries& registries) {
  registries.backfills.add("greedy", "every waiting job that fits starts, in queue order", {},
                           [](ConfigNode&, const PolicyContext& context) {
                             return std::make_unique<GreedyBackfill>(*context.order);
                           });
}

}  // namespace berth
