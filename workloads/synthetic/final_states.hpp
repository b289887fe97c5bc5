// How jobs end. Published are the shares of completed, cancelled and failed jobs by number and by
// GPU time; between them stands the logit that has these margins:
//   P(state | GPU time) proportional to w(state) * r(state)^floor(log2(GPU-seconds)).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/rng.hpp"
#include "workloads/synthetic/jobs.hpp"

namespace berth::synthetic {

// Sets the state of every job that has GPUs. Who ends how is drawn; how many of each state there
// are among jobs of about the same GPU time is not.
void draw_gpu_states(const Profile& profile, std::vector<Job>& jobs, Rng& rng);
// The states of `count` CPU jobs, in random order.
std::vector<State> draw_cpu_states(const Profile& profile, std::size_t count, Rng& rng);

}  // namespace berth::synthetic
