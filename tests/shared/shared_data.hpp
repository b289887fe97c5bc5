// A test that reads the shared folder. Needs BERTH_SHARED (set by scripts/test where ../shared
// exists); without it these tests say so, and fail in CI.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace berth::test {

class SharedData : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("BERTH_SHARED");
    if (folder != nullptr && std::filesystem::is_directory(folder)) {
      shared_ = folder;
      return;
    }
    const char* ci = std::getenv("CI");
    if (ci != nullptr && std::string(ci) == "true") {
      FAIL() << "CI needs the shared data: set BERTH_SHARED";
    }
    GTEST_SKIP() << "NOT RUN: BERTH_SHARED names no folder; nothing was checked against it";
  }
  std::filesystem::path shared_;
};

}  // namespace berth::test
