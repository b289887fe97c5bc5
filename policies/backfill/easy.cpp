// EASY backfill (Lifka 1995; Mu'alem and Feitelson, TPDS 2001): only the head of the queue holds a
// reservation. The rules, node by node, are those of semantics.md:
//
//   1. start tasks from the head while they fit;
//   2. let the running tasks end at their estimated ends until the head fits: the *shadow time*,
//   and
//      what is free then the *future*;
//   3. in queue order behind the head, a task that fits now starts if it ends by the shadow time,
//   or
//      if the head still fits in the future without what it takes.
//
//   policy: {order: fifo, backfill: easy, estimates: {mode: factor, factor: 2}}
//
// The queue is never walked: a pass costs (starts + 1) x (shapes that fit now) x log n. "The shadow
// is found anew at every pass", but it comes out as before, and is kept, while the head is the same
// and no task ended but at its estimated end: such an end only turns what was to be free into what
// is free, and a backfilled task either is gone by then or was taken out of the future. When
// nothing was freed since a pass that started nothing, only the newcomers are looked at: for the
// others time has only brought the shadow closer.
#include <algorithm>

#include "policies/builtin.hpp"
#include "policies/planning/shadow_capacity.hpp"
#include "policies/planning/shape_lines.hpp"
#include "sim/core/check.hpp"

namespace berth {
namespace {

class EasyBackfill final : public SchedulerPolicy {
 public:
  explicit EasyBackfill(const QueueOrder& order) : order_(order) {}

  void on_pending(const PassView& view, TaskId task) override {
    const Place place{order_.key(view, task), task};
    if (key_.size() < view.tasks.size()) key_.resize(view.tasks.size());
    key_[index(task)] = place.key;
    waiting_.add(view.shape_id(task), place, to_ms(view.tasks.estimate(task)));
    newcomers_.push_back(place);
  }
  void on_started(const PassView& view, TaskId task) override {
    waiting_.remove(view.shape_id(task), {key_[index(task)], task});
    settled_ = false;
    if (view.shape(task).nodes != 0) running_.insert(by_end_, end_place(view, task), 0);
  }
  void on_stopped(const PassView& view, TaskId task) override {
    // Whoever took nothing gives nothing back, now or later.
    if (view.shape(task).nodes == 0) return;
    running_.erase(by_end_, {end_[index(task)], task});
    settled_ = false;
    if (to_ms(view.now) != end_[index(task)]) shadow_holds_ = false;
  }

  void schedule(const PassView& view, Dispatcher& dispatcher) override {
    const bool only_newcomers =
        settled_ && std::ranges::all_of(newcomers_, [&](const Place& p) { return head_ < p; });
    if (only_newcomers) {
      consider_newcomers(view, dispatcher);
    } else {
      consider_all(view, dispatcher);
    }
    newcomers_.clear();
  }

 private:
  // A shape that fits now, and whether the head can spare what it takes.
  struct Fitting {
    ShapeId shape{};
    bool spared = false;
  };

  Place end_place(const PassView& view, TaskId task) {
    if (end_.size() < view.tasks.size()) end_.resize(view.tasks.size());
    end_[index(task)] = to_ms(view.tasks.estimated_end(task));
    return {end_[index(task)], task};
  }

  void consider_all(const PassView& view, Dispatcher& dispatcher) {
    while (!waiting_.empty()) {
      const Place head = waiting_.first().head;
      if (head != head_) shadow_holds_ = false;
      head_ = head;
      if (!dispatcher.try_start(head_.task)) break;
      shadow_holds_ = false;
    }
    settled_ = !waiting_.empty();  // on_started unsets it
    if (!settled_) return;
    // A shadow that has come, or lies in the past since somebody outran an estimate, is found anew:
    // then an end at its estimated end does add to the future.
    if (!shadow_holds_ || shadow_ <= view.now) find_shadow(view);
    backfill_behind(head_, view, dispatcher);
  }

