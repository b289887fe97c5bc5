// A trace characterised: every number by hand on a small one, and by brute force on random ones.
#include "sim/inspect/trace_profile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/temp_folder.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

// Wednesday 2023-03-01. By hand:
//   a  8 GPUs  Pretrain  00:00:00  runs 00:00:10 - 02:00:10  7200 s  57,600 GPU s  CANCELLED  ann
//   b  1 GPU   Eval      00:00:00  runs 00:00:00 - 00:00:01     1 s       1 GPU s  COMPLETED  bob
//   c  1 GPU   Eval      01:00:00  runs 01:00:02 - 01:00:05     3 s       3 GPU s  FAILED     bob
//   d  2 GPUs  Eval      23:00:00  never started                                   CANCELLED  bob
//   e  0 GPUs  CPU       23:30:00  runs 23:30:00 - 23:30:00     0 s                COMPLETED  cleo
//   f  1 GPU   Eval      2 days later, 06:00:00, for 0 s                           COMPLETED  ann
constexpr const char* kTrace =
    "job_id,user,gpu_num,type,state,submit_time,start_time,end_time,duration,queue,time_limit\n"
    "a,ann,8,Pretrain,CANCELLED,2023-03-01 00:00:00Z,2023-03-01 00:00:10Z,2023-03-01 "
    "02:00:10Z,7210,10,3600\n"
    "b,bob,1,Eval,COMPLETED,2023-03-01 00:00:00Z,2023-03-01 00:00:00Z,2023-03-01 "
    "00:00:01Z,1,0,3600\n"
    "c,bob,1,Eval,FAILED,2023-03-01 01:00:00Z,2023-03-01 01:00:02Z,2023-03-01 01:00:05Z,5,2,\n"
    "d,bob,2,Eval,CANCELLED,2023-03-01 23:00:00Z,,2023-03-01 23:59:00Z,,,\n"
    "e,cleo,0,CPU,COMPLETED,2023-03-01 23:30:00Z,2023-03-01 23:30:00Z,2023-03-01 "
    "23:30:00Z,0,0,\n"
    "f,ann,1,Eval,COMPLETED,2023-03-03 06:00:00Z,2023-03-03 06:00:00Z,2023-03-03 "
    "06:00:00Z,0,0,\n";

TraceProfile profile(const LoadedTrace& trace, const ClusterSpec* cluster = nullptr) {
  return profile_of("t", trace.table, trace.report, {}, cluster);
}

class SmallTrace : public testing::Test {
 protected:
  SmallTrace() : trace_(load_trace("acme", folder_.write("t.csv", kTrace))) {}
  TempFolder folder_;
  LoadedTrace trace_;
};

