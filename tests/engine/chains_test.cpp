// Feedback: jobs that are submitted because another one ended. All expected times by hand.
#include <gtest/gtest.h>

#include <vector>

#include "sim/workload/feedback_chains.hpp"
#include "tests/support/simulation.hpp"

namespace berth::test {
namespace {

constexpr const char* kOneGpu =
    "{cluster: {nodes: 1, gpus_per_node: 1}, policy: {order: fifo, backfill: none}}";

ChainRules inferred() {
  ChainRules rules;
  rules.source = ChainRules::Source::kInferred;
  return rules;
}

std::vector<std::int64_t> submits_s(const Simulated& run) {
  std::vector<std::int64_t> out;
  for (const SimulatedJob& job : run.jobs) out.push_back(job.submit_ms / 1000);
  return out;
}

// In the log 0 ran 0-100 and 1, its follower, came 10 s later; job 2, of another type, at 50. Here
// 2 cannot run beside 0, so nothing changes for 1 (0 ends at 100 all the same); but 1's follower 3
// waits behind 2.
TEST(ChainsTest, AFollowerComesItsThinkTimeAfterTheSimulatedEnd) {
  const JobTable jobs = make_jobs({{.submit_s = 0, .run_s = 100},
                                   {.submit_s = 50, .run_s = 300, .type = "Eval"},
                                   {.submit_s = 110, .run_s = 40},
                                   {.submit_s = 155, .run_s = 10}});
  const FeedbackChains chains(jobs, inferred());
  EXPECT_EQ(chains.counts().links, 2U);
  EXPECT_EQ(chains.predecessor(JobId(2)), JobId(0));
  EXPECT_EQ(chains.predecessor(JobId(3)), JobId(2));
  const Simulated open = simulate(jobs, kOneGpu);
  EXPECT_EQ(submits_s(open), (std::vector<std::int64_t>{0, 50, 110, 155}));
  EXPECT_EQ(open.jobs[3].start_ms, 440'000);  // behind 0 (100), 1 (400) and 2 (440)
  const Simulated run = simulate(jobs, kOneGpu, {}, &chains);
  // 2 starts at 400, ends at 440; in the log 3 came 5 s after its end.
  EXPECT_EQ(submits_s(run), (std::vector<std::int64_t>{0, 50, 110, 445}));
  EXPECT_EQ(run.jobs[3].start_ms, 445'000);
  EXPECT_EQ(run.jobs[3].end_ms, 455'000);
}

// Queue order is that of the simulated submissions: the follower, recorded before job 2, comes
// after it here and so starts after it.
TEST(ChainsTest, QueueOrderIsTheOrderInWhichJobsCome) {
  const JobTable jobs = make_jobs({{.submit_s = 0, .run_s = 100},
                                   {.submit_s = 1, .run_s = 200, .type = "Eval"},
                                   {.submit_s = 105, .run_s = 10},
                                   {.submit_s = 106, .run_s = 10, .type = "Debug"}});
  ChainRules rules = inferred();
  rules.same_type = false;  // then 2 would follow nobody: 1 is in the system when it comes
  EXPECT_EQ(FeedbackChains(jobs, rules).counts().links, 0U);
  const FeedbackChains chains(jobs, inferred());
  ASSERT_EQ(chains.predecessor(JobId(2)), JobId(0));
  const char* slow =
      "{cluster: {nodes: 1, gpus_per_node: 1}, policy: {order: sjf, backfill: none}}";
  const JobTable late = make_jobs({{.submit_s = 0, .run_s = 100, .recorded_start_s = 0},
                                   {.submit_s = 0, .run_s = 50, .type = "Eval"},
                                   {.submit_s = 105, .run_s = 10},
                                   {.submit_s = 140, .run_s = 10, .type = "Debug"},
                                   {.submit_s = 150, .run_s = 10, .type = "SFT"}});
  const FeedbackChains late_chains(late, inferred());
  const Simulated run = simulate(late, slow, {}, &late_chains);
  // 1 (50 s) runs first, 0 from 50 to 150; its follower comes at 155. 3 and 4 start at 150 and 160.
  EXPECT_EQ(submits_s(run), (std::vector<std::int64_t>{0, 0, 155, 140, 150}));
  EXPECT_EQ(run.jobs[3].start_ms, 150'000);
  EXPECT_EQ(run.jobs[4].start_ms, 160'000);
  EXPECT_EQ(run.jobs[2].start_ms, 170'000);
}

TEST(ChainsTest, RecordedLinksAreTakenById) {
  const JobTable jobs = make_jobs({{.submit_s = 0, .run_s = 100},
                                   {.submit_s = 7, .run_s = 5, .preceding = "0", .think_s = 20},
                                   {.submit_s = 8, .run_s = 5, .preceding = "9", .think_s = 1},
                                   {.submit_s = 9, .run_s = 5, .preceding = "4", .think_s = 1},
                                   {.submit_s = 9, .run_s = 5}});
  const FeedbackChains chains(jobs, {});
  EXPECT_TRUE(chains.counts().recorded);
  EXPECT_EQ(chains.counts().links, 1U);
  EXPECT_EQ(chains.counts().unknown, 2U);  // 9 is not there; 4 comes later
  const Simulated run =
      simulate(jobs, "{cluster: {nodes: 1, gpus_per_node: 8}, policy: {order: fifo}}", {}, &chains);
  EXPECT_EQ(submits_s(run), (std::vector<std::int64_t>{0, 120, 8, 9, 9}));
}

// Sixty trials a second apart are one act: all follow the job before them. What comes when one of
// its kind is in the system, or too late, follows nobody.
TEST(ChainsTest, InferenceSeesBatchesGapsAndWhatIsInTheSystem) {
  std::vector<TestJob> rows{{.submit_s = 0, .run_s = 100}};
  for (int i = 0; i < 60; ++i) rows.push_back({.submit_s = 200 + i, .run_s = 500});
  rows.push_back({.submit_s = 400, .run_s = 10});   // 60 of its kind are running
  rows.push_back({.submit_s = 2000, .run_s = 10});  // 759 + 1200 < 2000: too late
  rows.push_back({.submit_s = 3210, .run_s = 10});  // exactly 20 min after 2010
  const JobTable jobs = make_jobs(rows);
  const FeedbackChains chains(jobs, inferred());
  for (std::uint32_t i = 1; i <= 60; ++i) EXPECT_EQ(chains.predecessor(JobId(i)), JobId(0)) << i;
  EXPECT_FALSE(chains.follows(JobId(61)));
  EXPECT_FALSE(chains.follows(JobId(62)));
  EXPECT_EQ(chains.predecessor(JobId(63)), JobId(62));
  EXPECT_EQ(chains.counts().links, 61U);
  EXPECT_EQ(chains.followers_of(JobId(0)).size(), 60U);
}

// On an empty cluster where every job starts when the log says, chains change nothing.
TEST(ChainsTest, WithTheRecordedWaitsNothingChanges) {
  std::vector<TestJob> rows;
  for (int i = 0; i < 400; ++i) {
    rows.push_back({.submit_s = i * 37 % 4001,
                    .run_s = 1 + i * 53 % 211,
                    .gpus = 1 + static_cast<std::uint32_t>(i % 3),
                    .type = i % 2 == 0 ? "Eval" : "SFT"});
  }
  const JobTable jobs = make_jobs(rows);
  const FeedbackChains chains(jobs, inferred());
  EXPECT_GT(chains.counts().links, 20U);
  const char* large = "{cluster: {nodes: 500, gpus_per_node: 8}, policy: {order: fifo}}";
  EXPECT_EQ(simulate(jobs, large, {}, &chains).jobs, simulate(jobs, large).jobs);
}

// A follower of a job that this cluster can never hold comes when the log says.
TEST(ChainsTest, NobodyWaitsForAJobThatNeverRuns) {
  const JobTable jobs = make_jobs({{.submit_s = 0, .run_s = 100, .gpus = 9},
                                   {.submit_s = 110, .run_s = 5, .preceding = "0", .think_s = 10}});
  const FeedbackChains chains(jobs, {});
  ASSERT_TRUE(chains.follows(JobId(1)));
  const Simulated run =
      simulate(jobs, "{cluster: {nodes: 1, gpus_per_node: 8}, policy: {order: fifo}}", {}, &chains);
  EXPECT_EQ(run.jobs[1].start_ms, 110'000);
  EXPECT_EQ(run.engine.rejected, 1U);
}

}  // namespace
}  // namespace berth::test
