// Whole jobs out of the demand table: every duration of a type gets its GPU count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/synthetic/demand_table.hpp"

namespace berth::synthetic {

struct SizedDuration {
  std::uint32_t gpus;
  std::uint32_t seconds;  // as the published curves count them
};

// `count` jobs of a type, in descending order of duration. Durations are those of the type's
// curve; sizes follow the table bin by bin, so that what rounding gives to one bin the next gives
// back: in GPU time among the long jobs, of which one weighs much, and in numbers among the others.
std::vector<SizedDuration> size_jobs(const Profile& profile, const DemandTable& table,
                                     std::size_t type, std::size_t count);

}  // namespace berth::synthetic
