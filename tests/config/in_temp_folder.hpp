// A fixture whose working directory is a fresh folder.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "tests/support/temp_folder.hpp"

namespace berth::test {

class InTempFolder : public ::testing::Test {
 protected:
  // Canonical, as current_path() gives it.
  InTempFolder()
      : before_(std::filesystem::current_path()),
        folder_(std::filesystem::canonical(temp_.path())) {
    std::filesystem::current_path(folder_);
  }
  ~InTempFolder() override { std::filesystem::current_path(before_); }

  const std::filesystem::path& folder() const { return folder_; }

  static void write(const std::filesystem::path& file, std::string_view text) {
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    out << text;
    ASSERT_TRUE(out.flush()) << file;
  }

 private:
  TempFolder temp_;
  std::filesystem::path before_;
  std::filesystem::path folder_;
};

}  // namespace berth::test
