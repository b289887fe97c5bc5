// The jobs of a synthetic trace, before they are written.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/synthetic/profile.hpp"

namespace berth::synthetic {

enum class State : std::uint8_t { kCompleted, kCancelled, kFailed };

struct Job {
  std::uint32_t submit_s = 0;  // after the first possible submission of the profile
  std::uint32_t queue_s = 0;
  std::uint32_t run_s = 0;
  std::uint32_t gpus = 0;  // 0: a CPU job
  std::uint32_t cpus = 0;
  std::uint16_t user = 0;
  std::uint8_t type = 0;  // index into Profile::types; their number: a CPU job
  State state = State::kCompleted;
};

// The number of GPU jobs and of CPU jobs of a trace of `jobs` jobs: the profile's mix.
struct JobCounts {
  std::uint64_t gpu = 0, cpu = 0;
};
JobCounts job_counts(const Profile& profile, std::uint64_t jobs);

// Splits `count` by `shares` (which sum to about 1), to whole numbers that sum to `count`.
std::vector<std::size_t> apportion(std::size_t count, const std::vector<double>& shares);

// What the published durations and GPU times count: the run, in Kalos the queue too.
inline std::uint32_t counted_seconds(const Profile& profile, const Job& job) {
  return job.run_s + (profile.duration_counts_queue() ? job.queue_s : 0);
}

}  // namespace berth::synthetic
