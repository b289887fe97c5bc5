// Conservative backfill (Mu'alem and Feitelson, TPDS 2001): every waiting job holds a reservation,
// so nobody is delayed by those behind. On a pool of GPUs. Two variants (semantics.md):
//
//   compress  reservations are kept from pass to pass; when a job ended early, each waiting job in
//             queue order gives up its own and takes the earliest slot again
//   replan    every pass gives all of them anew
//
//   policy: {backfill: conservative, conservative: compress, reservation_depth: 1000}
//
// reservation_depth bounds how many jobs, from the head, hold a reservation; those behind wait for
// one. It bounds the cost of a pass where the queue is deep: compress costs O(log n) a new job and
// O(queue log n) a job that ended early, replan O((running + queue) log n) a pass.
#include <algorithm>
#include <limits>

#include "policies/builtin.hpp"
#include "policies/planning/availability_profile.hpp"
#include "policies/planning/ordered_lines.hpp"

namespace berth {
namespace {

enum class Variant : std::uint8_t { kCompress, kReplan };

class ConservativeBackfill final : public SchedulerPolicy {
 public:
  ConservativeBackfill(const QueueOrder& order, Variant variant, std::size_t depth,
                       std::uint64_t gpus)
      : order_(order),
        variant_(variant),
        depth_(depth),
        gpus_(static_cast<std::int64_t>(gpus)),
        profile_(gpus_) {}

  void on_pending(const PassView& view, TaskId task) override {
    if (key_.size() < view.tasks.size()) {
      key_.resize(view.tasks.size());
      slot_.resize(view.tasks.size());
      end_.resize(view.tasks.size());
    }
    key_[index(task)] = order_.key(view, task);
    slot_[index(task)] = kNever;
    lines_.insert(unreserved_, {key_[index(task)], task}, 0);
  }

  void on_started(const PassView& view, TaskId task) override {
    end_[index(task)] = view.tasks.estimated_end(task);
    lines_.insert(running_, {to_ms(end_[index(task)]), task}, 0);
  }

  void on_stopped(const PassView& view, TaskId task) override {
    const SimTime end = end_[index(task)];
    lines_.erase(running_, {to_ms(end), task});
    if (view.now < end) {
      ended_early_ = true;
      if (variant_ == Variant::kCompress) {
        profile_.advance(view.now);
        profile_.add(view.now, end, gpus_of(view, task));
      }
    }
  }

  void schedule(const PassView& view, Dispatcher& dispatcher) override {
    if (variant_ == Variant::kCompress) {
      profile_.advance(view.now);
      if (ended_early_) compress(view);
    } else {
      rebuild(view);
    }
    ended_early_ = false;
    do {
      reserve_more(view);
    } while (start_due(view, dispatcher));
    if (const Place* next = first_slot_after(view.now)) {
      dispatcher.wake_at(SimTime(Duration(next->key)));
    }
  }

 private:
  static std::int64_t gpus_of(const PassView& view, TaskId task) { return view.shape(task).gpus; }
  Place queue_place(TaskId task) const { return {key_[index(task)], task}; }
  Place slot_place(TaskId task) const { return {to_ms(slot_[index(task)]), task}; }

  const Place* first_slot_after(SimTime time) const {
    constexpr TaskId kLast{std::numeric_limits<std::uint32_t>::max()};
    return lines_.first_after(by_slot_, {to_ms(time), kLast});
  }

  // Gives `task` its earliest slot behind all reservations there are.
  void reserve(const PassView& view, TaskId task) {
    const Duration estimate = view.tasks.estimate(task);
    // Who asks for nothing has a slot even where too short estimates have promised more than there
    // is.
    const std::int64_t gpus = gpus_of(view, task);
    const SimTime slot = gpus == 0 ? view.now : profile_.earliest(gpus, estimate);
    SIM_CHECK(slot != kNever, "a job that fits the cluster has no slot");
    slot_[index(task)] = slot;
    profile_.add(slot, slot + estimate, -gpus);
    lines_.insert(by_slot_, slot_place(task), 0);
  }

  void give_up(const PassView& view, TaskId task) {
    const SimTime slot = slot_[index(task)];
    profile_.add(slot, slot + view.tasks.estimate(task), gpus_of(view, task));
    lines_.erase(by_slot_, slot_place(task));
  }

  // Giving up the reservation and taking the earliest slot would change nothing: the common case,
  // found without touching the profile. Not asked where a short estimate has made a mess of it.
  bool keeps_its_slot(const PassView& view, TaskId task) const {
    const SimTime slot = slot_[index(task)];
    return slot >= view.now && profile_.lowest() >= 0 &&
           profile_.earliest_before(gpus_of(view, task), view.tasks.estimate(task), slot) == slot;
  }

