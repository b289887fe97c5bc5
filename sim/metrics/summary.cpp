#include "sim/metrics/summary.hpp"

#include <algorithm>
#include <span>

#include "sim/core/check.hpp"
#include "sim/core/huge_pages.hpp"

namespace berth {
namespace {

constexpr double kMsPerHour = 3'600'000.0;
constexpr double kSecondsPerMs = 1e-3;
constexpr Duration kSlowdownBound = std::chrono::seconds(10);

double bounded_slowdown(const Job& job, const JobOutcome& outcome) {
  const auto jct = static_cast<double>(to_ms(outcome.end - outcome.submit));
  return std::max(1.0, jct / static_cast<double>(to_ms(std::max(job.run, kSlowdownBound))));
}

// One quantity of every job, the jobs of a type side by side: the distribution of a type is one
// stretch, that of all is the whole, and each value is kept once.
template <class Value>
class Column {
 public:
  explicit Column(const std::vector<std::uint64_t>& jobs_by_type) {
    std::size_t offset = 0;
    for (const std::uint64_t jobs : jobs_by_type) {
      stretches_.push_back({offset, 0});
      offset += jobs;
    }
    values_.resize(offset);
  }
  void put(TypeId type, Value value) {
    Stretch& stretch = stretches_[index(type)];
    values_[stretch.offset + stretch.size++] = value;
  }
  std::span<Value> of(TypeId type) {
    const Stretch& stretch = stretches_[index(type)];
    return std::span(values_).subspan(stretch.offset, stretch.size);
  }
  // Closes the gaps that jobs without a value left; of() is no longer valid.
  std::span<Value> all() {
    std::size_t size = 0;
    for (const Stretch& stretch : stretches_) {
      const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(stretch.offset);
      std::move(begin, begin + static_cast<std::ptrdiff_t>(stretch.size),
                values_.begin() + static_cast<std::ptrdiff_t>(size));
      size += stretch.size;
    }
    return std::span(values_).first(size);
  }

 private:
  struct Stretch {
    std::size_t offset;
    std::size_t size;
  };
  std::vector<Stretch> stretches_;
  JobVector<Value> values_;
};

// What is summed over a group, in queue order.
struct Sums {
  JobCounts jobs;
  __int128 queue_ms = 0;
  __int128 jct_ms = 0;
  double slowdown = 0;
  __int128 gpu_parts_ms = 0;
  std::uint64_t started = 0;

  void add(const Job& job, const JobOutcome& outcome, bool can_run, double job_slowdown) {
    ++jobs.submitted;
    jobs.preemptions += outcome.preemptions;
    if (!can_run) {
      ++jobs.rejected;
    } else if (outcome.finished()) {
      ++jobs.finished;
      jct_ms += to_ms(outcome.end - outcome.submit);
      slowdown += job_slowdown;
    } else if (outcome.started()) {
      ++jobs.unfinished;
    } else {
      ++jobs.never_started;
      if (!job.never_started) ++jobs.left_waiting;
    }
    if (outcome.started()) {
      ++started;
      queue_ms += to_ms(outcome.first_start - outcome.submit);
    }
    gpu_parts_ms += static_cast<__int128>(job.gpu_parts) * to_ms(outcome.allocated);
  }
};

template <class Sum>
double mean_of(Sum sum, std::uint64_t count, double unit) {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count) * unit;
}

GroupMetrics group_metrics(const std::string& name, const Sums& sums, __int128 all_gpu_parts_ms,
                           std::uint32_t parts_per_gpu, std::span<std::int64_t> queue,
                           std::span<std::int64_t> jct, std::span<double> slowdown) {
  SIM_CHECK(sums.jobs.balances(), "a job is in none or two of the counts");
  GroupMetrics out;
  out.name = name;
  out.jobs = sums.jobs;
  out.queue =
      distribution_of(queue, mean_of(sums.queue_ms, sums.started, kSecondsPerMs), kSecondsPerMs);
  out.jct =
      distribution_of(jct, mean_of(sums.jct_ms, sums.jobs.finished, kSecondsPerMs), kSecondsPerMs);
  out.bounded_slowdown = distribution_of(slowdown, mean_of(sums.slowdown, sums.jobs.finished, 1.0));
  out.gpu_hours = static_cast<double>(sums.gpu_parts_ms) / (kMsPerHour * parts_per_gpu);
  if (all_gpu_parts_ms > 0) {
    out.gpu_share_pct =
        100.0 * static_cast<double>(sums.gpu_parts_ms) / static_cast<double>(all_gpu_parts_ms);
  }
  return out;
}

// Fills the groups of `summary`; returns the GPU time of all, in ms.
__int128 fill_groups(const ShapedJobs& workload, const JobOutcomes& outcomes, Summary& summary) {
  const JobTable& jobs = workload.jobs();
  const std::vector<std::string>& types = jobs.types().names();
  std::vector<std::uint64_t> jobs_by_type(types.size());
  for (const Job& job : jobs.jobs()) ++jobs_by_type[index(job.type)];
  Column<std::int64_t> queue(jobs_by_type);
  Column<std::int64_t> jct(jobs_by_type);
  Column<double> slowdown(jobs_by_type);
  Sums all;
  std::vector<Sums> by_type(types.size());
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[JobId(i)];
    const JobOutcome& outcome = outcomes[JobId(i)];
    double job_slowdown = 0;
    if (outcome.started()) queue.put(job.type, to_ms(outcome.first_start - outcome.submit));
    if (outcome.finished()) {
      job_slowdown = bounded_slowdown(job, outcome);
      jct.put(job.type, to_ms(outcome.end - outcome.submit));
      slowdown.put(job.type, job_slowdown);
    }
    all.add(job, outcome, workload.can_run(JobId(i)), job_slowdown);
    by_type[index(job.type)].add(job, outcome, workload.can_run(JobId(i)), job_slowdown);
  }
  for (std::size_t t = 0; t < types.size(); ++t) {
    const TypeId type{static_cast<std::uint16_t>(t)};
    summary.by_type.push_back(group_metrics(types[t], by_type[t], all.gpu_parts_ms,
                                            jobs.parts_per_gpu(), queue.of(type), jct.of(type),
                                            slowdown.of(type)));
  }
  summary.all = group_metrics("all", all, all.gpu_parts_ms, jobs.parts_per_gpu(), queue.all(),
                              jct.all(), slowdown.all());
  return all.gpu_parts_ms;
}

