// The one rule for duplicates: a row that says in every column what an earlier one said.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/workload/duplicates.hpp"
#include "tests/workloads/files.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

constexpr const char* kRows =
    "job_id,user,gpu_num,type,state,submit_time,duration\n"
    "a,u,8,Eval,COMPLETED,2023-03-01 00:00:00Z,60\n"
    "b,u,8,Eval,COMPLETED,2023-03-01 00:00:00Z,60\n"  // another id
    "a,u,8,Eval,COMPLETED,2023-03-01 00:00:00Z,61\n"  // another run
    "a,u,8,Eval,COMPLETED,2023-03-01 00:00:01Z,60\n"  // another time
    "a,u,8,Eval,COMPLETED,2023-03-01 00:00:00Z,60\n"  // the first again
    "a,u,8,Eval,COMPLETED,2023-03-01 00:00:00Z,60\n"  // and again
    "c,u,0,Eval,FAILED,2023-02-28 23:59:59Z,60\n";

TEST(DuplicatesTest, RowsEqualInEveryColumnAreDroppedAndCounted) {
  const TempFolder folder;
  const LoadedTrace trace = load_trace("acme", folder.write("t.csv", kRows));
  EXPECT_EQ(trace.report.rows, 7U);
  EXPECT_EQ(trace.report.kept, 5U);
  ASSERT_EQ(trace.table.size(), 5U);
  EXPECT_EQ(trace.id(0), "c");
  EXPECT_EQ(trace[1].line, 2U);  // the first of the equal ones stays
  ASSERT_EQ(trace.report.dropped.size(), 1U);
  EXPECT_EQ(trace.report.dropped[0].rows, 2U);
  EXPECT_NE(trace.report.dropped[0].example.find(":6: the same as line 2"), std::string::npos);
}

TEST(DuplicatesTest, MayBeKeptOrRefused) {
  const TempFolder folder;
  const auto file = folder.write("t.csv", kRows);
  TraceOptions options;
  options.duplicates = DuplicateRule::kKeep;
  const LoadedTrace kept = load_trace("acme", file, options);
  EXPECT_EQ(kept.table.size(), 7U);
  ASSERT_EQ(kept.report.fixed.size(), 1U);
  EXPECT_EQ(kept.report.fixed[0].rows, 2U);
  options.duplicates = DuplicateRule::kError;
  EXPECT_DATA_ERROR(load_trace("acme", file, options), "t.csv:6: the row is the same as line 2");
}

// Against a set of everything that was seen, over rows drawn from few values.
TEST(DuplicatesTest, AgreesWithASetOfRows) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    JobTableBuilder builder;
    std::set<std::tuple<int, int, int, std::string>> seen;
    std::uint64_t repeats = 0;
    const bool ids_are_ours = round % 2 == 0;
    const auto rows = 1 + random() % 60;
    for (std::uint64_t i = 0; i < rows; ++i) {
      const int submit = static_cast<int>(random() % 4);
      const int run = static_cast<int>(random() % 3);
      const int gpus = static_cast<int>(random() % 2);
      const std::string id = random() % 2 == 0 ? "a" : "b";
      JobRow row;
      row.id = id;
      row.type = "Other";
      row.submit_unix_ms = submit;
      row.start_unix_ms = submit;
      row.run = Duration(run);
      row.gpu_parts = static_cast<std::uint32_t>(gpus);
      row.line = i + 2;
      builder.add(row);
      if (!seen.insert({submit, run, gpus, ids_are_ours ? "" : id}).second) ++repeats;
    }
    std::uint64_t told = 0;
    const auto count = [&](const Job& job, std::uint32_t first) {
      ++told;
      EXPECT_LT(first, job.line);
    };
    EXPECT_EQ(find_duplicates(builder, ids_are_ours, true, count), repeats);
    EXPECT_EQ(told, repeats);
    EXPECT_EQ(builder.size(), seen.size());
    EXPECT_EQ(find_duplicates(builder, ids_are_ours, true, count), 0U);
  }
}

}  // namespace
}  // namespace berth::test
