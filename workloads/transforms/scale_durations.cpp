// scale_durations: the same jobs, running longer or shorter.
//
//   - scale_durations: {factor: 0.5}
//   - scale_durations: {factor: 2, types: [Pretrain, SFT], limits: scale}
//
// Run times are multiplied by `factor` and rounded to the millisecond, halves away from zero;
// recorded starts stay, so recorded ends follow. Requested time limits stay (a job may then outrun
// its limit) or, with `limits: scale`, are multiplied too. Submissions stay.
#include "sim/api/workload_transform.hpp"
#include "workloads/builtin.hpp"
#include "workloads/transforms/picked_names.hpp"
#include "workloads/transforms/span.hpp"

namespace berth {
namespace {

class ScaleDurations final : public WorkloadTransform {
 public:
  explicit ScaleDurations(ConfigNode& node)
      : place_(place_of(node, "factor")),
        factor_(node.number("factor", {}, 0.000'001, 1'000'000)),
        types_(read_names(node, "types")),
        scales_limits_(node.choice("limits", {"keep", "scale"}, "keep") == "scale") {}

  std::string apply(JobTableBuilder& rows) const override {
    const std::vector<bool> picked = types_.marks(rows.names().types(), "job type");
    std::size_t changed = 0;
    for (Job& job : rows.jobs()) {
      if (!types_.names.empty() && !picked[index(job.type)]) continue;
      ++changed;
      job.run = checked(job.run, rows.names().id_of(job));
      if (scales_limits_ && job.time_limit >= Duration(0)) {
        job.time_limit = checked(job.time_limit, rows.names().id_of(job));
      }
    }
    return "scale_durations: run times" + std::string(scales_limits_ ? " and limits" : "") +
           " of " + std::to_string(changed) + " of " + std::to_string(rows.size()) +
           " jobs times " + factor_text(factor_);
  }

 private:
  Duration checked(Duration d, std::string_view id) const {
    const Duration product = scaled(d, factor_);
    if (product <= kLongestDuration) return product;
    throw place_.fault("job " + std::string(id) + " would run for more than 10 years");
  }

  OptionPlace place_;
  double factor_;
  PickedNames types_;
  bool scales_limits_;
};

}  // namespace

void register_scale_durations(TransformRegistry& transforms) {
  transforms.add("scale_durations", "run times are so many times as long; arrivals stay",
                 {{"factor", "0.000001 to 1000000"},
                  {"types", "only of jobs of these types; default: all"},
                  {"limits", "keep | scale: what becomes of requested time limits; default keep"}},
                 [](ConfigNode& node, const TransformContext&) {
                   return std::make_unique<ScaleDurations>(node);
                 });
}

}  // namespace berth