RecordedFit recorded_fit(const JobTable& jobs, const JobOutcomes& outcomes) {
  RecordedFit fit;
  __int128 total = 0;
  Duration longest{0};
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[JobId(i)];
    const JobOutcome& outcome = outcomes[JobId(i)];
    if (!outcome.started() || outcome.first_start <= job.recorded_start) continue;
    const Duration delay = outcome.first_start - job.recorded_start;
    if (fit.late++ == 0) fit.first_late_job = jobs.id_of(job);
    total += to_ms(delay);
    longest = std::max(longest, delay);
  }
  if (fit.late != 0) {
    fit.mean_delay_s = static_cast<double>(total) / static_cast<double>(fit.late) * kSecondsPerMs;
  }
  fit.max_delay_s = to_seconds(longest);
  return fit;
}

}  // namespace

std::optional<double> offered_load_pct(const ShapedJobs& workload) {
  const JobTable& jobs = workload.jobs();
  if (jobs.size() == 0) return std::nullopt;
  const std::int64_t span_ms = to_ms(jobs.jobs().back().submit);
  if (span_ms == 0) return std::nullopt;
  __int128 gpu_parts_ms = 0;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[JobId(i)];
    if (job.never_started || !workload.can_run(JobId(i))) continue;
    gpu_parts_ms += static_cast<__int128>(job.gpu_parts) * to_ms(job.run);
  }
  return 100.0 * static_cast<double>(gpu_parts_ms) /
         (static_cast<double>(workload.spec().total_parts()) * static_cast<double>(span_ms));
}

Summary summarize(const ShapedJobs& workload, const JobOutcomes& outcomes,
                  bool compare_with_recorded) {
  Summary summary;
  const __int128 gpu_parts_ms = fill_groups(workload, outcomes, summary);
  SimTime last{};
  for (const JobOutcome& outcome : outcomes.all()) {
    if (outcome.finished()) last = std::max(last, outcome.end);
  }
  summary.makespan_s = to_seconds(last.time_since_epoch());
  if (last > SimTime{}) {
    summary.gpu_utilization_pct =
        100.0 * static_cast<double>(gpu_parts_ms) /
        (static_cast<double>(workload.spec().total_parts()) * static_cast<double>(to_ms(last)));
  }
  summary.offered_load_pct = berth::offered_load_pct(workload);
  if (compare_with_recorded) summary.recorded = recorded_fit(workload.jobs(), outcomes);
  return summary;
}

}  // namespace berth
