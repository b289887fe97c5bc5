// Pretraining. A team holds a block of GPUs and submits its next run when the last one has ended:
// after a failure soon, else after some thought, at night in the morning. So a team never waits for
// itself, and all teams together never ask for more than their blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/rng.hpp"
#include "workloads/synthetic/calendar.hpp"
#include "workloads/synthetic/jobs.hpp"
#include "workloads/synthetic/users.hpp"

namespace berth::synthetic {

struct Team {
  std::uint32_t gpus = 0;
  std::vector<std::uint32_t> jobs;  // indices, in order of submission
  bool is_extra = false;            // not of the profile: its teams had no time left
};

// Gives every one of `members` to a team and sets its submission and user. Each job goes to the
// smallest block that holds it and has time left. The pauses of a team are stretched so that its
// last run is submitted at the end of the period.
std::vector<Team> place_chains(const Profile& profile, const Calendar& calendar, const Users& users,
                               std::vector<std::uint32_t> members, std::vector<Job>& jobs,
                               std::uint64_t seed);

}  // namespace berth::synthetic
