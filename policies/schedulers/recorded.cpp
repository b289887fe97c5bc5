// The recorded schedule: starts each job when the trace says that it started. Where that does not
// fit the modelled cluster, the job starts as soon as it fits, in order of recorded start, and the
// summary reports how many jobs were late and by how much: a test of the model, not a policy.
//
//   policy: {order: recorded}
#include "policies/builtin.hpp"
#include "policies/planning/greedy_lines.hpp"

namespace berth {
namespace {

class Recorded final : public SchedulerPolicy {
 public:
  void on_pending(const PassView& view, TaskId task) override {
    agenda_.insert(coming_, {to_ms(view.job(task).recorded_start), task}, 0);
  }
  void on_stopped(const PassView&, TaskId) override { due_.reopen(); }

  void schedule(const PassView& view, Dispatcher& dispatcher) override {
    const Place* next = agenda_.first(coming_);
    for (; next != nullptr && next->key <= to_ms(view.now); next = agenda_.first(coming_)) {
      const Place place = *next;
      agenda_.erase(coming_, place);
      due_.add(view, place);
    }
    due_.start_all_that_fit(view, dispatcher);
    if (next != nullptr) dispatcher.wake_at(SimTime(Duration(next->key)));
  }

 private:
  OrderedLines agenda_;
  OrderedLines::Line coming_ = OrderedLines::kEmpty;  // not due yet, by recorded start
  GreedyLines due_;                                   // by recorded start too
};

}  // namespace

void register_recorded(Registries& registries) {
  registries.schedulers.add("recorded", "starts each job when the trace says it started",
                            {{"backfill", "none only"}},
                            [](ConfigNode& policy, const PolicyContext&) {
                              const std::string backfill = policy.text("backfill", "none");
                              if (backfill != "none") {
                                policy.error("backfill", "\"" + backfill +
                                                             "\" has no meaning under order: "
                                                             "recorded; use none");
                              }
                              return std::make_unique<Recorded>();
                            });
}

}  // namespace berth
