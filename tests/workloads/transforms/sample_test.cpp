// sample: exact numbers, every job equally likely, the same draw for the same seed and place.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/workloads/transforms/transformed.hpp"

namespace berth::test {
namespace {

// 1,000 jobs of 40 users in turn.
std::vector<SourceJob> many() {
  std::vector<SourceJob> out;
  for (int i = 0; i < 1000; ++i) {
    out.push_back({.submit = i, .run = i, .user = "u" + std::to_string(i % 40)});
  }
  return out;
}

TEST(Sample, KeepsExactlySoMany) {
  EXPECT_EQ(transformed(many(), {"{sample: {fraction: 0.1}}"}).table.size(), 100U);
  EXPECT_EQ(transformed(many(), {"{sample: {fraction: 0.0006}}"}).table.size(), 1U);
  EXPECT_EQ(transformed(many(), {"{sample: {jobs: 37}}"}).table.size(), 37U);
  const Transformed all = transformed(many(), {"{sample: {fraction: 1}}"});
  EXPECT_EQ(all.table.size(), 1000U);
  EXPECT_EQ(all.lines[0], "sample: kept 1000 of 1000 jobs");
}

TEST(Sample, LeavesTheJobsAsTheyWere) {
  const Transformed out = transformed(many(), {"{sample: {jobs: 50}}"});
  const std::int64_t first = std::stoll(out.ids()[0]);
  std::int64_t last = -1;
  for (const Job& job : out.table.jobs()) {
    const std::int64_t i = std::stoll(std::string(out.table.id_of(job)));
    EXPECT_GT(i, last);
    last = i;
    EXPECT_EQ(to_ms(job.submit), (i - first) * 1000);
    EXPECT_EQ(to_ms(job.run), i * 1000);
    EXPECT_EQ(out.table.user_of(job), "u" + std::to_string(i % 40));
  }
}

TEST(Sample, ByUserKeepsAllJobsOfThose) {
  const Transformed out = transformed(many(), {"{sample: {fraction: 0.25, by: user}}"});
  std::map<std::string, int> jobs;
  for (const Job& job : out.table.jobs()) ++jobs[out.table.user_of(job)];
  EXPECT_EQ(jobs.size(), 10U);
  for (const auto& [user, count] : jobs) EXPECT_EQ(count, 25) << user;
  EXPECT_EQ(out.lines[0], "sample: kept 10 of 40 users with 250 of 1000 jobs");
}

TEST(Sample, DependsOnSeedAndPlaceAlone) {
  const std::vector<std::string> half{"{sample: {fraction: 0.5}}"};
  const Ids ids = transformed(many(), half).ids();
  EXPECT_EQ(transformed(many(), half).ids(), ids);
  EXPECT_NE(transformed(many(), half, {.seed = 2}).ids(), ids);
  // Two equal transforms draw different numbers: the second is not the first's twin.
  EXPECT_NE(transformed(many(), {"{scale_arrivals: {factor: 1}}", half[0]}).ids(), ids);
}

// Ten jobs, three drawn, 4,000 seeds: each is in 30 % of the draws. The standard deviation of a
// count is sqrt(4000 x 0.3 x 0.7) = 29; five of them are 145.
TEST(Sample, EveryJobIsEquallyLikely) {
  std::vector<SourceJob> ten;
  for (int i = 0; i < 10; ++i) ten.push_back({.submit = i});
  std::map<std::string, int> counts;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    for (const std::string& id : transformed(ten, {"{sample: {jobs: 3}}"}, {.seed = seed}).ids()) {
      ++counts[id];
    }
  }
  ASSERT_EQ(counts.size(), 10U);
  for (const auto& [id, count] : counts) EXPECT_NEAR(count, 1200, 145) << id;
}

TEST(Sample, RefusesWhatItCannotDo) {
  EXPECT_NE(
      fault_of(many(), {"{sample: {jobs: 1001}}"}).find("asks for 1001 jobs, and there are 1000"),
      std::string::npos);
  EXPECT_NE(fault_of(many(), {"{sample: {}}"}).find("either fraction or jobs"), std::string::npos);
  EXPECT_NE(
      fault_of(many(), {"{sample: {jobs: 1, fraction: 0.5}}"}).find("either fraction or jobs"),
      std::string::npos);
  EXPECT_NE(fault_of(many(), {"{sample: {jobs: 1, by: user}}"}).find("sample.by"),
            std::string::npos);
  for (const char* fraction : {"0", "1.01", "-0.5", ".nan"}) {
    EXPECT_NE(fault_of(many(), {std::string("{sample: {fraction: ") + fraction + "}}"})
                  .find("sample.fraction"),
              std::string::npos)
        << fraction;
  }
}

}  // namespace
}  // namespace berth::test
