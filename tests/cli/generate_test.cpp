// berth generate: profiles with a fault in each, and what docs/generate.md says of when jobs come
// and who submits them, on a full-length Kalos. Bounds are those of the profile, by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

namespace fs = std::filesystem;

std::string kalos_profile() {
  return read_text(fs::path(BERTH_SOURCE_DIR) / "configs/workloads/kalos.yaml");
}

struct Fault {
  const char* from;  // in configs/workloads/kalos.yaml, the first time
  const char* to;
  const char* said;
};

TEST(Generate, RefusesFaultyProfiles) {
  for (const Fault& fault : {
           Fault{"schema: kalos", "schema: philly", "schema: \"philly\" is not one of"},
           Fault{"gpus: 2416", "gpus: 0", "cluster.gpus: 0 is out of range"},
           Fault{"first: \"2023-05-17 11:00:58\"", "first: \"2023-02-30 11:00:58\"",
                 "period.first: \"2023-02-30 11:00:58\" is not a time"},
           Fault{"last: \"2023-08-16 15:18:02\"", "last: \"2023-05-17 11:30:00\"",
                 "period.last: must be an hour or more after period.first"},
           Fault{"gpu_jobs: 19907", "gpu_job: 19907", "(did you mean \"gpu_jobs\"?)"},
           Fault{"gpu_jobs: 19907", "gpu_jobs: many", "published.gpu_jobs"},
           Fault{"longest_run_s: 625740", "longest_run_s: -1", "published.longest_run_s"},
           Fault{"[86.281, 88.356, 88.356,", "[86.281, 88.356, 80,",
                 "a cumulative curve must not fall"},
           Fault{"98.94, 98.96, 100]", "98.94, 98.96, 99]", "the curve must end at 100 %"},
           Fault{"gpus: [1, 2, 7, 8, 15,", "gpus: [1, 2, 8, 7, 15,", "GPU counts must rise"},
           Fault{"gpus: [1, 2, 7, 8, 15,", "gpus: [1, 2, 7, 8,", "values for 21 GPU counts"},
           Fault{"gpu_quartiles: [256, 512, 512]", "gpu_quartiles: [512, 256, 512]",
                 "three GPU counts that do not fall"},
           Fault{"gpu_quartiles: [256, 512, 512]", "gpu_quartiles: [257, 512, 512]",
                 "257 is not one of fitted.sizes"},
           Fault{"fewest_gpus: 96", "fewest_gpus: 2000", "none of fitted.sizes is so large"},
           Fault{"blocks: [1024, 512]", "blocks: [2048, 512]", "the teams hold 2560 GPUs together"},
           Fault{"by_weekday: [10, 10, 10, 10, 10, 6, 6]", "by_weekday: [10, 10]",
                 "by_weekday: 7 relative rates"},
           Fault{"users: 150", "users: 0", "assumed.users: 0 is out of range"},
           Fault{"    Eval:\n", "    Evla:\n", "(did you mean \"Eval\"?)"},
       }) {
    SCOPED_TRACE(fault.to);
    std::string text = kalos_profile();
    const std::size_t at = text.find(fault.from);
    ASSERT_NE(at, std::string::npos) << fault.from;
    text.replace(at, std::string(fault.from).size(), fault.to);
    const TempFolder folder;
    const fs::path profile = folder.write("profile.yaml", text);
    const ProcessResult result =
        run_berth({"generate", profile.string(), "--out", "t.csv"}, {.folder = folder.path()});
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_NE(result.err.find(fault.said), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("profile.yaml:"), std::string::npos) << result.err;
    EXPECT_FALSE(fs::exists(folder.path() / "t.csv"));
  }
}

class GeneratedKalos : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder;
    const ProcessResult made =
        run_berth({"generate", "kalos", "--out", "kalos.csv"}, {.folder = folder_->path()});
    ASSERT_EQ(made.status, 0) << made.err;
    trace_ = new LoadedTrace(load_trace("acme", folder_->path() / "kalos.csv"));
  }
  static void TearDownTestSuite() {
    delete trace_;
    delete folder_;
    trace_ = nullptr;
    folder_ = nullptr;
  }
  static bool is(const Job& job, const char* type) { return trace_->table.type_of(job) == type; }

  static TempFolder* folder_;
  static LoadedTrace* trace_;
};
TempFolder* GeneratedKalos::folder_ = nullptr;
LoadedTrace* GeneratedKalos::trace_ = nullptr;

