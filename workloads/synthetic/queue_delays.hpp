// The recorded queuing delays: those of the published curve, whatever a simulation would give.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/rng.hpp"
#include "workloads/synthetic/curve.hpp"

namespace berth::synthetic {

// A delay for each job, in random order.
std::vector<std::uint32_t> draw_delays(const Curve& curve, std::size_t count, Rng& rng);

// The same where each job's time, delay and run together, is known: no job waits longer than that.
// The jobs take their delays from the shortest up, each at random out of those that fit it and are
// left, so the delays are still those of the curve unless it lies beyond the times; then the
// longest are cut. `whole_s` in ascending order.
std::vector<std::uint32_t> draw_delays_within(const Curve& curve,
                                              const std::vector<std::uint32_t>& whole_s, Rng& rng);

}  // namespace berth::synthetic
