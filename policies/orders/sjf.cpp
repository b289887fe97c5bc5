// Shortest job first, by the predicted run time (with exact estimates: the true one). Does not
// interrupt what runs.
//
//   policy: {order: sjf, backfill: none, estimates: {mode: lognormal, sigma: 0.5}}
#include "policies/builtin.hpp"
#include "sim/api/queue_order.hpp"

namespace berth {
namespace {

class ShortestJobFirst final : public QueueOrder {
 public:
  // Not the estimate: that is at least a second, and would tie jobs that differ.
  std::int64_t key(const PassView& view, TaskId task) const override {
    return to_ms(view.tasks.predicted_left(task));
  }
};

}  // namespace

void register_sjf(Registries& registries) {
  registries.orders.add("sjf", "shortest predicted run time first, no preemption", {},
                        [](ConfigNode&) { return std::make_unique<ShortestJobFirst>(); });
}

}  // namespace berth
