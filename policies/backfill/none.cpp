// No backfill: tasks start in queue order while they fit; the first that does not fit blocks all
// behind it.
//
// O(log n) a start. A pass in which nothing was freed and no new head came is O(1).
#include <algorithm>
#include <functional>

#include "policies/builtin.hpp"
#include "policies/planning/ordered_lines.hpp"

namespace berth {
namespace {

class NoBackfill final : public SchedulerPolicy {
 public:
  explicit NoBackfill(const QueueOrder& order) : order_(order) {}

  void on_pending(const PassView& view, TaskId task) override {
    const Place place{order_.key(view, task), task};
    if (queue_.empty() || place < queue_.front()) blocked_ = false;
    queue_.push_back(place);
    std::ranges::push_heap(queue_, std::greater<>{});
  }
  void on_stopped(const PassView&, TaskId) override { blocked_ = false; }

  void schedule(const PassView&, Dispatcher& dispatcher) override {
    while (!queue_.empty() && !blocked_) {
      blocked_ = !dispatcher.try_start(queue_.front().task);
      if (blocked_) return;
      std::ranges::pop_heap(queue_, std::greater<>{});
      queue_.pop_back();
    }
  }

 private:
  const QueueOrder& order_;
  std::vector<Place> queue_;  // a heap, the first in front
  bool blocked_ = false;      // the head did not fit, and nothing was freed since
};

}  // namespace

void register_no_backfill(Registries& registries) {
  registries.backfills.add("none", "the first that does not fit blocks all behind it", {},
                           [](ConfigNode&, const PolicyContext& context) {
                             return std::make_unique<NoBackfill>(*context.order);
                           });
}

}  // namespace berth
