#include "sim/inspect/curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "sim/core/huge_pages.hpp"

namespace berth {
namespace {

constexpr double kSecondsPerMs = 1e-3;
constexpr int kRunKnots = 21;    // 2^0 .. 2^21 s
constexpr int kQueueKnots = 15;  // 2^0 .. 2^15 s

using Values = std::vector<std::int64_t>;

double pct_at_most(std::span<const std::int64_t> sorted, std::int64_t most) {
  const auto behind = std::ranges::upper_bound(sorted, most) - sorted.begin();
  return 100.0 * static_cast<double>(behind) / static_cast<double>(sorted.size());
}

// At 2^0, 2^1 ... s up to 2^least, and on until all are in.
std::vector<CurvePoint> power_cdf(std::span<const std::int64_t> sorted_ms, int least) {
  std::vector<CurvePoint> out;
  if (sorted_ms.empty()) return out;
  for (int i = 0; i <= least || std::int64_t{1000} << (i - 1) < sorted_ms.back(); ++i) {
    const std::int64_t knot_ms = std::int64_t{1000} << i;
    out.push_back({std::ldexp(1.0, i), pct_at_most(sorted_ms, knot_ms)});
  }
  return out;
}

// What a group's curves are made of; reused from group to group.
struct Sample {
  Values run_ms;
  Values queue_ms;
  Values parts;
  Values part_ms;

  void clear() {
    for (Values* values : {&run_ms, &queue_ms, &parts, &part_ms}) values->clear();
  }
  void add(const Job& job, bool has_starts) {
    run_ms.push_back(to_ms(job.run));
    if (has_starts) queue_ms.push_back(to_ms(job.recorded_start - job.submit));
    parts.push_back(job.gpu_parts);
    part_ms.push_back(to_ms(job.run) * job.gpu_parts);
  }
  void sort() {
    for (Values* values : {&run_ms, &queue_ms, &parts, &part_ms}) std::ranges::sort(*values);
  }
};

// Merges two sorted halves of what has been sorted type by type: cheaper than sorting the whole.
void append_sorted(Values& onto, const Values& sorted) {
  const auto middle = static_cast<std::ptrdiff_t>(onto.size());
  onto.insert(onto.end(), sorted.begin(), sorted.end());
  std::inplace_merge(onto.begin(), onto.begin() + middle, onto.end());
}

TypeCurves describe_sample(std::string type, const Sample& sample, std::uint32_t parts_per_gpu) {
  TypeCurves out;
  out.type = std::move(type);
  out.run_s = quartiles_of(sample.run_ms, kSecondsPerMs);
  out.queue_s = quartiles_of(sample.queue_ms, kSecondsPerMs);
  out.gpus = quartiles_of(sample.parts, 1.0 / parts_per_gpu);
  out.gpu_time_s = quartiles_of(sample.part_ms, kSecondsPerMs / parts_per_gpu);
  out.run_cdf = power_cdf(sample.run_ms, kRunKnots);
  out.queue_cdf = power_cdf(sample.queue_ms, kQueueKnots);
  return out;
}

struct Size {
  std::uint32_t parts = 0;
  std::uint64_t jobs = 0;
  double part_ms = 0;
};

void put_size_curves(const JobTable& jobs, Curves& out) {
  std::vector<std::pair<std::uint32_t, std::int64_t>> sizes;  // parts, run time
  for (const Job& job : jobs.jobs()) {
    if (job.gpu_parts != 0 && !job.never_started) sizes.push_back({job.gpu_parts, to_ms(job.run)});
  }
  std::ranges::sort(sizes, {}, &std::pair<std::uint32_t, std::int64_t>::first);
  // Exact sums: products stay below 2^31 x 2^39.
  __extension__ __int128 all = 0;
  for (const auto& [parts, run_ms] : sizes) all += static_cast<__int128>(parts) * run_ms;
  __extension__ __int128 sum = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto [parts, run_ms] = sizes[i];
    sum += static_cast<__int128>(parts) * run_ms;
    if (i + 1 < sizes.size() && sizes[i + 1].first == parts) continue;
    const double gpus = static_cast<double>(parts) / jobs.parts_per_gpu();
    out.size_cdf.push_back(
        {gpus, 100.0 * static_cast<double>(i + 1) / static_cast<double>(sizes.size())});
    if (all != 0) {
      out.gpu_time_cdf.push_back(
          {gpus, 100.0 * static_cast<double>(sum) / static_cast<double>(all)});
    }
  }
}

void put_variability(const JobTable& jobs, Curves& out) {
  out.run_scv = out.run_log_lag1 = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> runs;
  for (const Job& job : jobs.jobs()) {
    if (job.gpu_parts != 0 && !job.never_started) runs.push_back(to_seconds(job.run));
  }
  if (runs.size() < 2) return;
  const auto count = static_cast<double>(runs.size());
  const auto mean_of = [&] {
    double sum = 0;
    for (const double value : runs) sum += value;
    return sum / count;
  };
  const auto squares_around = [&](double mean) {
    double sum = 0;
    for (const double value : runs) sum += (value - mean) * (value - mean);
    return sum;
  };
  const double mean = mean_of();
  if (mean > 0) out.run_scv = squares_around(mean) / count / (mean * mean);
  for (double& value : runs) value = std::log1p(value);
  const double log_mean = mean_of();
  const double variance = squares_around(log_mean);
  if (!(variance > 0)) return;
  double covariance = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    covariance += (runs[i - 1] - log_mean) * (runs[i] - log_mean);
  }
  out.run_log_lag1 = covariance / variance;
}

}  // namespace

Curves curves_of(const JobTable& jobs, bool has_starts) {
  const std::size_t types = jobs.types().names().size();
  std::vector<Sample> by_type(types);
  Sample cpu;
  for (const Job& job : jobs.jobs()) {
    if (job.never_started) continue;
    (job.gpu_parts == 0 ? cpu : by_type[index(job.type)]).add(job, has_starts);
  }
  Curves out;
  Sample all;
  for (std::size_t i = 0; i < types; ++i) {
    Sample& sample = by_type[i];
    if (sample.run_ms.empty()) continue;
    sample.sort();
    out.types.push_back(describe_sample(jobs.types().names()[i], sample, jobs.parts_per_gpu()));
    append_sorted(all.run_ms, sample.run_ms);
    append_sorted(all.queue_ms, sample.queue_ms);
    append_sorted(all.parts, sample.parts);
    append_sorted(all.part_ms, sample.part_ms);
  }
  if (!all.run_ms.empty()) {
    out.types.insert(out.types.begin(), describe_sample("GPU jobs", all, jobs.parts_per_gpu()));
  }
  if (!cpu.run_ms.empty()) {
    cpu.sort();
    out.types.push_back(describe_sample("CPU jobs", cpu, jobs.parts_per_gpu()));
  }
  put_size_curves(jobs, out);
  put_variability(jobs, out);
  return out;
}

}  // namespace berth
