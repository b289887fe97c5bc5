// Faulty traces of every format: tests/invalid_traces/FORMAT/NAME.expect holds what the message
// must contain (where, what was found, what was expected), the trace is NAME with any other ending
// (or the folder NAME), NAME.yaml or else options.yaml the options of the format.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "tests/workloads/files.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string format;
  std::string name;
  fs::path trace;
  std::string options = "{}";
  std::string expected;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const auto& folder : fs::directory_iterator(BERTH_SOURCE_DIR "/tests/invalid_traces")) {
    std::map<std::string, Case> found;  // by name
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      const fs::path& path = entry.path();
      Case& each = found[path.stem().string()];
      if (path.extension() == ".expect") {
        each.expected = slurp(path);
        while (each.expected.ends_with('\n')) each.expected.pop_back();
      } else if (path.extension() == ".yaml") {
        each.options = slurp(path);
      } else {
        each.trace = path;
      }
    }
    const auto all = found.find("options");
    for (auto& [name, each] : found) {
      if (name == "options") continue;
      each.format = folder.path().filename().string();
      each.name = name;
      if (each.options == "{}" && all != found.end()) each.options = all->second.options;
      out.push_back(each);
    }
  }
  return out;
}

TEST(InvalidFormatsTest, EachIsRefusedWithItsMessage) {
  std::map<std::string, int> by_format;
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.format + "/" + each.name);
    ++by_format[each.format];
    EXPECT_GT(each.expected.size(), 10U);
    JobTableBuilder out;
    TraceReport report;
    EXPECT_DATA_ERROR(read_trace(each.format, each.trace, {}, out, report, each.options),
                      each.expected);
  }
  for (const std::string& format : builtin_registries().formats.names()) {
    EXPECT_GE(by_format[format], 10) << "faulty traces of the format " << format;
  }
}

TEST(InvalidFormatsTest, NoMessageIsLongerThanTwoLinesOrMovesTheCursor) {
  for (const Case& each : cases()) {
    JobTableBuilder out;
    TraceReport report;
    try {
      read_trace(each.format, each.trace, {}, out, report, each.options);
    } catch (const DataError& error) {
      const std::string_view message = error.what();
      EXPECT_LE(message.size(), each.trace.string().size() + 300) << message;
      EXPECT_TRUE(std::all_of(message.begin(), message.end(), [](char c) {
        return c >= ' ' && c <= '~';
      })) << message;
    }
  }
}

}  // namespace
}  // namespace berth::test
