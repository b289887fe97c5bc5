// The true run time times a constant, as if everybody padded alike.
//
//   estimates: {mode: factor, factor: 2}
#include "policies/builtin.hpp"
#include "policies/estimates/scaled.hpp"

namespace berth {
namespace {

class Factor final : public EstimateModel {
 public:
  explicit Factor(double factor) : factor_(factor) {}
  Duration predict(JobId, const Job& job) override { return scaled(job.run, factor_); }

 private:
  double factor_;
};

}  // namespace

void register_factor(Registries& registries) {
  registries.estimates.add(
      "factor", "the true run time times a constant", {{"factor", "0.001 to 1e6 (required)"}},
      [](ConfigNode& options, std::uint64_t) {
        return std::make_unique<Factor>(options.number("factor", {}, 1e-3, 1e6));
      });
}

}  // namespace berth
