// Profiles for the terminal, side by side: a column a trace.
#pragma once

#include <span>
#include <string>

#include "sim/inspect/trace_profile.hpp"

namespace berth {

// `top`: so many users, virtual clusters, accounts.
std::string profile_table(std::span<const TraceProfile> profiles, std::size_t top);

}  // namespace berth