  void compress(const PassView& view) {
    lines_.walk(reserved_, [&](const Place& place, std::int64_t) {
      in_order_.push_back(place.task);
      return true;
    });
    for (const TaskId task : in_order_) {
      if (keeps_its_slot(view, task)) continue;
      give_up(view, task);
      reserve(view, task);
    }
    in_order_.clear();
  }

  void rebuild(const PassView& view) {
    profile_.reset(view.now, gpus_);
    lines_.walk(running_, [&](const Place& place, std::int64_t) {
      profile_.add(view.now, SimTime(Duration(place.key)), -gpus_of(view, place.task));
      return true;
    });
    lines_.walk(reserved_, [&](const Place& place, std::int64_t) {
      in_order_.push_back(place.task);
      return true;
    });
    for (const TaskId task : in_order_) lines_.insert(unreserved_, queue_place(task), 0);
    in_order_.clear();
    lines_.clear(reserved_);
    lines_.clear(by_slot_);
    reservations_ = 0;
  }

  void reserve_more(const PassView& view) {
    while (reservations_ < depth_) {
      const Place* next = lines_.first(unreserved_);
      if (next == nullptr) return;
      const Place place = *next;
      lines_.erase(unreserved_, place);
      lines_.insert(reserved_, place, 0);
      ++reservations_;
      reserve(view, place.task);
    }
  }

  // Starts, in queue order, those whose reservation is due and that fit. A reservation may have
  // been due before: an estimate was too short, and the GPUs were not free then.
  bool start_due(const PassView& view, Dispatcher& dispatcher) {
    due_.clear();
    lines_.walk(by_slot_, [&](const Place& place, std::int64_t) {
      if (place.key > to_ms(view.now)) return false;
      due_.push_back(queue_place(place.task));
      return true;
    });
    std::ranges::sort(due_);
    bool any = false;
    for (const Place& place : due_) {
      const SimTime slot = slot_[index(place.task)];
      if (!dispatcher.try_start(place.task)) continue;
      any = true;
      lines_.erase(by_slot_, slot_place(place.task));
      lines_.erase(reserved_, place);
      --reservations_;
      const Duration estimate = view.tasks.estimate(place.task);
      if (slot != view.now) {  // late: it occupies another stretch than it had reserved
        profile_.add(slot, slot + estimate, gpus_of(view, place.task));
        profile_.add(view.now, view.now + estimate, -gpus_of(view, place.task));
      }
    }
    // With a bounded depth each start lets another job in, whose slot may be now.
    return any && unreserved_ != OrderedLines::kEmpty;
  }

  const QueueOrder& order_;
  const Variant variant_;
  const std::size_t depth_;
  const std::int64_t gpus_;
  AvailabilityProfile profile_;
  OrderedLines lines_;
  OrderedLines::Line unreserved_ = OrderedLines::kEmpty;  // waiting without, in queue order
  OrderedLines::Line reserved_ = OrderedLines::kEmpty;    // waiting with, in queue order
  OrderedLines::Line by_slot_ = OrderedLines::kEmpty;     // the same, by reservation
  OrderedLines::Line running_ = OrderedLines::kEmpty;     // by estimated end
  std::size_t reservations_ = 0;
  bool ended_early_ = false;
  JobVector<std::int64_t> key_;   // by task
  JobVector<SimTime> slot_;       // by task: its reservation
  JobVector<SimTime> end_;        // by task: its estimated end
  std::vector<TaskId> in_order_;  // scratch
  std::vector<Place> due_;        // scratch
};

}  // namespace

void register_conservative(Registries& registries) {
  registries.backfills.add(
      "conservative", "every waiting job holds a reservation; needs cluster.packing: pool",
      {{"conservative", "compress | replan (default compress)"},
       {"reservation_depth", "how many jobs, from the head, hold one; from 1 (default: all)"}},
      [](ConfigNode& policy, const PolicyContext& context) {
        const bool replan =
            policy.choice("conservative", {"compress", "replan"}, "compress") == "replan";
        const auto depth = policy.optional_integer("reservation_depth", 1, std::int64_t{1} << 32);
        if (context.cluster.packing != Packing::kPool) {
          policy.error("backfill",
                       "conservative backfill plans on a pool of GPUs; set cluster.packing: pool");
        } else if (!context.cluster.is_uniform()) {
          policy.error(
              "backfill",
              "conservative backfill plans on one kind of node; cluster.groups has several: "
              "use easy");
        } else if (context.cluster.constrain_cpus || context.cluster.constrain_memory) {
          policy.error("backfill",
                       "conservative backfill plans GPUs only; set cluster.constrain: [gpus]");
        }
        return std::make_unique<ConservativeBackfill>(
            *context.order, replan ? Variant::kReplan : Variant::kCompress,
            depth ? static_cast<std::size_t>(*depth) : std::numeric_limits<std::size_t>::max(),
            context.cluster.total_parts());
      });
}

}  // namespace berth
