// Profiles as JSON: every number, units in the keys.
#pragma once

#include <filesystem>
#include <span>

#include "sim/inspect/trace_profile.hpp"

namespace berth {

// {"traces": [...]}. Throws OutputError.
void write_profile_json(const std::filesystem::path& path, std::span<const TraceProfile> profiles);

}  // namespace berth
