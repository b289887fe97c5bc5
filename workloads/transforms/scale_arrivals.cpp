// scale_arrivals: the same jobs, arriving faster or slower.
//
//   - scale_arrivals: {factor: 2}   # twice the rate: every gap between submissions halved
//
// A submission at t after the first comes at t / factor after it, rounded to the millisecond (from
// the first, not from gap to gap, so that rounding does not add up). A recorded start moves along
// with its submission: the recorded queue time stays. Run times stay, so the load is `factor`
// times as high.
#include "sim/api/workload_transform.hpp"
#include "workloads/builtin.hpp"
#include "workloads/transforms/span.hpp"

namespace berth {
namespace {

class ScaleArrivals final : public WorkloadTransform {
 public:
  explicit ScaleArrivals(ConfigNode& node)
      : place_(place_of(node)), factor_(node.number("factor", {}, 0.001, 1'000'000)) {}

  std::string apply(JobTableBuilder& rows) const override {
    JobVector<Job>& jobs = rows.jobs();
    if (jobs.empty()) return "scale_arrivals: there is no job";
    const SimTime first = jobs.front().submit;
    const Duration before = jobs.back().submit - first;
    check_span(static_cast<double>(to_ms(before)) / factor_, place_);
    for (Job& job : jobs) {
      const SimTime submit = first + divided(job.submit - first);
      if (!job.never_started) job.recorded_start += submit - job.submit;
      job.submit = submit;
    }
    return "scale_arrivals: " + std::to_string(jobs.size()) + " jobs arrive at " +
           factor_text(factor_) + " times the rate, over " + describe(jobs.back().submit - first) +
           " instead of " + describe(before);
  }

 private:
  // Divided, not multiplied by the inverse: by 3 it is exact where a third is not.
  Duration divided(Duration d) const {
    return Duration(std::llround(static_cast<double>(to_ms(d)) / factor_));
  }

  OptionPlace place_;
  double factor_;
};

}  // namespace

void register_scale_arrivals(TransformRegistry& transforms) {
  transforms.add("scale_arrivals", "jobs arrive so many times as fast; run times stay",
                 {{"factor", "0.001 to 1000000; 2 halves the gaps between submissions"}},
                 [](ConfigNode& node, const TransformContext&) {
                   return std::make_unique<ScaleArrivals>(node);
                 });
}

}  // namespace berth
