// The true run time times a lognormal factor of each job's own: median x exp(sigma x N(0, 1)).
// Drawn from the stream "estimates" keyed by the job, so a job's factor depends on the seed and its
// place in the trace, not on the policy.
//
//   estimates: {mode: lognormal, sigma: 0.7, median: 1.5}
#include <cmath>

#include "policies/builtin.hpp"
#include "policies/estimates/scaled.hpp"
#include "sim/core/rng.hpp"

namespace berth {
namespace {

class Lognormal final : public EstimateModel {
 public:
  Lognormal(double median, double sigma, std::uint64_t seed)
      : median_(median), sigma_(sigma), seed_(seed) {}
  Duration predict(JobId id, const Job& job) override {
    Rng rng(seed_, "estimates", index(id));
    return scaled(job.run, median_ * std::exp(sigma_ * rng.normal()));
  }

 private:
  double median_;
  double sigma_;
  std::uint64_t seed_;
};

}  // namespace

void register_lognormal(Registries& registries) {
  registries.estimates.add("lognormal", "the true run time times a random factor of each job",
                           {{"sigma", "0 to 5 (required)"}, {"median", "0.001 to 1e6 (default 1)"}},
                           [](ConfigNode& options, std::uint64_t seed) {
                             const double sigma = options.number("sigma", {}, 0.0, 5.0);
                             const double median = options.number("median", 1.0, 1e-3, 1e6);
                             return std::make_unique<Lognormal>(median, sigma, seed);
                           });
}

}  // namespace berth
