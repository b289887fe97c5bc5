// Paths as a configuration names them.
#pragma once

#include <filesystem>
#include <system_error>

namespace berth {

// Without "." and "..", so that one file has one spelling in messages, results and hashes; left
// as it is where a ".." behind a symbolic link would then lead elsewhere.
inline std::filesystem::path tidy(const std::filesystem::path& path) {
  std::filesystem::path normal = path.lexically_normal();
  if (normal == path) return normal;
  std::error_code ignored;
  const std::filesystem::path folder = path.parent_path();
  const std::filesystem::path normal_folder = normal.parent_path();
  const std::filesystem::path here = ".";
  if (std::filesystem::exists(folder, ignored) &&
      !std::filesystem::equivalent(folder, normal_folder.empty() ? here : normal_folder, ignored)) {
    return path;
  }
  return normal;
}

}  // namespace berth
