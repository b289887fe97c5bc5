#include "workloads/synthetic/job_sizes.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace berth::synthetic {
namespace {

// A job is long while it would hold this part of all GPU time on GPUs of the largest size.
constexpr double kLong = 1e-5;
// A type of so many jobs has one of the fewest GPUs it may have.
constexpr std::size_t kEnough = 100;

}  // namespace

std::vector<SizedDuration> size_jobs(const Profile& profile, const DemandTable& table,
                                     std::size_t type, std::size_t count) {
  const Curve& curve = profile.types[type].duration;
  const std::vector<std::uint32_t> seconds = curve.values(count);
  const std::vector<std::size_t> in_bin = curve.bin_counts(count);
  const std::size_t sizes = profile.sizes.size();
  const double largest = profile.sizes.back();

  std::vector<double> owed_jobs(sizes, 0);  // expected less given
  std::vector<double> owed_time(sizes, 0);  // the same in GPU-seconds
  std::vector<double> chance(sizes, 0);
  std::vector<SizedDuration> jobs;
  jobs.reserve(count);
  std::size_t next = seconds.size();
  for (std::size_t bin = curve.bins(); bin-- > 0;) {
    double whole = 0;
    for (std::size_t s = 0; s < sizes; ++s) whole += chance[s] = table.at(type, s, bin);
    for (std::size_t i = 0; i < in_bin[bin]; ++i) {
      const double duration = seconds[--next];
      const bool is_long = duration * largest > kLong * profile.gpu_seconds;
      std::size_t best = sizes;
      double most = 0;
      for (std::size_t s = 0; s < sizes; ++s) {
        if (chance[s] <= 0) continue;
        const double part = chance[s] / whole;
        owed_jobs[s] += part;
        owed_time[s] += part * duration * profile.sizes[s];
        const double owed = is_long ? owed_time[s] / (duration * profile.sizes[s]) : owed_jobs[s];
        if (best == sizes || owed > most) best = s, most = owed;
      }
      SIM_CHECK(best < sizes, "a duration that no size of its type can have");
      owed_jobs[best] -= 1;
      owed_time[best] -= duration * profile.sizes[best];
      jobs.push_back({profile.sizes[best], seconds[next]});
    }
  }
  // The lower whisker is a job, not a chance of one.
  const std::uint32_t fewest = profile.types[type].fewest_gpus;
  const bool has_fewest =
      std::ranges::any_of(jobs, [&](const SizedDuration& job) { return job.gpus == fewest; });
  const bool occurs = std::ranges::binary_search(profile.sizes, fewest);
  if (jobs.size() >= kEnough && occurs && !has_fewest) jobs.back().gpus = fewest;
  return jobs;
}

}  // namespace berth::synthetic