// The teams hold 1,024 + 512 GPUs, and each submits its next run when the last has ended: from
// submission to end, pretraining never asks for more than that together.
TEST_F(GeneratedKalos, PretrainingNeverQueuesBehindItself) {
  std::map<SimTime, std::int64_t> change;
  for (const Job& job : trace_->table.jobs()) {
    if (!is(job, "Pretrain")) continue;
    change[job.submit] += job.gpu_parts;
    change[job.recorded_start + job.run] -= job.gpu_parts;
  }
  std::int64_t asked = 0;
  std::int64_t most = 0;
  for (const auto& [time, by] : change) most = std::max(most, asked += by);
  EXPECT_LE(most, 1536);
  EXPECT_GE(most, 1024);
}

// So a replay on the cluster alone lets pretraining start at once under plain FIFO.
TEST_F(GeneratedKalos, PretrainingAloneDoesNotWait) {
  folder_->write("run.yaml",
                 "cluster: {nodes: 192, gpus_per_node: 8}\n"  // 1,536 GPUs
                 "workload: {trace: {path: kalos.csv}, transforms: [filter: {types: [Pretrain]}]}\n"
                 "policy: {order: fifo, backfill: none}\n");
  const ProcessResult run =
      run_berth({"run", "run.yaml", "--out", "out"}, {.folder = folder_->path()});
  ASSERT_EQ(run.status, 0) << run.err;
  const LoadedTrace replayed = load_trace("csv", folder_->path() / "out/jobs.csv", {},
                                          "{time_format: seconds, columns: {id: job_id, submit: "
                                          "submit_s, start: start_s, end: end_s, gpus: gpus}}");
  // 641 of 19,899 jobs whose type is published, of 19,907 here: 641.3.
  ASSERT_NEAR(static_cast<double>(replayed.table.size()), 641.3, 1);
  for (const Job& job : replayed.table.jobs()) EXPECT_EQ(job.recorded_start, job.submit);
}

// Trials of one user, at most 2 s apart: about sixty to a campaign. 256 GPUs at most together, so
// that campaigns of large trials are shorter.
TEST_F(GeneratedKalos, EvaluationsComeInCampaigns) {
  std::map<std::string, SimTime> last;
  std::size_t trials = 0;
  std::size_t campaigns = 0;
  for (const Job& job : trace_->table.jobs()) {
    if (!is(job, "Eval")) continue;
    const std::string& user = trace_->table.user_of(job);
    const auto at = last.find(user);
    if (at == last.end() || job.submit - at->second > std::chrono::seconds(2)) ++campaigns;
    last[user] = job.submit;
    ++trials;
  }
  EXPECT_NEAR(static_cast<double>(trials), 18'471.0 * 19'907 / 19'899, 1);
  const double each = static_cast<double>(trials) / static_cast<double>(campaigns);
  EXPECT_GT(each, 40);
  EXPECT_LT(each, 80);
}

// Rates in the profile: 100 at 15 o'clock, 22 at 4; a day of the weekend 6, of the week 10.
TEST_F(GeneratedKalos, DayAndWeekShow) {
  std::array<double, 24> hours{};
  std::array<double, 7> days{};
  for (const Job& job : trace_->table.jobs()) {
    const std::int64_t local_s =
        (trace_->table.epoch_unix_ms() + to_ms(job.submit)) / 1000 + 8 * 3600;
    ++hours[static_cast<std::size_t>(local_s / 3600 % 24)];
    ++days[static_cast<std::size_t>((local_s / 86'400 + 3) % 7)];  // 1970 began on a Thursday
  }
  EXPECT_NEAR(hours[15] / hours[4], 100.0 / 22, 1.5);
  const double week = (days[0] + days[1] + days[2] + days[3] + days[4]) / 5;
  EXPECT_NEAR((days[5] + days[6]) / 2 / week, 0.6, 0.12);
}

// User k is drawn in proportion to 1 / (k + 1): of 150 the first 15 have H(15) / H(150) = 59 %.
TEST_F(GeneratedKalos, FewUsersSubmitMost) {
  std::map<std::string, std::size_t> jobs;
  std::size_t all = 0;
  for (const Job& job : trace_->table.jobs()) {
    if (is(job, "Pretrain")) continue;
    ++jobs[trace_->table.user_of(job)];
    ++all;
  }
  std::vector<std::size_t> counts;
  for (const auto& [user, count] : jobs) counts.push_back(count);
  std::ranges::sort(counts, std::greater());
  ASSERT_GE(counts.size(), 100U);
  std::size_t first = 0;
  for (std::size_t i = 0; i < 15; ++i) first += counts[i];
  EXPECT_NEAR(static_cast<double>(first) / static_cast<double>(all), 0.59, 0.1);
}

}  // namespace
}  // namespace berth::test
