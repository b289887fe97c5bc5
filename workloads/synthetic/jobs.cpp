#include "workloads/synthetic/jobs.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/check.hpp"

namespace berth::synthetic {

JobCounts job_counts(const Profile& profile, std::uint64_t jobs) {
  JobCounts counts;
  const double part = static_cast<double>(profile.gpu_jobs) / static_cast<double>(profile.jobs());
  counts.gpu = static_cast<std::uint64_t>(std::floor(static_cast<double>(jobs) * part + 0.5));
  counts.cpu = jobs - counts.gpu;
  return counts;
}

std::vector<std::size_t> apportion(std::size_t count, const std::vector<double>& shares) {
  SIM_CHECK(!shares.empty(), "nothing to split by");
  double whole = 0;
  for (const double share : shares) whole += share;
  std::vector<std::size_t> parts;
  std::size_t before = 0;
  double sum = 0;
  for (const double share : shares) {
    sum += share / whole;
    const auto upto = std::min(
        count, static_cast<std::size_t>(std::floor(static_cast<double>(count) * sum + 0.5)));
    parts.push_back(upto - before);
    before = upto;
  }
  parts.back() += count - before;
  return parts;
}

}  // namespace berth::synthetic
