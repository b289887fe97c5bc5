// What the tests took over from the shared folder is still what stands there. Needs BERTH_SHARED
// (set by scripts/test where ../shared exists); without it these tests say so, and fail in CI.
#include "tests/shared/shared_data.hpp"

#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

namespace fs = std::filesystem;

TEST_F(SharedData, TheGoldenCopiesAreTheOriginals) {
  std::size_t files = 0;
  for (const char* folder : {"workloads", "expected"}) {
    for (const auto& entry : fs::recursive_directory_iterator(shared_ / "golden" / folder)) {
      if (!entry.is_regular_file()) continue;
      ++files;
      const fs::path copy = fs::path(BERTH_SOURCE_DIR) / "tests" / "golden" /
                            fs::relative(entry.path(), shared_ / "golden");
      EXPECT_EQ(read_text(copy), read_text(entry.path())) << copy;
    }
  }
  EXPECT_EQ(files, 3u + 3u * 17u);  // three workloads; sixteen cases and a summary of each
}

// The blocks of the README that start with this header, up to the closing fence.
std::string block(const std::string& readme, const std::string& header) {
  const std::size_t start = readme.find(header);
  EXPECT_NE(start, std::string::npos) << header;
  return readme.substr(start, readme.find("```", start) - start);
}

// Read the rows that the data set's README prints; the arithmetic is on their own times.
TEST_F(SharedData, TheRowsOfTheAcmeReadmeRunFromStartToEnd) {
  const std::string readme = read_text(shared_ / "data" / "README.md");
  const TempFolder folder;
  const auto read = [&](const std::string& csv, TraceReport& report) {
    write_text(folder.path() / "trace.csv", csv);
    JobTableBuilder builder;
    read_trace("acme", folder.path() / "trace.csv", {}, builder, report);
    return builder.finish();
  };
  TraceReport seren_report;
  const JobTable seren =
      read(block(readme, "job_id,user,node_num,gpu_num,cpu_num,type,"), seren_report);
  ASSERT_EQ(seren.size(), 2u);
  EXPECT_EQ(seren[JobId(0)].run, std::chrono::seconds(117));              // 00:18:54 to 00:20:51
  EXPECT_EQ(seren[JobId(1)].run, std::chrono::seconds(2693));             // 00:24:11 to 01:09:04
  EXPECT_EQ(seren[JobId(1)].submit, SimTime(std::chrono::seconds(336)));  // 00:18:22 to 00:23:58
  EXPECT_EQ(seren_report.duration_differs, 0u);
  TraceReport kalos_report;
  const JobTable kalos =
      read(block(readme, "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,"), kalos_report);
  ASSERT_EQ(kalos.size(), 2u);
  EXPECT_EQ(kalos[JobId(0)].run, std::chrono::seconds(8));   // 11:01:08 to 11:01:16, not 18
  EXPECT_EQ(kalos[JobId(1)].run, std::chrono::seconds(70));  // 11:28:54 to 11:30:04, not 82
  EXPECT_EQ(kalos[JobId(0)].gpu_parts, 64u);
  EXPECT_EQ(kalos_report.duration_differs, 2u);
}

}  // namespace
}  // namespace berth::test
