// A file that appears whole or not at all.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "sim/core/error.hpp"

namespace berth::cli {

// Where a file is to be written: `target`, or what it links to. A rename would put a file in the
// place of a device, a pipe or a link, so only a regular file is ever replaced.
// Throws ConfigError on what is no regular file, OutputError where there is no folder for it.
inline std::filesystem::path replaceable(const std::filesystem::path& target) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(target, error);
  if (std::filesystem::is_directory(status) || !target.has_filename()) {
    throw ConfigError(target.string() + " is a folder; name a file in it");
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw ConfigError(target.string() + " is not a regular file, and would be replaced by one; " +
                      "name another");
  }
  std::filesystem::path file = target;
  if (std::filesystem::is_symlink(std::filesystem::symlink_status(target, error))) {
    file = std::filesystem::weakly_canonical(target, error);
    if (error) throw OutputError("cannot write " + target.string() + ": " + error.message());
  }
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, error)) {
    throw OutputError("cannot write " + target.string() + ": there is no folder " +
                      folder.string());
  }
  return file;
}

// The file under a hidden name beside `target` until it is whole; removed if it never is.
class HiddenFile {
 public:
  explicit HiddenFile(const std::filesystem::path& target)
      : target_(replaceable(target)),
        hidden_(target_.parent_path() /
                ("." + target_.filename().string() + ".partial" + std::to_string(::getpid()))) {}
  ~HiddenFile() {
    std::error_code ignored;
    if (!is_done_) std::filesystem::remove(hidden_, ignored);
  }
  HiddenFile(const HiddenFile&) = delete;
  HiddenFile& operator=(const HiddenFile&) = delete;

  const std::filesystem::path& path() const { return hidden_; }
  void put_in_place() {
    std::error_code error;
    std::filesystem::rename(hidden_, target_, error);
    if (error) throw OutputError("cannot write " + target_.string() + ": " + error.message());
    is_done_ = true;
  }

 private:
  std::filesystem::path target_, hidden_;
  bool is_done_ = false;
};

}  // namespace berth::cli
