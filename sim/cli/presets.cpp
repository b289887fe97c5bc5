#include "sim/cli/presets.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

namespace berth::cli {
namespace fs = std::filesystem;

namespace {

// Installed: beside the program. Built: where it was configured.
fs::path configs_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share" / "berth" / "configs";
  return fs::is_directory(installed, error) ? installed : fs::path(BERTH_CONFIGS);
}

std::string first_comment(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const std::size_t start = line.find_first_not_of("# ");
  return start == std::string::npos ? "" : line.substr(start);
}

}  // namespace

std::vector<Preset> presets(const std::string& kind) {
  std::vector<Preset> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(configs_folder() / kind, error)) {
    if (entry.path().extension() == ".yaml") {
      out.push_back({entry.path(), first_comment(entry.path())});
    }
  }
  std::ranges::sort(out, {}, &Preset::file);
  return out;
}

}  // namespace berth::cli
