// tests/invalid_configs: one fault a file, told through the binary. Beside NAME.yaml stand
// NAME.expect, every line of which the message must hold, and, where the exit status is not 2,
// NAME.status. In parts/ lie files that others name, and valid.yaml, which has no fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"

namespace berth::test {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(BERTH_SOURCE_DIR) / "tests" / "invalid_configs";

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".yaml") out.push_back(entry.path().stem().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

// The binary in the folder of the configurations, with results to `out` if it is a run.
ProcessResult berth_on(const std::string& command, const std::string& config, const fs::path& out) {
  std::vector<std::string> words{command, config};
  if (command == "run") words.insert(words.end(), {"--out", out.string()});
  ProcessOptions options;
  options.folder = kFolder;
  return run_berth(words, options);
}

void expect_refused(const std::string& config, int status, const std::vector<std::string>& parts) {
  const TempFolder temp;
  for (const std::string command : {"check", "run"}) {
    SCOPED_TRACE("berth " + command + " " + config);
    const ProcessResult result = berth_on(command, config, temp.path() / "results");
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(result.out, "");
    for (const std::string& part : parts) {
      EXPECT_NE(result.err.find(part), std::string::npos)
          << "expected: " << part << "\ngot:      " << result.err;
    }
    EXPECT_TRUE(result.err.ends_with('\n'));
    EXPECT_LE(std::count(result.err.begin(), result.err.end(), '\n'), 12) << result.err;
    EXPECT_TRUE(fs::is_empty(temp.path())) << "a run that failed left results";
  }
}

class InvalidConfigTest : public ::testing::TestWithParam<std::string> {};

TEST_P(InvalidConfigTest, IsRefusedWithThePlaceAndTheReason) {
  const fs::path file = kFolder / GetParam();
  std::vector<std::string> parts;
  std::istringstream expect(read_text(file.string() + ".expect"));
  for (std::string line; std::getline(expect, line);) parts.push_back(line);
  ASSERT_FALSE(parts.empty());
  const std::string status_file = file.string() + ".status";
  const int status = fs::exists(status_file) ? std::stoi(read_text(status_file)) : 2;
  expect_refused(GetParam() + ".yaml", status, parts);
}

INSTANTIATE_TEST_SUITE_P(Files, InvalidConfigTest, ::testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

TEST(InvalidConfigs, AreManyAndNoExpectationIsLeftOver) {
  const std::vector<std::string> all = names();
  EXPECT_GE(all.size(), 50u);
  std::size_t expectations = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".expect") ++expectations;
  }
  EXPECT_EQ(expectations, all.size());
}

// If this fails, so may any other for the wrong reason.
TEST(InvalidConfigs, WhatTheyAreFaultyAgainstIsValid) {
  const TempFolder temp;
  const fs::path results = temp.path() / "results";
  const ProcessResult checked = berth_on("check", "parts/valid.yaml", results);
  EXPECT_EQ(checked.status, 0) << checked.err;
  const ProcessResult run = berth_on("run", "parts/valid.yaml", results);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(fs::exists(results / "summary.json"));
}

TEST(InvalidConfigs, AFileThatCannotBeReadIsADataError) {
  expect_refused("absent.yaml", 3, {"cannot read absent.yaml: No such file or directory"});
  expect_refused("parts", 3, {"cannot read parts: Is a directory"});
}

TEST(InvalidConfigs, FaultyOverridesAreQuoted) {
  struct Case {
    const char* override_text;
    const char* message;
  };
  const Case cases[] = {
      {"policy.order", "--set policy.order: a \"=\" is missing"},
      {"=fifo", "--set =fifo: the key is empty"},
      {"policy..order=fifo", "--set policy..order=fifo: a part of the key is empty"},
      {"policy.order=[fifo", "--set policy.order=[fifo: the \"[\" that opens here is not closed"},
      {"policy.order.first=fifo",
       "--set policy.order.first=fifo: policy.order is \"fifo\" (parts/valid.yaml:"},
      {"policy.ordr=fifo",
       "--set policy.ordr=fifo: policy.ordr: unknown key (did you mean \"order\"?)"},
      {"cluster.nodes=many", "--set cluster.nodes=many: cluster.nodes: \"many\" is not an integer"},
      {"extends=parts/valid.yaml", "extends can be set in a file only"},
  };
  for (const Case& c : cases) {
    ProcessOptions options;
    options.folder = kFolder;
    const ProcessResult result =
        run_berth({"check", "parts/valid.yaml", "--set", c.override_text}, options);
    EXPECT_EQ(result.status, 2) << c.override_text;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(c.message), std::string::npos)
        << "expected: " << c.message << "\ngot:      " << result.err;
  }
}

}  // namespace
}  // namespace berth::test
