// Every file of tests/invalid_traces/acme has one fault, which is its name. NAME.expect holds what
// the message must contain: where, what was found, what was expected.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "tests/workloads/files.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

const std::filesystem::path kFolder = BERTH_SOURCE_DIR "/tests/invalid_traces/acme";

std::vector<std::filesystem::path> invalid_traces() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void read(const std::filesystem::path& file, RowRule bad_rows, JobTableBuilder& out,
          TraceReport& report) {
  TraceOptions options;
  options.bad_rows = bad_rows;
  read_trace("acme", file, options, out, report);
}

// The last line end of the file is not part of it.
std::string expected_message(std::filesystem::path file) {
  std::string text = slurp(file.replace_extension(".expect"));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

TEST(InvalidAcmeTest, EachIsRefusedWithItsMessage) {
  const auto files = invalid_traces();
  EXPECT_GE(files.size(), 40U);
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename());
    const std::string expected = expected_message(file);
    EXPECT_GT(expected.size(), 10U);
    JobTableBuilder out;
    TraceReport report;
    EXPECT_DATA_ERROR(read(file, RowRule::kError, out, report), expected);
  }
}

TEST(InvalidAcmeTest, NoMessageIsLongerThanTwoLinesOrMovesTheCursor) {
  for (const auto& file : invalid_traces()) {
    JobTableBuilder out;
    TraceReport report;
    try {
      read(file, RowRule::kError, out, report);
    } catch (const DataError& error) {
      const std::string_view message = error.what();
      EXPECT_LE(message.size(), file.string().size() + 300) << message;
      EXPECT_TRUE(std::all_of(message.begin(), message.end(), [](char c) {
        return c >= ' ' && c <= '~';
      })) << message;
    }
  }
}

// With bad_rows: skip the first row, which is good in all of them, is what remains, unless the
// fault is one of the file.
TEST(InvalidAcmeTest, SkippingBadRowsLeavesOutThatRowOnly) {
  int skipped = 0;
  for (const auto& file : invalid_traces()) {
    SCOPED_TRACE(file.filename());
    const std::string expected = expected_message(file);
    JobTableBuilder out;
    TraceReport report;
    try {
      read(file, RowRule::kSkip, out, report);
      EXPECT_EQ(report.rows, 2U);
      EXPECT_EQ(report.bad_rows, 1U);
      EXPECT_EQ(out.size(), 1U);
      ASSERT_EQ(report.bad_row_examples.size(), 1U);
      EXPECT_NE(report.bad_row_examples[0].find(expected), std::string::npos)
          << report.bad_row_examples[0];
      ++skipped;
    } catch (const DataError& error) {
      EXPECT_NE(std::string_view(error.what()).find(expected), std::string_view::npos)
          << error.what();
    }
  }
  EXPECT_GE(skipped, 40);
}

// The same again, each packed: a faulty file stays one, and packing moves no line or column.
TEST(InvalidAcmeTest, PackingChangesNoMessage) {
  const TempFolder folder;
  for (const auto& file : invalid_traces()) {
    const std::string name = file.filename().string();
    const std::string bytes = slurp(file);
    if (bytes.empty() || name.starts_with("gzip") || name.starts_with("zstd") ||
        name.starts_with("xz")) {
      continue;
    }
    for (const Pack how : {Pack::kGzip, Pack::kZstd}) {
      JobTableBuilder out;
      TraceReport report;
      EXPECT_DATA_ERROR(read(folder.write(name, packed(how, bytes)), RowRule::kError, out, report),
                        expected_message(file));
    }
  }
}

}  // namespace
}  // namespace berth::test
