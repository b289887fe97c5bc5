// An order of your own, outside Berth's tree: jobs of at least `large_gpus` GPUs go first, each
// class in order of submission. Combines with every backfill.
//
//   policy: {plugin: build/liblarge_first.so, order: large_first, large_gpus: 64, backfill: easy}
#include <memory>

#include "sim/plugin/plugin.hpp"

namespace {

class LargeFirst final : public berth::QueueOrder {
 public:
  explicit LargeFirst(std::uint32_t large_gpus) : large_gpus_(large_gpus) {}

  // Smaller keys go first.
  std::int64_t key(const berth::PassView& view, berth::TaskId task) const override {
    return view.shape(task).gpus >= large_gpus_ ? 0 : 1;
  }

 private:
  std::uint32_t large_gpus_;
};

}  // namespace

BERTH_PLUGIN("large_first")

extern "C" void berth_register(berth::Registries& registries) {
  registries.orders.add(
      "large_first", "large jobs first", {{"large_gpus", "what counts as large (default 8)"}},
      [](berth::ConfigNode& policy) {
        return std::make_unique<LargeFirst>(
            static_cast<std::uint32_t>(policy.integer("large_gpus", 8, 1, 1'000'000)));
      });
}
