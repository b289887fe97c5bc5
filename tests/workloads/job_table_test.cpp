// The table of jobs: names and order, each against the standard library's way.
#include "sim/workload/job_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace berth {
namespace {

TEST(NameTableTest, GivesIdsInOrderOfFirstAppearance) {
  std::mt19937_64 random(6);
  NameTable<UserId> table;
  std::map<std::string, std::uint32_t> twin;
  for (int i = 0; i < 200'000; ++i) {
    // Lengths around 8, names that differ in one byte or in their length, NULs and the empty name.
    std::string name(random() % 19, random() % 2 == 0 ? 'a' : '\0');
    if (!name.empty()) name[random() % name.size()] = static_cast<char>(random() % 256);
    const auto [found, is_new] = twin.emplace(name, twin.size());
    ASSERT_EQ(table.intern(name), UserId{found->second});
  }
  ASSERT_EQ(table.names().size(), twin.size());
  EXPECT_GT(twin.size(), 5'000U);
  for (const auto& [name, id] : twin) EXPECT_EQ(table.name(UserId{id}), name);
}

// Sorted, a few rows late, many rows late, reversed, and mostly equal.
TEST(JobTableTest, BringsAnyOrderIntoQueueOrderAndKeepsEqualSubmissionsInTheirs) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 400; ++round) {
    const std::size_t count = random() % 300;
    const std::int64_t spread = std::int64_t{1} << random() % 12;
    const std::int64_t late = round % 4 == 0 ? 0 : std::int64_t{1} << random() % 12;
    std::vector<std::pair<std::int64_t, std::string>> twin;
    JobTableBuilder builder;
    if (random() % 2 == 0) builder.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto step = static_cast<std::int64_t>(i) * (round % 5 == 0 ? -1 : 1) * spread / 16;
      const auto shift =
          late == 0 ? 0 : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(late));
      JobRow row;
      const std::string id = std::to_string(i);
      row.id = id;
      row.submit_unix_ms = 1'000'000 + step - shift;
      row.start_unix_ms = row.submit_unix_ms + 5;
      builder.add(row);
      if (i == 10) builder.reserve(count);
      twin.emplace_back(row.submit_unix_ms, id);
    }
    std::stable_sort(twin.begin(), twin.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const JobTable table = builder.finish();
    ASSERT_EQ(table.size(), count);
    if (count > 0) {
      ASSERT_EQ(table.epoch_unix_ms(), twin.front().first);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Job& job = table.jobs()[i];
      ASSERT_EQ(table.id_of(job), twin[i].second);
      ASSERT_EQ(to_ms(job.submit), twin[i].first - twin.front().first);
      ASSERT_EQ(job.recorded_start - job.submit, Duration(5));
    }
  }
}

}  // namespace
}  // namespace berth
