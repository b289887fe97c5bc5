// Submissions that come together: an evaluation is a campaign of near-identical trials that one
// user submits within seconds; other types come in smaller groups.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/rng.hpp"
#include "workloads/synthetic/calendar.hpp"
#include "workloads/synthetic/jobs.hpp"
#include "workloads/synthetic/users.hpp"

namespace berth::synthetic {

// Groups `members` (indices into `jobs`, of one type) into campaigns and sets the submission and
// the user of each. All trials of a campaign ask for the same GPUs. A share `alike` of the trials
// is cut from the row of all members in order of duration, so it takes about as long as each
// other; the rest takes what it takes (fails early, or hangs).
void place_campaigns(const Profile& profile, const CampaignProfile& campaign,
                     const Calendar& calendar, const Users& users,
                     std::vector<std::uint32_t> members, std::vector<Job>& jobs, Rng& rng);

}  // namespace berth::synthetic