TEST_F(SmallTrace, GroupsShareJobsAndGpuTime) {
  const TraceProfile out = profile(trace_);
  EXPECT_EQ(out.jobs, 6U);
  EXPECT_EQ(out.gpu_jobs, 5U);
  EXPECT_EQ(out.cpu_jobs, 1U);
  constexpr double kAll = 57'604;
  EXPECT_DOUBLE_EQ(out.groups.gpu_hours, kAll / 3600);
  ASSERT_EQ(out.groups.types.size(), 2U);
  EXPECT_EQ(out.groups.types[0].name, "Eval");
  EXPECT_EQ(out.groups.types[0].jobs, 4U);
  EXPECT_DOUBLE_EQ(out.groups.types[0].jobs_pct, 80);
  EXPECT_DOUBLE_EQ(out.groups.types[0].gpu_time_pct, 100 * 4 / kAll);
  EXPECT_EQ(out.groups.types[1].name, "Pretrain");
  EXPECT_DOUBLE_EQ(out.groups.types[1].gpu_time_pct, 100 * 57'600 / kAll);
  // Equal counts in the order of states; CPU jobs apart.
  ASSERT_EQ(out.groups.states.size(), 3U);
  EXPECT_EQ(out.groups.states[0].name, "COMPLETED");
  EXPECT_EQ(out.groups.states[1].name, "CANCELLED");
  EXPECT_EQ(out.groups.states[2].name, "FAILED");
  EXPECT_DOUBLE_EQ(out.groups.states[2].jobs_pct, 20);
  ASSERT_EQ(out.groups.cpu_states.size(), 1U);
  EXPECT_DOUBLE_EQ(out.groups.cpu_states[0].jobs_pct, 100);
  ASSERT_EQ(out.groups.sizes.size(), 3U);
  EXPECT_EQ(out.groups.sizes[0].name, "1");
  EXPECT_EQ(out.groups.sizes[0].jobs, 3U);
  EXPECT_EQ(out.groups.sizes[2].name, "8");
  ASSERT_EQ(out.groups.users.size(), 2U);  // cleo has no GPU job
  EXPECT_EQ(out.groups.users[0].name, "bob");
  EXPECT_TRUE(out.groups.vcs.empty());
  // 10 % of two users is one: bob by jobs, ann by GPU time.
  EXPECT_DOUBLE_EQ(out.groups.user_skew[2].jobs_pct, 60);
  EXPECT_DOUBLE_EQ(out.groups.user_skew[2].gpu_time_pct, 100 * 57'600 / kAll);
}

TEST_F(SmallTrace, CurvesAreOfJobsThatRan) {
  const TraceProfile out = profile(trace_);
  ASSERT_EQ(out.curves.types.size(), 4U);  // all, Pretrain, Eval, CPU
  const TypeCurves& eval = out.curves.types[2];
  EXPECT_EQ(eval.type, "Eval");
  EXPECT_EQ(eval.run_s.count, 3U);  // 0, 1, 3 s
  EXPECT_DOUBLE_EQ(eval.run_s.min, 0);
  EXPECT_DOUBLE_EQ(eval.run_s.p25, 0.5);
  EXPECT_DOUBLE_EQ(eval.run_s.p50, 1);
  EXPECT_DOUBLE_EQ(eval.run_s.p75, 2);
  EXPECT_DOUBLE_EQ(eval.run_s.max, 3);
  EXPECT_DOUBLE_EQ(eval.run_s.mean, 4.0 / 3);
  EXPECT_DOUBLE_EQ(eval.queue_s.max, 2);
  ASSERT_EQ(eval.run_cdf.size(), 22U);
  EXPECT_DOUBLE_EQ(eval.run_cdf[0].at, 1);
  EXPECT_DOUBLE_EQ(eval.run_cdf[0].cdf_pct, 200.0 / 3);
  EXPECT_DOUBLE_EQ(eval.run_cdf[1].cdf_pct, 200.0 / 3);
  EXPECT_DOUBLE_EQ(eval.run_cdf[2].cdf_pct, 100);
  EXPECT_EQ(eval.queue_cdf.size(), 16U);
  const TypeCurves& all = out.curves.types[0];
  EXPECT_EQ(all.type, "GPU jobs");
  EXPECT_EQ(all.run_s.count, 4U);
  EXPECT_DOUBLE_EQ(all.gpu_time_s.max, 57'600);
  EXPECT_DOUBLE_EQ(all.gpus.mean, 11.0 / 4);
  EXPECT_EQ(out.curves.types[3].type, "CPU jobs");
  // Sizes of those that ran: 1 (three times), 8.
  ASSERT_EQ(out.curves.size_cdf.size(), 2U);
  EXPECT_DOUBLE_EQ(out.curves.size_cdf[0].cdf_pct, 75);
  EXPECT_DOUBLE_EQ(out.curves.gpu_time_cdf[0].cdf_pct, 400 / 57'604.0);
  EXPECT_DOUBLE_EQ(out.curves.gpu_time_cdf[1].cdf_pct, 100);
}

TEST_F(SmallTrace, ArrivalsAreCountedByTheLocalClock) {
  const TraceProfile out = profile(trace_);
  ASSERT_TRUE(out.arrivals.has_value());
  EXPECT_EQ(out.arrivals->by_hour[0], 2U);
  EXPECT_EQ(out.arrivals->by_hour[23], 2U);
  EXPECT_EQ(out.arrivals->by_hour[6], 1U);
  EXPECT_EQ(out.arrivals->days, 3U);  // Wednesday to Friday
  EXPECT_EQ(out.arrivals->by_weekday[2], 5U);
  EXPECT_EQ(out.arrivals->by_weekday[4], 1U);
  EXPECT_EQ(out.arrivals->weekdays, (std::array<std::uint64_t, 7>{0, 0, 1, 1, 1, 0, 0}));
  EXPECT_DOUBLE_EQ(out.arrivals->per_hour(23), 2.0 / 3);
  EXPECT_DOUBLE_EQ(out.arrivals->per_weekday(2), 5);
  EXPECT_EQ(out.days->days_covered, 2U);
  EXPECT_EQ(out.submissions, hours(54));
}

TEST_F(SmallTrace, LoadFollowsTheRecordedStarts) {
  const TraceProfile out = profile(trace_);
  ASSERT_TRUE(out.load.has_value());
  EXPECT_DOUBLE_EQ(out.load->peak, 9);  // a and c, from 01:00:02
  EXPECT_EQ(out.load->peak_at, hours(1) + seconds(2));
  EXPECT_EQ(out.load->until, hours(2) + seconds(10));  // f has no length
  ASSERT_EQ(out.load->mean_gpus.size(), 3U);
  EXPECT_DOUBLE_EQ(out.load->mean_gpus[0], (1 + 3590 * 8) / 3600.0);
  EXPECT_DOUBLE_EQ(out.load->mean_gpus[1], (3600 * 8 + 3) / 3600.0);
  EXPECT_DOUBLE_EQ(out.load->mean_gpus[2], 8);  // for its ten seconds
  EXPECT_DOUBLE_EQ(out.load->mean, 57'604.0 / 7210);
}

TEST_F(SmallTrace, OddThingsAreFound) {
  ClusterSpec cluster;
  cluster.groups[0].nodes = 1;
  cluster.groups[0].gpus_per_node = 4;
  const TraceProfile out = profile(trace_, &cluster);
  std::map<std::string, std::uint64_t> found;
  for (const Oddity& oddity : out.oddities) found[oddity.what] = oddity.count;
  EXPECT_EQ(found, (std::map<std::string, std::uint64_t>{
                       {"jobs that never started", 1},
                       {"GPU jobs of no length", 1},
                       {"CPU jobs of no length", 1},
                       {"rows whose duration is not end - start", 2},
                       {"jobs that ran beyond their time limit", 1},
                       {"gaps of more than 6 h without a submission", 2},  // before d and before f
                       {"days without a submission", 1},
                       {"jobs that the empty cluster cannot hold", 1}}));
  EXPECT_DOUBLE_EQ(*out.capacity, 4);
  EXPECT_DOUBLE_EQ(*out.offered_load_pct, 100 * 57'604.0 / (4 * 54 * 3600));
}

TEST_F(SmallTrace, VariabilityIsThatOfItsFormulas) {
  const TraceProfile out = profile(trace_);
  // Run times in order of submission: 7200, 1, 3, 0.
  const double runs[] = {7200, 1, 3, 0};
  double mean = 0;
  double log_mean = 0;
  for (const double run : runs) mean += run / 4, log_mean += std::log(1 + run) / 4;
  double squares = 0;
  double log_squares = 0;
  double products = 0;
  for (int i = 0; i < 4; ++i) {
    squares += std::pow(runs[i] - mean, 2) / 4;
    log_squares += std::pow(std::log(1 + runs[i]) - log_mean, 2);
    if (i > 0) {
      products += (std::log(1 + runs[i]) - log_mean) * (std::log(1 + runs[i - 1]) - log_mean);
    }
  }
  EXPECT_NEAR(out.curves.run_scv, squares / (mean * mean), 1e-12);
  EXPECT_NEAR(out.curves.run_log_lag1, products / log_squares, 1e-12);
}

// The load second by second, and every share by a plain count.
TEST(TraceProfileTest, AgreesWithBruteForce) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
    JobTableBuilder builder;
    std::vector<std::int64_t> busy(3 * 3600 + 600, 0);
    std::int64_t last_end = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> sizes;  // GPUs, run time
    const std::int64_t jobs = 1 + below(40);
    std::int64_t first = -1;
    std::vector<std::array<std::int64_t, 4>> rows;
    for (std::int64_t i = 0; i < jobs; ++i) {
      rows.push_back({below(7200), below(300), below(1800), below(5)});
    }
    for (const auto& row : rows) first = first < 0 ? row[0] : std::min(first, row[0]);
    for (const auto& [submit, wait, run, gpus] : rows) {
      JobRow job;
      job.id = "j";
      job.type = gpus == 0 ? "CPU" : "Eval";
      job.submit_unix_ms = submit * 1000;
      job.start_unix_ms = (submit + wait) * 1000;
      job.run = seconds(run);
      job.gpu_parts = static_cast<std::uint32_t>(gpus);
      builder.add(job);
      if (gpus == 0) continue;
      sizes.push_back({gpus, run});
      if (run > 0) last_end = std::max(last_end, submit + wait + run - first);
      for (std::int64_t t = 0; t < run; ++t) {
        busy[static_cast<std::size_t>(submit + wait - first + t)] += gpus;
      }
    }
    const JobTable table = builder.finish();
    if (last_end == 0) continue;
    const RecordedLoad load = recorded_load(table);
    EXPECT_EQ(load.until, seconds(last_end));
    EXPECT_EQ(load.peak, static_cast<double>(*std::ranges::max_element(busy)));
    EXPECT_EQ(load.peak_at, seconds(std::ranges::max_element(busy) - busy.begin()));
    for (std::size_t i = 0; i < load.mean_gpus.size(); ++i) {
      double sum = 0;
      double length = 0;
      for (std::size_t t = i * 3600; t < std::min<std::size_t>((i + 1) * 3600, busy.size()); ++t) {
        if (static_cast<std::int64_t>(t) >= last_end) break;
        sum += static_cast<double>(busy[t]);
        ++length;
      }
      EXPECT_NEAR(load.mean_gpus[i], sum / length, 1e-9);
    }
    const Curves curves = curves_of(table, true);
    double all = 0;
    for (const auto& [gpus, run] : sizes) all += static_cast<double>(gpus * run);
    for (const CurvePoint& point : curves.size_cdf) {
      const auto at_most = std::ranges::count_if(
          sizes, [&](const auto& s) { return static_cast<double>(s.first) <= point.at; });
      EXPECT_NEAR(point.cdf_pct,
                  100.0 * static_cast<double>(at_most) / static_cast<double>(sizes.size()), 1e-9);
    }
    for (const CurvePoint& point : curves.gpu_time_cdf) {
      double part = 0;
      for (const auto& [gpus, run] : sizes) {
        if (static_cast<double>(gpus) <= point.at) part += static_cast<double>(gpus * run);
      }
      EXPECT_NEAR(point.cdf_pct, 100 * part / all, 1e-9);
    }
    for (const CurvePoint& point : curves.types.front().run_cdf) {
      const auto at_most = std::ranges::count_if(
          sizes, [&](const auto& s) { return static_cast<double>(s.second) <= point.at; });
      EXPECT_NEAR(point.cdf_pct,
                  100.0 * static_cast<double>(at_most) / static_cast<double>(sizes.size()), 1e-9);
    }
  }
}

}  // namespace
}  // namespace berth::test
