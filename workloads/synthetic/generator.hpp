// A synthetic trace: what docs/generate.md describes, step by step.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/synthetic/chains.hpp"
#include "workloads/synthetic/jobs.hpp"

namespace berth::synthetic {

struct Trace {
  std::vector<Job> jobs;  // in order of submission
  std::uint64_t gpu_jobs = 0;
  // GPUs that all teams hold together. More than the cluster has if so many jobs were asked for
  // that the profile's teams had no time left for them; each such job opened a team.
  std::uint64_t team_gpus = 0;
};

// `jobs` jobs in the profile's mix over the profile's period. How many jobs of each size, duration,
// delay and state there are follows from the profile alone; the seed decides what meets what, who
// submits and when. The same arguments give the same trace.
Trace generate(const Profile& profile, std::uint64_t jobs, std::uint64_t seed);

}  // namespace berth::synthetic
