// Shortest remaining time first, preemptive: at every pass all running and waiting tasks, in the
// order (remaining, submission, row), are packed anew from an empty cluster; a task that does not
// fit waits, those behind it may still run. Preemption and moving cost nothing (semantics.md): an
// upper bound on what order alone can give, not a policy that a cluster could run.
//
//   policy: {order: srtf}
//
// Remaining is what the estimate predicts, less what the task has had; a task that outran its
// prediction has less than nothing left and goes first.
//
// Running tasks keep their order among each other (all shrink alike), and so do waiting ones, so
// the order is the merge of the running, by predicted end, with one line of waiting tasks a shape.
// Who fits is found without naming nodes (level_packing.hpp), a shape that did not fit is closed
// for the rest of the pass, for running tasks too, and nobody is moved unless a newcomer needs it.
// A pass costs O(running + shapes); none of it where even one node a task is enough for everybody.
// Where the cluster has several kinds of node, who fits is found in a ledger, node by node.
#include <algorithm>
#include <limits>

#include "policies/builtin.hpp"
#include "policies/planning/level_packing.hpp"
#include "policies/planning/shape_lines.hpp"
#include "sim/core/check.hpp"

namespace berth {
namespace {

class ShortestRemainingTimeFirst final : public SchedulerPolicy {
 public:
  ShortestRemainingTimeFirst(const ClusterSpec& spec, const PlacementPolicy& placement)
      : placement_(placement), is_uniform_(spec.is_uniform()), packing_(spec), empty_(spec) {}

  void on_pending(const PassView& view, TaskId task) override {
    if (key_.size() < view.tasks.size()) key_.resize(view.tasks.size());
    key_[index(task)] = to_ms(view.tasks.predicted_left(task));
    claim(view.shape(task), +1);
    if (view.shape(task).nodes == 0) {
      free_riders_.push_back(task);
    } else {
      // Behind one of its own shape that the last pass refused it would be refused too.
      const Place place{key_[index(task)], task};
      const OrderedLines::Line line = waiting_.line(view.shape_id(task));
      if (line == OrderedLines::kEmpty || place < waiting_.head(view.shape_id(task))) {
        changed_ = true;
      }
      waiting_.add(view.shape_id(task), place, 0);
    }
  }
  void on_started(const PassView& view, TaskId task) override {
    if (view.shape(task).nodes == 0) return;
    waiting_.remove(view.shape_id(task), {key_[index(task)], task});
    key_[index(task)] = to_ms(view.now + view.tasks.predicted_left(task));
    running_.insert(by_end_, {key_[index(task)], task},
                    static_cast<std::int64_t>(index(view.shape_id(task))));
  }
  void on_stopped(const PassView& view, TaskId task) override {
    claim(view.shape(task), -1);
    if (view.shape(task).nodes == 0) return;
    running_.erase(by_end_, {key_[index(task)], task});
    changed_ = true;
  }

  void schedule(const PassView& view, Dispatcher& dispatcher) override {
    for (const TaskId task : free_riders_) dispatcher.start(task, {});
    free_riders_.clear();
    if (!changed_) return;
    schedule_changed(view, dispatcher);
    changed_ = false;  // last: what was preempted just now is pending again, and had its chance
  }

 private:
  void schedule_changed(const PassView& view, Dispatcher& dispatcher) {
    if (everybody_fits(view.cluster)) {
      while (!waiting_.empty()) {
        const bool started = dispatcher.try_start(waiting_.first().head.task);
        SIM_CHECK(started, "a task did not fit where everybody must");
      }
      return;
    }
    choose(view);
    carry_out(view, dispatcher);
  }

  // What the tasks that run or wait would claim if none shared a node.
  void claim(const Shape& shape, std::int64_t sign) {
    claimed_nodes_ += sign * shape.nodes;
    claimed_gpus_ += sign * shape.gpus;
  }
  // Whatever the order and wherever they are now: a task takes at most its number of nodes, so
  // there is always an entirely free node left for the next. On a pool the sum decides.
  bool everybody_fits(const Cluster& cluster) const {
    if (!is_uniform_) return false;  // the node left may be of the wrong kind
    if (cluster.nodes() > 1) return claimed_nodes_ <= cluster.nodes();
    return claimed_gpus_ <= static_cast<std::int64_t>(cluster.capacity(NodeId(0)).gpus);
  }

  // The first waiting task of a shape, as an entry of a heap with the next on top.
  struct Candidate {
    Place place;  // key: remaining
    ShapeId shape{};
  };
  static bool later(const Candidate& a, const Candidate& b) { return b.place < a.place; }

