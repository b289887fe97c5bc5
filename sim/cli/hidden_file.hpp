// A file that appears whole or not at all.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "sim/core/error.hpp"

namespace berth::cli {

// The file under a hidden name beside `target` until it is whole; removed if it never is.
class HiddenFile {
 public:
  explicit HiddenFile(const std::filesystem::path& target)
      : target_(target),
        hidden_(target.parent_path() /
                ("." + target.filename().string() + ".partial" + std::to_string(::getpid()))) {}
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
