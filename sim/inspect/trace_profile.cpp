#include "sim/inspect/trace_profile.hpp"

#include <future>
#include <utility>

namespace berth {

TraceProfile profile_of(std::string name, const JobTable& jobs, TraceReport report,
                        std::vector<std::string> transforms, const ClusterSpec* cluster) {
  TraceProfile out;
  // Sorting is most of the work; both only read.
  std::future<Curves> curves =
      std::async(std::launch::async, [&] { return curves_of(jobs, report.has_starts); });
  out.name = std::move(name);
  out.transforms = std::move(transforms);
  out.jobs = jobs.size();
  for (const Job& job : jobs.jobs()) out.cpu_jobs += job.gpu_parts == 0 ? 1 : 0;
  out.gpu_jobs = out.jobs - out.cpu_jobs;
  out.submissions = jobs.jobs().back().submit - jobs.jobs().front().submit;
  if (report.has_dates) {
    out.days = submission_days(jobs.jobs(), jobs.epoch_unix_ms(), report.zone);
    out.arrivals = arrivals_of(jobs, report.zone);
  }
  out.groups = job_groups(jobs);
  if (report.has_starts) out.load = recorded_load(jobs);
  if (cluster != nullptr) {
    out.capacity = static_cast<double>(cluster->total_gpus());
    if (out.submissions > Duration(0)) {
      const double hours = to_seconds(out.submissions) / 3600;
      out.offered_load_pct = 100 * out.groups.gpu_hours / (*out.capacity * hours);
    }
  }
  out.oddities = oddities_of(jobs, report, out.days ? &*out.days : nullptr, cluster);
  out.curves = curves.get();
  out.report = std::move(report);
  return out;
}

}  // namespace berth
