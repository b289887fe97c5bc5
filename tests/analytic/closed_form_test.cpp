// Cases without randomness in the answer: each start, sum or bound in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "sim/core/rng.hpp"
#include "tests/support/simulation.hpp"

namespace berth::test {
namespace {

Simulated run_on_pool(const std::vector<TestJob>& jobs, int servers, const std::string& policy) {
  return simulate(make_jobs(jobs),
                  "{cluster: {nodes: 1, gpus_per_node: " + std::to_string(servers) +
                      ", packing: pool}, policy: " + policy + "}");
}

std::int64_t sum_of_ends_s(const Simulated& result) {
  std::int64_t sum = 0;
  for (const SimulatedJob& job : result.jobs) sum += job.end_ms / 1000;
  return sum;
}

std::int64_t last_end_s(const Simulated& result) {
  return std::ranges::max(result.jobs, {}, &SimulatedJob::end_ms).end_ms / 1000;
}

std::vector<TestJob> random_jobs(Rng& rng, std::uint32_t count, std::uint32_t longest_s) {
  std::vector<TestJob> jobs;
  for (std::uint32_t i = 0; i < count; ++i) jobs.push_back({.run_s = rng.below(longest_s + 1)});
  return jobs;
}

// D/D/1: one job every A, each of length S > A: the k-th (from 0) waits k (S - A).
TEST(OneServer, DeterministicOverloadWaitsMoreByTheSameEachTime) {
  constexpr std::int64_t kBetween = 7;
  constexpr std::int64_t kLength = 10;
  std::vector<TestJob> jobs;
  for (std::int64_t k = 0; k < 5000; ++k)
    jobs.push_back({.submit_s = kBetween * k, .run_s = kLength});
  for (const char* policy : {"{backfill: none}", "{backfill: greedy}", "{backfill: easy}",
                             "{backfill: conservative}", "{order: sjf}"}) {
    SCOPED_TRACE(policy);
    const Simulated result = run_on_pool(jobs, 1, policy);
    for (std::int64_t k = 0; k < 5000; ++k) {
      const SimulatedJob& job = result.jobs[static_cast<std::size_t>(k)];
      ASSERT_EQ(job.start_ms, 1000 * (kBetween * k + k * (kLength - kBetween))) << k;
      ASSERT_EQ(job.end_ms, job.start_ms + 1000 * kLength) << k;
    }
  }
}

// All submitted at 0 on one server: in the order of their lengths the i-th of n (from 1) is counted
// n - i + 1 times, and no other order has a smaller sum of ends (Smith 1956).
TEST(OneServer, ShortestFirstHasTheSmallestSumOfEnds) {
  Rng rng(1, "closed form");
  for (int round = 0; round < 50; ++round) {
    const std::vector<TestJob> jobs = random_jobs(rng, 100, round % 2 == 0 ? 1000 : 5);
    std::vector<std::int64_t> lengths;
    for (const TestJob& job : jobs) lengths.push_back(job.run_s);
    std::ranges::sort(lengths);
    std::int64_t smallest = 0;
    std::int64_t end = 0;
    for (const std::int64_t length : lengths) smallest += end += length;
    EXPECT_EQ(sum_of_ends_s(run_on_pool(jobs, 1, "{order: sjf}")), smallest);
    EXPECT_EQ(sum_of_ends_s(run_on_pool(jobs, 1, "{order: srtf}")), smallest);
    EXPECT_GE(sum_of_ends_s(run_on_pool(jobs, 1, "{order: fifo}")), smallest);
  }
}

// One server is busy until all is done, whoever goes first.
TEST(OneServer, MakespanIsTheSumOfLengths) {
  Rng rng(2, "closed form");
  const std::vector<TestJob> jobs = random_jobs(rng, 300, 100);
  const std::int64_t total =
      std::accumulate(jobs.begin(), jobs.end(), std::int64_t{0},
                      [](std::int64_t sum, const TestJob& job) { return sum + job.run_s; });
  for (const char* policy : {"{order: fifo}", "{order: sjf}", "{order: srtf}", "{backfill: greedy}",
                             "{backfill: easy}", "{backfill: conservative}"}) {
    EXPECT_EQ(last_end_s(run_on_pool(jobs, 1, policy)), total) << policy;
  }
}

// Graham 1969: whoever never leaves a server idle while a job waits ends by
// total / c + (1 - 1 / c) longest <= (2 - 1 / c) OPT; nobody ends before max(total / c, longest).
TEST(ManyServers, ListSchedulingKeepsGrahamsBound) {
  Rng rng(3, "closed form");
  for (const int servers : {2, 3, 8, 17}) {
    for (int round = 0; round < 20; ++round) {
      const std::vector<TestJob> jobs = random_jobs(rng, 5 + rng.below(100), 1 + rng.below(1000));
      std::int64_t total = 0;
      std::int64_t longest = 0;
      for (const TestJob& job : jobs) {
        total += job.run_s;
        longest = std::max(longest, job.run_s);
      }
      for (const char* policy :
           {"{order: fifo}", "{order: sjf}", "{order: srtf}", "{backfill: greedy}",
            "{backfill: easy}", "{backfill: conservative}"}) {
        const std::int64_t end = last_end_s(run_on_pool(jobs, servers, policy));
        EXPECT_LE(servers * end, total + (servers - 1) * longest) << policy;
        EXPECT_GE(servers * end, total) << policy;
        EXPECT_GE(end, longest) << policy;
      }
    }
  }
}

// The bound is reached: c (c - 1) jobs of 1 s, then one of c s. In the order given they end at
// 2 c - 1; with the long one first, at c.
TEST(ManyServers, GrahamsBoundIsReached) {
  for (const int servers : {2, 3, 5, 8}) {
    std::vector<TestJob> jobs(static_cast<std::size_t>(servers * (servers - 1)), {.run_s = 1});
    jobs.push_back({.run_s = servers});
    EXPECT_EQ(last_end_s(run_on_pool(jobs, servers, "{order: fifo}")), 2 * servers - 1);
    std::ranges::reverse(jobs);
    EXPECT_EQ(last_end_s(run_on_pool(jobs, servers, "{order: fifo}")), servers);
  }
}

// A cluster that is never full: nobody waits.
TEST(ManyServers, NobodyWaitsWhereThereIsRoom) {
  Rng rng(4, "closed form");
  std::vector<TestJob> jobs = random_jobs(rng, 500, 1000);
  for (TestJob& job : jobs) job.submit_s = rng.below(2000);
  const JobTable table = make_jobs(jobs);
  const Simulated result =
      simulate(table, "{cluster: {nodes: 63, gpus_per_node: 8}, policy: {order: fifo}}");
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(result.jobs[i].start_ms, to_ms(table[JobId(i)].submit));
  }
}

}  // namespace
}  // namespace berth::test
