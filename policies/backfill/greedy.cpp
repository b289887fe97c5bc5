// Greedy backfill: through the queue in order, start each task that fits. Large jobs may starve.
//
//   policy: {order: fifo, backfill: greedy}
#include "policies/builtin.hpp"
#include "policies/planning/greedy_lines.hpp"

namespace berth {
namespace {

class GreedyBackfill final : public SchedulerPolicy {
 public:
  explicit GreedyBackfill(const QueueOrder& order) : order_(order) {}

  void on_pending(const PassView& view, TaskId task) override {
    waiting_.add(view, {order_.key(view, task), task});
  }
  void on_stopped(const PassView&, TaskId) override { waiting_.reopen(); }
  void schedule(const PassView& view, Dispatcher& dispatcher) override {
    waiting_.start_all_that_fit(view, dispatcher);
  }

 private:
  const QueueOrder& order_;
  GreedyLines waiting_;
};

}  // namespace

void register_greedy(Registries& registries) {
  registries.backfills.add("greedy", "every waiting job that fits starts, in queue order", {},
                           [](ConfigNode&, const PolicyContext& context) {
                             return std::make_unique<GreedyBackfill>(*context.order);
                           });
}

}  // namespace berth
