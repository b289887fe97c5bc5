// First come, first served: order of submission, ties in the order of the trace.
//
//   policy: {order: fifo, backfill: none}     # the head of the line blocks all behind it
#include "policies/builtin.hpp"
#include "sim/api/queue_order.hpp"

namespace berth {
namespace {

class Fifo final : public QueueOrder {
 public:
  std::int64_t key(const PassView&, TaskId) const override { return 0; }
};

}  // namespace

void register_fifo(Registries& registries) {
  registries.orders.add("fifo", "order of submission", {},
                        [](ConfigNode&) { return std::make_unique<Fifo>(); });
}

}  // namespace berth
