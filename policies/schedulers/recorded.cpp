// The recorded schedule: starts each job when the trace says that it started. Where that does not
// fit the modelled cluster, the job starts as soon as it fits, in order of recorded start, and the
// summary reports how many jobs were late and by how much: a test of the model, not a policy.
//
//   policy: {order: recorded}
#include "policies/builtin.hpp"
#include "policies/planning/ordered_lines.hpp"

namespace berth {
namespace {

class Recorded final : public SchedulerPolicy {
 public:
  void on_pending(const PassView& view, TaskId task) override {
    agenda_.insert(coming_, {to_ms(view.job(task).recorded_start), task}, 0);
  }
  void on_stopped(const PassView&, TaskId) override { freed_ = true; }

  void schedule(const PassView& view, Dispatcher& dispatcher) override {
    bool due = false;
    const Place* next = agenda_.first(coming_);
    for (; next != nullptr && next->key <= to_ms(view.now); next = agenda_.first(coming_)) {
      const Place place = *next;
      agenda_.erase(coming_, place);
      late_.insert(due_, place, 0);
      due = true;
    }
    if (due || freed_) start_due(dispatcher);
    freed_ = false;
    if (next != nullptr) dispatcher.wake_at(SimTime(Duration(next->key)));
  }

 private:
  void start_due(Dispatcher& dispatcher) {
    started_.clear();
    late_.walk(due_, [&](const Place& place, std::int64_t) {
      if (dispatcher.try_start(place.task)) started_.push_back(place);
      return true;
    });
    for (const Place& place : started_) late_.erase(due_, place);
  }

  OrderedLines agenda_;
  OrderedLines::Line coming_ = OrderedLines::kEmpty;  // by recorded start
  OrderedLines late_;
  OrderedLines::Line due_ = OrderedLines::kEmpty;  // due and not started
  bool freed_ = false;
  std::vector<Place> started_;  // scratch
};

}  // namespace

void register_recorded(Registries& registries) {
  registries.schedulers.add("recorded", "starts each job when the trace says it started",
                            {{"backfill", "none only"}},
                            [](ConfigNode& policy, const PolicyContext&) {
                              policy.choice("backfill", {"none"}, "none");
                              return std::make_unique<Recorded>();
                            });
}

}  // namespace berth
