// The scheduler knows the true run time. The best that estimates can be.
//
//   estimates: {mode: exact}
#include "policies/builtin.hpp"

namespace berth {
namespace {

class Exact final : public EstimateModel {
 public:
  Duration predict(JobId, const Job& job) override { return job.run; }
};

}  // namespace

void register_exact(Registries& registries) {
  registries.estimates.add("exact", "the true run time", {},
                           [](ConfigNode&, std::uint64_t) { return std::make_unique<Exact>(); });
}

}  // namespace berth
