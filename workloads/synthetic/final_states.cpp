#include "workloads/synthetic/final_states.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "workloads/synthetic/shuffle.hpp"

namespace berth::synthetic {
namespace {

constexpr std::size_t kStates = 3;
constexpr std::size_t kLevels = 48;  // of log2(GPU-seconds)
constexpr int kRounds = 200;
constexpr int kHalvings = 30;
// Jobs of this part of all GPU time and more are settled one by one, by GPU time.
constexpr double kHeavy = 2e-5;

using PerState = std::array<double, kStates>;

std::uint64_t gpu_seconds(const Profile& profile, const Job& job) {
  return std::uint64_t{job.gpus} * counted_seconds(profile, job);
}

std::size_t level_of(std::uint64_t gpu_s) {
  return gpu_s == 0 ? 0 : static_cast<std::size_t>(std::bit_width(gpu_s));
}

// Share of each state at each level, fitted to the margins by turns.
std::array<PerState, kLevels> fit(const Profile& profile, const std::array<double, kLevels>& jobs,
                                  const std::array<double, kLevels>& time) {
  std::array<PerState, kLevels> chance;
  chance.fill(profile.gpu_states);
  double all_jobs = 0, all_time = 0;
  for (std::size_t l = 0; l < kLevels; ++l) all_jobs += jobs[l], all_time += time[l];
  const auto normalize = [&chance] {
    for (PerState& of_level : chance) {
      double sum = 0;
      for (const double share : of_level) sum += share;
      for (double& share : of_level) share /= sum;
    }
  };
  for (int round = 0; round < kRounds && all_time > 0; ++round) {
    for (std::size_t k = 0; k < kStates; ++k) {
      // The slope that gives this state its GPU time while it keeps its number of jobs.
      double low = 0.25, high = 4, factor = 1;
      const double wanted = profile.gpu_time_states[k] * all_time;
      for (int i = 0; i < kHalvings; ++i) {
        const double slope = 0.5 * (low + high);
        double number = 0, gpu_s = 0, power = 1;
        for (std::size_t l = 0; l < kLevels; ++l, power *= slope) {
          number += chance[l][k] * power * jobs[l];
          gpu_s += chance[l][k] * power * time[l];
        }
        factor = profile.gpu_states[k] * all_jobs / number;
        (gpu_s * factor < wanted ? low : high) = slope;
      }
      double power = factor;
      for (std::size_t l = 0; l < kLevels; ++l, power *= 0.5 * (low + high)) chance[l][k] *= power;
    }
    normalize();
  }
  return chance;
}

// The state that is owed most; it is owed one (or `amount`) less from now on.
std::size_t settle(const PerState& chance, double amount, PerState& owed) {
  for (std::size_t k = 0; k < kStates; ++k) owed[k] += chance[k] * amount;
  const auto most = static_cast<std::size_t>(std::ranges::max_element(owed) - owed.begin());
  owed[most] -= amount;
  return most;
}

}  // namespace

void draw_gpu_states(const Profile& profile, std::vector<Job>& jobs, Rng& rng) {
  std::array<std::vector<std::uint32_t>, kLevels> at_level;
  std::array<double, kLevels> number{}, time{};
  double all = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].gpus == 0) continue;
    const std::uint64_t gpu_s = gpu_seconds(profile, jobs[i]);
    const std::size_t level = std::min(level_of(gpu_s), kLevels - 1);
    at_level[level].push_back(static_cast<std::uint32_t>(i));
    number[level] += 1;
    time[level] += static_cast<double>(gpu_s);
    all += static_cast<double>(gpu_s);
  }
  const std::array<PerState, kLevels> chance = fit(profile, number, time);

  PerState owed_jobs{}, owed_time{};
  for (std::size_t l = kLevels; l-- > 0;) {
    std::vector<std::uint32_t>& members = at_level[l];
    shuffle(members, rng);
    const bool is_heavy = number[l] > 0 && time[l] / number[l] > kHeavy * all;
    if (is_heavy) {
      std::ranges::stable_sort(members, [&](std::uint32_t a, std::uint32_t b) {
        return gpu_seconds(profile, jobs[a]) > gpu_seconds(profile, jobs[b]);
      });
    }
    for (const std::uint32_t i : members) {
      std::size_t state = 0;
      if (is_heavy) {
        state = settle(chance[l], static_cast<double>(gpu_seconds(profile, jobs[i])), owed_time);
        for (std::size_t k = 0; k < kStates; ++k) owed_jobs[k] += chance[l][k];
        owed_jobs[state] -= 1;
      } else {
        state = settle(chance[l], 1, owed_jobs);
      }
      jobs[i].state = static_cast<State>(state);
    }
  }
}

std::vector<State> draw_cpu_states(const Profile& profile, std::size_t count, Rng& rng) {
  const std::vector<std::size_t> numbers =
      apportion(count, {profile.cpu_states.begin(), profile.cpu_states.end()});
  std::vector<State> states;
  states.reserve(count);
  for (std::size_t k = 0; k < kStates; ++k) {
    states.insert(states.end(), numbers[k], static_cast<State>(k));
  }
  shuffle(states, rng);
  return states;
}

}  // namespace berth::synthetic
