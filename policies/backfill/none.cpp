// No backfill: tasks start in queue order while they fit; the first that does not fit blocks all
// behind it.
//
// O(1) a start under fifo, O(log n) under other orders. A pass in which nothing was freed and no
// new head came is O(1).
#include <algorithm>
#include <functional>

#include "policies/builtin.hpp"
#include "policies/planning/ordered_lines.hpp"
#include "sim/core/huge_pages.hpp"

namespace berth {
namespace {

class NoBackfill final : public SchedulerPolicy {
 public:
  explicit NoBackfill(const QueueOrder& order) : order_(order) {}

  void on_pending(const PassView& view, TaskId task) override {
    const Place place{order_.key(view, task), task};
    if (empty() || place < head()) blocked_ = false;
    if (next_ == in_order_.size() || in_order_.back() < place) {
      in_order_.push_back(place);
    } else {
      heap_.push_back(place);
      std::ranges::push_heap(heap_, std::greater<>{});
    }
  }
  void on_stopped(const PassView&, TaskId) override { blocked_ = false; }

  void schedule(const PassView&, Dispatcher& dispatcher) override {
    while (!empty() && !blocked_) {
      blocked_ = !dispatcher.try_start(head().task);
      if (!blocked_) pop();
    }
  }

 private:
  bool empty() const { return next_ == in_order_.size() && heap_.empty(); }
  bool heap_is_first() const {
    if (heap_.empty()) return false;
    return next_ == in_order_.size() || heap_.front() < in_order_[next_];
  }
  // REQUIRES: not empty.
  const Place& head() const { return heap_is_first() ? heap_.front() : in_order_[next_]; }
  void pop() {
    if (heap_is_first()) {
      std::ranges::pop_heap(heap_, std::greater<>{});
      heap_.pop_back();
      return;
    }
    ++next_;
    // Give back what has been served, at a cost that the serving has paid for.
    if (next_ == in_order_.size() || next_ > in_order_.size() / 2 + 1024) {
      in_order_.erase(in_order_.begin(), in_order_.begin() + static_cast<std::ptrdiff_t>(next_));
      next_ = 0;
    }
  }

  const QueueOrder& order_;
  // Who came behind all who wait, as under fifo everybody does, stands in a plain row; the others
  // in a heap. The first of the two is the head.
  JobVector<Place> in_order_;
  std::size_t next_ = 0;
  std::vector<Place> heap_;
  bool blocked_ = false;  // the head did not fit, and nothing was freed since
};

}  // namespace

void register_no_backfill(Registries& registries) {
  registries.backfills.add("none", "the first that does not fit blocks all behind it", {},
                           [](ConfigNode&, const PolicyContext& context) {
                             return std::make_unique<NoBackfill>(*context.order);
                           });
}

}  // namespace berth
