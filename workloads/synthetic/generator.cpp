#include "workloads/synthetic/generator.hpp"

#include <algorithm>
#include <cstddef>

#include "workloads/synthetic/campaigns.hpp"
#include "workloads/synthetic/demand_table.hpp"
#include "workloads/synthetic/final_states.hpp"
#include "workloads/synthetic/job_sizes.hpp"
#include "workloads/synthetic/queue_delays.hpp"

namespace berth::synthetic {
namespace {

// Splits what a duration counts into delay and run. `jobs` hold it as their run, ascending.
void add_delays(const Profile& profile, const Curve& queue, std::vector<Job>::iterator begin,
                std::vector<Job>::iterator end, Rng& rng) {
  std::vector<std::uint32_t> delays;
  if (profile.duration_counts_queue()) {
    std::vector<std::uint32_t> whole;
    for (auto job = begin; job != end; ++job) whole.push_back(job->run_s);
    delays = draw_delays_within(queue, whole, rng);
  } else {
    delays = draw_delays(queue, static_cast<std::size_t>(end - begin), rng);
  }
  for (auto job = begin; job != end; ++job) {
    job->queue_s = delays[static_cast<std::size_t>(job - begin)];
    if (profile.duration_counts_queue()) job->run_s -= job->queue_s;
  }
}

void add_gpu_jobs(const Profile& profile, std::size_t count, std::uint64_t seed,
                  std::vector<Job>& jobs) {
  const DemandTable table = fit_demand(profile);
  std::vector<double> shares;
  for (const TypeProfile& type : profile.types) shares.push_back(type.share);
  const std::vector<std::size_t> counts = apportion(count, shares);
  for (std::size_t t = 0; t < profile.types.size(); ++t) {
    const auto first = static_cast<std::ptrdiff_t>(jobs.size());
    const std::vector<SizedDuration> sized = size_jobs(profile, table, t, counts[t]);
    for (auto one = sized.rbegin(); one != sized.rend(); ++one) {
      Job job;
      job.run_s = one->seconds;
      job.gpus = one->gpus;
      job.cpus = one->gpus * profile.cpus_per_gpu;
      job.type = static_cast<std::uint8_t>(t);
      jobs.push_back(job);
    }
    Rng rng(seed, "generate queue", t);
    add_delays(profile, profile.types[t].queue, jobs.begin() + first, jobs.end(), rng);
  }
  Rng rng(seed, "generate states");
  draw_gpu_states(profile, jobs, rng);
}

void add_cpu_jobs(const Profile& profile, std::size_t count, std::uint64_t seed,
                  std::vector<Job>& jobs) {
  const auto first = static_cast<std::ptrdiff_t>(jobs.size());
  Rng rng(seed, "generate cpu jobs");
  const std::vector<State> states = draw_cpu_states(profile, count, rng);
  const std::vector<std::uint32_t> seconds = profile.cpu_duration.values(count);
  for (std::size_t i = 0; i < count; ++i) {
    Job job;
    job.run_s = seconds[i];
    job.cpus = profile.cpu_counts[rng.below(static_cast<std::uint32_t>(profile.cpu_counts.size()))];
    job.type = static_cast<std::uint8_t>(profile.types.size());
    job.state = states[i];
    jobs.push_back(job);
  }
  add_delays(profile, profile.cpu_queue, jobs.begin() + first, jobs.end(), rng);
}

}  // namespace

Trace generate(const Profile& profile, std::uint64_t jobs, std::uint64_t seed) {
  const JobCounts counts = job_counts(profile, jobs);
  Trace trace;
  trace.gpu_jobs = counts.gpu;
  std::vector<Job> all;
  all.reserve(jobs);
  add_gpu_jobs(profile, counts.gpu, seed, all);
  add_cpu_jobs(profile, counts.cpu, seed, all);

  const Calendar calendar(profile);
  const Users users(profile.users);
  std::vector<std::vector<std::uint32_t>> members(profile.types.size() + 1);
  std::vector<std::uint32_t> of_teams;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_chained =
        all[i].gpus > profile.chains.others_above ||
        (all[i].gpus > 0 && profile.types[all[i].type].name == profile.chains.type);
    (is_chained ? of_teams : members[all[i].type]).push_back(static_cast<std::uint32_t>(i));
  }
  for (const Team& team : place_chains(profile, calendar, users, of_teams, all, seed)) {
    trace.team_gpus += team.gpus;
  }
  for (std::size_t t = 0; t < members.size(); ++t) {
    Rng rng(seed, "generate campaigns", t);
    const CampaignProfile& campaign =
        t < profile.types.size() ? profile.types[t].campaign : profile.cpu_campaign;
    place_campaigns(profile, campaign, calendar, users, std::move(members[t]), all, rng);
  }

  // By submission; those of one second stay in the order of type and duration above.
  std::vector<std::uint64_t> order(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) order[i] = std::uint64_t{all[i].submit_s} << 32 | i;
  std::ranges::sort(order);
  trace.jobs.reserve(all.size());
  for (const std::uint64_t key : order) trace.jobs.push_back(all[key & 0xffffffffu]);
  return trace;
}

}  // namespace berth::synthetic
