// The configurations that come with Berth: `configs/` of an installation or of the source tree.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace berth::cli {

struct Preset {
  std::filesystem::path file;
  std::string summary;  // the first line of its comment
};

// The presets in `configs/KIND` ("clusters"), by name. Empty where no such folder is found.
std::vector<Preset> presets(const std::string& kind);

}  // namespace berth::cli
