#include "sim/metrics/summary.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace berth {
namespace {

constexpr double kMsPerHour = 3'600'000.0;
constexpr double kSecondsPerMs = 1e-3;
constexpr Duration kSlowdownBound = std::chrono::seconds(10);

double bounded_slowdown(const Job& job, const JobOutcome& outcome) {
  const auto jct = static_cast<double>(to_ms(outcome.end - job.submit));
  return std::max(1.0, jct / static_cast<double>(to_ms(std::max(job.run, kSlowdownBound))));
}

class GroupFold {
 public:
  explicit GroupFold(std::string name) { metrics_.name = std::move(name); }

  void add(const Job& job, const JobOutcome& outcome, bool can_run) {
    JobCounts& jobs = metrics_.jobs;
    ++jobs.submitted;
    jobs.preemptions += outcome.preemptions;
    if (!can_run) {
      ++jobs.rejected;
    } else if (outcome.finished()) {
      ++jobs.finished;
      jct_.push_back(to_ms(outcome.end - job.submit));
      slowdown_.push_back(bounded_slowdown(job, outcome));
    } else if (outcome.started()) {
      ++jobs.unfinished;
    } else {
      ++jobs.never_started;
      if (!job.never_started) ++jobs.left_waiting;
    }
    if (outcome.started()) queue_.push_back(to_ms(outcome.first_start - job.submit));
    gpu_ms_ += static_cast<__int128>(job.gpus) * to_ms(outcome.allocated);
  }

  GroupMetrics finish(__int128 all_gpu_ms) {
    SIM_CHECK(metrics_.jobs.balances(), "a job is in none or two of the counts");
    metrics_.queue = distribution_of(queue_, kSecondsPerMs);
    metrics_.jct = distribution_of(jct_, kSecondsPerMs);
    metrics_.bounded_slowdown = distribution_of(slowdown_);
    metrics_.gpu_hours = static_cast<double>(gpu_ms_) / kMsPerHour;
    if (all_gpu_ms > 0) {
      metrics_.gpu_share_pct =
          100.0 * static_cast<double>(gpu_ms_) / static_cast<double>(all_gpu_ms);
    }
    return std::move(metrics_);
  }
  __int128 gpu_ms() const { return gpu_ms_; }

 private:
  GroupMetrics metrics_;
  std::vector<std::int64_t> queue_;
  std::vector<std::int64_t> jct_;
  std::vector<double> slowdown_;
  __int128 gpu_ms_ = 0;
};

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
  __int128 gpu_ms = 0;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[JobId(i)];
    if (job.never_started || !workload.can_run(JobId(i))) continue;
    gpu_ms += static_cast<__int128>(job.gpus) * to_ms(job.run);
  }
  return 100.0 * static_cast<double>(gpu_ms) /
         (static_cast<double>(workload.spec().total_gpus()) * static_cast<double>(span_ms));
}

Summary summarize(const ShapedJobs& workload, const JobOutcomes& outcomes,
                  bool compare_with_recorded) {
  Summary summary;
  const JobTable& jobs = workload.jobs();
  __int128 gpu_ms = 0;
  {  // first alone, so that its values are gone before those of the types are gathered
    GroupFold all("all");
    for (std::uint32_t i = 0; i < jobs.size(); ++i) {
      all.add(jobs[JobId(i)], outcomes[JobId(i)], workload.can_run(JobId(i)));
    }
    gpu_ms = all.gpu_ms();
    summary.all = all.finish(gpu_ms);
  }
  const std::vector<std::string>& types = jobs.types().names();
  std::vector<GroupFold> groups;
  for (const std::string& type : types) groups.emplace_back(type);
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[JobId(i)];
    groups[index(job.type)].add(job, outcomes[JobId(i)], workload.can_run(JobId(i)));
  }
  for (GroupFold& group : groups) summary.by_type.push_back(group.finish(gpu_ms));

  SimTime last{};
  for (const JobOutcome& outcome : outcomes.all()) {
    if (outcome.finished()) last = std::max(last, outcome.end);
  }
  summary.makespan_s = to_seconds(last.time_since_epoch());
  if (last > SimTime{}) {
    summary.gpu_utilization_pct =
        100.0 * static_cast<double>(gpu_ms) /
        (static_cast<double>(workload.spec().total_gpus()) * static_cast<double>(to_ms(last)));
  }
  summary.offered_load_pct = offered_load_pct(workload).value_or(0);
  if (compare_with_recorded) summary.recorded = recorded_fit(jobs, outcomes);
  return summary;
}

}  // namespace berth