  // Packs everybody in order: who of the running must go, who of the waiting comes.
  void choose(const PassView& view) {
    chosen_.clear();
    going_.clear();
    coming_.clear();
    packing_.clear();
    if (!is_uniform_) empty_.clear();
    closed_.assign(view.shapes().size(), false);
    candidates_.clear();
    for (const ShapeLines::Waiting& waiting : waiting_.waiting()) {
      candidates_.push_back({waiting.head, waiting.shape});
    }
    std::make_heap(candidates_.begin(), candidates_.end(), later);
    running_.walk(by_end_, [&](const Place& place, std::int64_t value) {
      choose_waiting_before(view, {place.key - to_ms(view.now), place.task});
      const ShapeId shape{static_cast<std::uint32_t>(value)};
      if (!put(view, place.task, shape)) going_.push_back(place.task);
      return true;
    });
    constexpr Place kLast{std::numeric_limits<std::int64_t>::max(), TaskId(~std::uint32_t{0})};
    choose_waiting_before(view, kLast);
  }

  void choose_waiting_before(const PassView& view, const Place& limit) {
    while (!candidates_.empty() && candidates_.front().place < limit) {
      std::pop_heap(candidates_.begin(), candidates_.end(), later);
      const Candidate candidate = candidates_.back();
      candidates_.pop_back();
      if (!put(view, candidate.place.task, candidate.shape)) continue;
      coming_.push_back(candidate.place.task);
      const Place* next =
          waiting_.lines().first_after(waiting_.line(candidate.shape), candidate.place);
      if (next == nullptr) continue;
      candidates_.push_back({*next, candidate.shape});
      std::push_heap(candidates_.begin(), candidates_.end(), later);
    }
  }

  bool put(const PassView& view, TaskId task, ShapeId shape) {
    if (closed_[index(shape)] || !pack(view.shapes()[shape])) {
      closed_[index(shape)] = true;
      return false;
    }
    chosen_.push_back(task);
    return true;
  }

  bool pack(const Shape& shape) {
    if (is_uniform_) return packing_.put(shape);
    if (!placement_.place(shape, empty_, scratch_)) return false;
    empty_.take(scratch_, shape);
    return true;
  }

  void carry_out(const PassView& view, Dispatcher& dispatcher) {
    if (going_.empty() && coming_.empty()) return;
    plan_.clear();
    plan_.preempt.assign(going_.begin(), going_.end());
    dispatcher.rearrange(plan_);
    for (const TaskId task : coming_) {
      if (dispatcher.try_start(task)) continue;
      // It fits by number, but not between the others as they lie: everybody moves together.
      repack(view, dispatcher);
      return;
    }
  }

  void repack(const PassView& view, Dispatcher& dispatcher) {
    plan_.clear();
    empty_.clear();
    for (const TaskId task : chosen_) {
      const Shape& shape = view.shape(task);
      const bool placed = placement_.place(shape, empty_, scratch_);
      SIM_CHECK(placed, "a chosen task has no place");
      empty_.take(scratch_, shape);
      plan_.run.push_back({task, static_cast<std::uint32_t>(plan_.nodes.size())});
      plan_.nodes.insert(plan_.nodes.end(), scratch_.begin(), scratch_.end());
    }
    dispatcher.rearrange(plan_);
  }

  const PlacementPolicy& placement_;
  const bool is_uniform_;
  LevelPacking packing_;
  Cluster empty_;  // to pack into
  ShapeLines waiting_;
  OrderedLines running_;  // value: the shape
  OrderedLines::Line by_end_ = OrderedLines::kEmpty;
  JobVector<std::int64_t> key_;      // by task, ms: remaining while it waits, end while it runs
  std::vector<TaskId> free_riders_;  // pending tasks that take nothing
  // Somebody stopped, or came who may be chosen. Else a pass changes nothing: running tasks only
  // move ahead of waiting ones, who were refused with more room than is left behind them.
  bool changed_ = false;
  std::int64_t claimed_nodes_ = 0;
  std::int64_t claimed_gpus_ = 0;

  // Of the current pass, in order.
  std::vector<TaskId> chosen_;  // who runs from now on
  std::vector<TaskId> going_;   // who ran and does not
  std::vector<TaskId> coming_;  // who waited and does not

  std::vector<bool> closed_;  // scratch from here on
  std::vector<Candidate> candidates_;
  std::vector<NodeId> scratch_;
  Plan plan_;
};

}  // namespace

void register_srtf(Registries& registries) {
  registries.schedulers.add(
      "srtf", "shortest remaining time first, preemptive and free of cost; repacks at every pass",
      {{"backfill", "greedy by nature: none and greedy mean the same; needs placement: packed"}},
      [](ConfigNode& policy, const PolicyContext& context) {
        const std::string backfill = policy.text("backfill", "greedy");
        if (backfill != "none" && backfill != "greedy") {
          policy.error("backfill", "\"" + backfill +
                                       "\" has no meaning under order: srtf, which is greedy by "
                                       "nature; use none or greedy");
        }
        if (context.placement_name != "packed") {
          policy.error("order", "srtf packs the cluster best fit by nature; set placement: packed");
        }
        if (context.cluster.constrain_cpus || context.cluster.constrain_memory) {
          policy.error("order", "srtf packs GPUs only; set cluster.constrain: [gpus]");
        }
        return std::make_unique<ShortestRemainingTimeFirst>(context.cluster, context.placement);
      });
}

}  // namespace berth
