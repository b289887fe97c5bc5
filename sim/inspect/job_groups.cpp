#include "sim/inspect/job_groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/metrics/output_file.hpp"

namespace berth {
namespace {

constexpr double kMsPerHour = 3'600'000.0;
constexpr std::array kSkewPct = {1.0, 5.0, 10.0, 25.0};

// Counted in whole part-milliseconds: sums do not depend on their order.
struct Tally {
  std::uint64_t jobs = 0;
  __extension__ __int128 part_ms = 0;

  void add(const Job& job) {
    ++jobs;
    if (!job.never_started) part_ms += static_cast<__int128>(to_ms(job.run)) * job.gpu_parts;
  }
};

class Shares {
 public:
  Shares(const Tally& all, std::uint32_t parts_per_gpu)
      : all_(all), parts_per_gpu_(parts_per_gpu) {}

  JobGroup group(std::string name, const Tally& tally) const {
    JobGroup out{std::move(name), tally.jobs, 0, hours(tally), 0};
    if (all_.jobs != 0) {
      out.jobs_pct = 100.0 * static_cast<double>(tally.jobs) / static_cast<double>(all_.jobs);
    }
    if (all_.part_ms != 0) {
      out.gpu_time_pct =
          100.0 * static_cast<double>(tally.part_ms) / static_cast<double>(all_.part_ms);
    }
    return out;
  }
  double hours(const Tally& tally) const {
    return static_cast<double>(tally.part_ms) / parts_per_gpu_ / kMsPerHour;
  }
  // The groups that have a job; `name(i)` names tally i.
  template <class Name>
  std::vector<JobGroup> groups(const std::vector<Tally>& tallies, Name name) const {
    std::vector<JobGroup> out;
    for (std::size_t i = 0; i < tallies.size(); ++i) {
      if (tallies[i].jobs != 0) out.push_back(group(name(i), tallies[i]));
    }
    std::ranges::stable_sort(out, std::ranges::greater(), &JobGroup::jobs);
    return out;
  }

 private:
  const Tally& all_;
  const std::uint32_t parts_per_gpu_;
};

// Empty where no job names one: a table of "" says nothing.
std::vector<JobGroup> named(std::vector<JobGroup> groups) {
  if (groups.size() == 1 && groups.front().name.empty()) groups.clear();
  return groups;
}

std::vector<JobGroups::Skew> skew_of(const std::vector<JobGroup>& users) {
  std::vector<JobGroups::Skew> out;
  if (users.empty()) return out;
  std::vector<double> jobs;
  std::vector<double> time;
  for (const JobGroup& user : users) {
    jobs.push_back(user.jobs_pct);
    time.push_back(user.gpu_time_pct);
  }
  std::ranges::sort(jobs, std::ranges::greater());
  std::ranges::sort(time, std::ranges::greater());
  for (const double pct : kSkewPct) {
    const auto count =
        static_cast<std::size_t>(std::ceil(pct / 100 * static_cast<double>(users.size()) - 1e-9));
    JobGroups::Skew skew{pct, 0, 0};
    for (std::size_t i = 0; i < count; ++i) {
      skew.jobs_pct += jobs[i];
      skew.gpu_time_pct += time[i];
    }
    out.push_back(skew);
  }
  return out;
}

}  // namespace

JobGroups job_groups(const JobTable& jobs) {
  Tally all;
  std::vector<Tally> types(jobs.types().names().size());
  std::vector<Tally> states(static_cast<std::size_t>(JobState::kRunning) + 1);
  std::vector<Tally> cpu_states(states.size());
  std::vector<Tally> users(jobs.users().names().size());
  std::map<std::uint32_t, Tally> sizes;
  std::vector<Tally> vcs(jobs.trait_names().groups.names().size());
  std::vector<Tally> accounts(vcs.size());
  std::vector<Tally> priorities(jobs.trait_names().priorities.names().size());
  std::vector<Tally> models(jobs.trait_names().gpu_models.names().size());
  std::uint32_t last_parts = 0;
  Tally* last_size = nullptr;
  std::uint64_t cpu_jobs = 0;
  for (const Job& job : jobs.jobs()) {
    if (job.gpu_parts == 0) {
      cpu_states[static_cast<std::size_t>(job.state)].add(job);
      ++cpu_jobs;
      continue;
    }
    all.add(job);
    types[index(job.type)].add(job);
    states[static_cast<std::size_t>(job.state)].add(job);
    users[index(job.user)].add(job);
    if (last_size == nullptr || job.gpu_parts != last_parts) {
      last_parts = job.gpu_parts;
      last_size = &sizes[job.gpu_parts];
    }
    last_size->add(job);
    const JobTraits& traits = jobs.traits_of(job);
    vcs[index(traits.vc)].add(job);
    accounts[index(traits.account)].add(job);
    priorities[index(traits.priority)].add(job);
    models[index(traits.gpu_model)].add(job);
  }
  JobGroups out;
  const Shares shares(all, jobs.parts_per_gpu());
  const auto names = [](const auto& table) {
    return [&table](std::size_t i) { return table.names()[i]; };
  };
  const auto state_name = [](std::size_t i) { return std::string(name(static_cast<JobState>(i))); };
  out.gpu_hours = shares.hours(all);
  out.types = shares.groups(types, names(jobs.types()));
  out.states = shares.groups(states, state_name);
  Tally cpu;
  cpu.jobs = cpu_jobs;
  out.cpu_states = Shares(cpu, jobs.parts_per_gpu()).groups(cpu_states, state_name);
  for (const auto& [parts, tally] : sizes) {
    std::string text;
    append_gpus(text, parts, jobs.parts_per_gpu());
    out.sizes.push_back(shares.group(std::move(text), tally));
  }
  out.users = named(shares.groups(users, names(jobs.users())));
  out.user_skew = skew_of(out.users);
  out.vcs = named(shares.groups(vcs, names(jobs.trait_names().groups)));
  out.accounts = named(shares.groups(accounts, names(jobs.trait_names().groups)));
  out.priorities = named(shares.groups(priorities, names(jobs.trait_names().priorities)));
  out.gpu_models = named(shares.groups(models, names(jobs.trait_names().gpu_models)));
  return out;
}

}  // namespace berth
