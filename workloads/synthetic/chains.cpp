#include "workloads/synthetic/chains.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "workloads/synthetic/shuffle.hpp"

namespace berth::synthetic {
namespace {

constexpr int kHalvings = 50;
// Runs of about the same size follow each other, so many at a time.
constexpr std::uint32_t kFewestInARow = 5, kMostInARow = 35;

double whole_s(const Job& job) { return static_cast<double>(job.queue_s) + job.run_s; }

std::vector<Team> form_teams(const Profile& profile, const std::vector<std::uint32_t>& members,
                             const std::vector<Job>& jobs) {
  std::vector<Team> teams;
  for (const std::uint32_t block : profile.chains.blocks) teams.push_back({block, {}, false});
  std::ranges::stable_sort(teams, {}, &Team::gpus);
  std::vector<double> taken(teams.size(), 0);
  const double time = profile.chains.fill * profile.span_s();
  for (const std::uint32_t i : members) {
    std::size_t best = teams.size();
    for (std::size_t k = 0; k < teams.size(); ++k) {
      if (teams[k].gpus < jobs[i].gpus || taken[k] + whole_s(jobs[i]) > time) continue;
      if (best < teams.size() &&
          std::tuple(teams[best].gpus, taken[best]) <= std::tuple(teams[k].gpus, taken[k])) {
        continue;
      }
      best = k;
    }
    if (best == teams.size()) {
      teams.push_back({std::bit_ceil(jobs[i].gpus), {}, true});
      taken.push_back(0);
    }
    teams[best].jobs.push_back(i);
    taken[best] += whole_s(jobs[i]);
  }
  return teams;
}

// The members come in order of size; rows of them change places, and so do the runs within a row.
std::vector<std::uint32_t> mix_in_rows(const std::vector<std::uint32_t>& members, Rng& rng) {
  std::vector<std::vector<std::uint32_t>> rows;
  for (std::size_t from = 0; from < members.size();) {
    const std::size_t to = std::min<std::size_t>(
        members.size(), from + kFewestInARow + rng.below(kMostInARow - kFewestInARow + 1));
    rows.emplace_back(members.begin() + static_cast<std::ptrdiff_t>(from),
                      members.begin() + static_cast<std::ptrdiff_t>(to));
    shuffle(rows.back(), rng);
    from = to;
  }
  shuffle(rows, rng);
  std::vector<std::uint32_t> mixed;
  for (const auto& row : rows) mixed.insert(mixed.end(), row.begin(), row.end());
  return mixed;
}

// Pauses before each run in working time, unscaled: mean times 6 u^5, so mostly short ones and a
// few long ones, at most six means.
std::vector<double> draw_pauses(const Profile& profile, const Team& team,
                                const std::vector<Job>& jobs, Rng& rng) {
  std::vector<double> pauses;
  State last = State::kCompleted;
  for (const std::uint32_t i : team.jobs) {
    const double mean = last == State::kFailed ? profile.chains.restart_s : profile.chains.think_s;
    const double u = rng.uniform();
    pauses.push_back(mean * 6 * u * u * u * u * u);
    last = jobs[i].state;
  }
  return pauses;
}

// Submits run after run with pauses of `stretch` times their length; returns the last submission.
double submit(const Calendar& calendar, const Team& team, const std::vector<double>& pauses,
              double stretch, std::vector<Job>& jobs) {
  double free_s = 0, at = 0;
  for (std::size_t k = 0; k < team.jobs.size(); ++k) {
    Job& job = jobs[team.jobs[k]];
    at = std::ceil(calendar.at(calendar.working(free_s) + stretch * pauses[k]));
    job.submit_s = static_cast<std::uint32_t>(std::min(at, 4e9));
    free_s = at + whole_s(job);
  }
  return at;
}

}  // namespace

std::vector<Team> place_chains(const Profile& profile, const Calendar& calendar, const Users& users,
                               std::vector<std::uint32_t> members, std::vector<Job>& jobs,
                               std::uint64_t seed) {
  std::ranges::sort(members, {}, [&](std::uint32_t i) {
    return std::tuple(~jobs[i].gpus, ~jobs[i].run_s, i);  // the largest first
  });
  std::vector<Team> teams = form_teams(profile, members, jobs);
  for (std::size_t k = 0; k < teams.size(); ++k) {
    Team& team = teams[k];
    Rng rng(seed, "generate chains", k);
    team.jobs = mix_in_rows(team.jobs, rng);
    std::vector<std::uint16_t> people;
    for (std::uint32_t i = 0; i < profile.chains.team_users; ++i) people.push_back(users.draw(rng));
    for (const std::uint32_t i : team.jobs) {
      jobs[i].user = people[rng.below(static_cast<std::uint32_t>(people.size()))];
    }
    const std::vector<double> pauses = draw_pauses(profile, team, jobs, rng);
    double sum = 0;
    for (const double pause : pauses) sum += pause;
    double low = 0, high = sum > 0 ? 2 * profile.span_s() / sum : 0;
    for (int i = 0; i < kHalvings && high > 0; ++i) {
      const double stretch = 0.5 * (low + high);
      (submit(calendar, team, pauses, stretch, jobs) <= profile.span_s() ? low : high) = stretch;
    }
    submit(calendar, team, pauses, low, jobs);
  }
  return teams;
}

}  // namespace berth::synthetic