  void consider_newcomers(const PassView& view, Dispatcher& dispatcher) {
    std::ranges::sort(newcomers_);
    for (const Place& place : newcomers_) {
      const ShapeId shape = view.shape_id(place.task);
      if (!dispatcher.place(shape, scratch_)) continue;
      const bool in_time = view.now + view.tasks.estimate(place.task) <= shadow_;
      if (!in_time && !future_.fits_without(scratch_, view.shapes()[shape])) continue;
      start(view, dispatcher, place.task);
      // Its start moves where the others would go: from here on everybody is looked at.
      backfill_behind(place, view, dispatcher);
      return;
    }
  }

  // Step 3 for the tasks behind `cursor`.
  void backfill_behind(Place cursor, const PassView& view, Dispatcher& dispatcher) {
    fitting_.clear();
    for (const ShapeLines::Waiting& line : waiting_.waiting()) {
      fitting_.push_back({line.shape, false});
    }
    while (true) {
      look_again(view, dispatcher);
      const Place* next = nullptr;
      for (const Fitting& candidate : fitting_) {
        const Place* place = first_startable(view, candidate, cursor);
        if (place != nullptr && (next == nullptr || *place < *next)) next = place;
      }
      if (next == nullptr) return;
      cursor = *next;
      start(view, dispatcher, cursor.task);
    }
  }

  void find_shadow(const PassView& view) {
    future_.reset(view.cluster, view.shape(head_.task));
    shadow_ = kNever;
    std::int64_t reached = 0;
    running_.walk(by_end_, [&](const Place& place, std::int64_t) {
      // All that end together are let go together.
      if (future_.fits() && place.key != reached) return false;
      reached = place.key;
      const Shape& shape = view.shape(place.task);
      future_.give(view.tasks.placement(place.task, shape), shape);
      return true;
    });
    if (future_.fits()) shadow_ = SimTime(Duration(reached));
    shadow_holds_ = true;
  }

  // Drops the shapes that do not fit (any more); tells of the others whether the head spares them.
  // Starting one task moves where the next would go, so this is asked anew after each start.
  void look_again(const PassView& view, Dispatcher& dispatcher) {
    std::erase_if(fitting_, [&](Fitting& candidate) {
      const Shape& shape = view.shapes()[candidate.shape];
      if (waiting_.line(candidate.shape) == OrderedLines::kEmpty) return true;
      if (shape.gpus > view.cluster.free_gpus()) return true;
      if (!dispatcher.place(candidate.shape, scratch_)) return true;
      candidate.spared = future_.fits_without(scratch_, shape);
      return false;
    });
  }

  const Place* first_startable(const PassView& view, const Fitting& candidate,
                               const Place& cursor) const {
    const OrderedLines::Line line = waiting_.line(candidate.shape);
    if (candidate.spared) return waiting_.lines().first_after(line, cursor);
    return waiting_.lines().first_after_within(line, cursor, to_ms(shadow_ - view.now));
  }

  void start(const PassView& view, Dispatcher& dispatcher, TaskId task) {
    const Shape& shape = view.shape(task);
    const bool placed = dispatcher.place(view.shape_id(task), scratch_);
    SIM_CHECK(placed, "a backfilled task no longer fits");
    const bool in_time = view.now + view.tasks.estimate(task) <= shadow_;
    if (!in_time) future_.take(scratch_, shape);
    dispatcher.start(task, scratch_);
  }

  const QueueOrder& order_;
  ShapeLines waiting_;
  OrderedLines running_;
  OrderedLines::Line by_end_ = OrderedLines::kEmpty;
  JobVector<std::int64_t> key_;   // by task: its place in the queue
  JobVector<std::int64_t> end_;   // by task: its estimated end when it started, ms
  std::vector<Place> newcomers_;  // pending since the last pass

  Place head_;
  SimTime shadow_ = kNever;
  ShadowCapacity future_;
  bool shadow_holds_ = false;  // shadow_ and future_ are those of head_
  bool settled_ = false;       // head_ is blocked; the last pass over all started nothing behind it

  std::vector<Fitting> fitting_;  // scratch
  std::vector<NodeId> scratch_;
};

}  // namespace

void register_easy(Registries& registries) {
  registries.backfills.add("easy", "jobs may overtake if they do not delay the head of the queue",
                           {}, [](ConfigNode&, const PolicyContext& context) {
                             return std::make_unique<EasyBackfill>(*context.order);
                           });
}

}  // namespace berth
