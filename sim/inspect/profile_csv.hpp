// The curves of profiles as CSV, a file each, in the columns of the Acme study's figures with the
// trace's name in front.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/inspect/trace_profile.hpp"

namespace berth {

// The names of the files.
const std::vector<std::string>& profile_csv_files();
// Writes one of them to `path`. Throws OutputError.
void write_profile_csv(const std::string& name, const std::filesystem::path& path,
                       std::span<const TraceProfile> profiles);

}  // namespace berth
