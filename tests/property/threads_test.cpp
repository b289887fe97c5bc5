// Runs in different threads share nothing but the immutable workload: the same runs, two at a time,
// give the same digest and the same bytes of every result file as alone. Meant for ThreadSanitizer
// too (ctest --preset tsan -L threads).
#include <gtest/gtest.h>

#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sim/experiment/run.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"

namespace berth::test {
namespace {

namespace fs = std::filesystem;

// One run a line; policies with and without randomness, both packings, all outputs.
const std::vector<std::vector<std::string>>& all_runs() {
  static const std::vector<std::vector<std::string>> runs{
      {"policy.order=fifo", "policy.backfill=none"},
      {"policy.order=sjf", "policy.backfill=greedy", "placement=spread"},
      {"policy.backfill=easy", "policy.estimates={mode: lognormal, sigma: 1}"},
      {"policy.order=srtf"},
      {"policy.order=recorded"},
      {"policy.backfill=conservative", "cluster.packing=pool",
       "policy.estimates={mode: factor, factor: 2}"},
      {"policy.backfill=conservative", "policy.conservative=replan", "cluster.packing=pool",
       "policy.reservation_depth=20"},
  };
  return runs;
}

RunSpec spec_of(const fs::path& config, const std::vector<std::string>& keys) {
  return RunSpec({config, keys});
}

struct Outcome {
  std::string digest;
  std::map<std::string, std::string> files;  // name -> bytes
  bool operator==(const Outcome&) const = default;
};

class Threads : public testing::Test {
 protected:
  void SetUp() override {
    config_ = folder_.path() / "threads.yaml";
    const fs::path trace = fs::path(BERTH_SOURCE_DIR) / "tests/golden/workloads/w200.csv";
    write_text(config_,
               "name: threads\n"
               "cluster: {nodes: 64, gpus_per_node: 8}\n"
               "workload: {trace: {format: acme, path: " +
                   trace.string() +
                   "}}\n"
                   "output: {timeline: 10min, events: true, perfetto: true}\n");
  }

  // Called in threads, hence without gtest.
  Outcome run_one(const Workload& workload, const std::vector<std::string>& keys,
                  const std::string& name) const {
    RunSpec spec = spec_of(config_, keys);
    const fs::path out = folder_.path() / name;
    Outcome outcome;
    outcome.digest = run(spec, workload, {.out = out}).digest;
    for (const auto& entry : fs::directory_iterator(out)) {
      outcome.files[entry.path().filename().string()] = read_text(entry.path());
    }
    return outcome;
  }

  std::vector<Outcome> run_all(const std::string& name, bool backwards) const {
    const std::size_t count = all_runs().size();
    std::vector<Outcome> out(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = backwards ? count - 1 - i : i;
      // Packing is a matter of the workload too; most runs share a cluster, and so a workload.
      const RunSpec spec = spec_of(config_, all_runs()[at]);
      const bool pool = spec.cluster.packing == Packing::kPool;
      out[at] = run_one(pool ? *pool_ : *gang_, all_runs()[at], name + std::to_string(at));
    }
    return out;
  }

  void load() {
    gang_.emplace(load_workload(spec_of(config_, {})));
    pool_.emplace(load_workload(spec_of(config_, {"cluster.packing=pool"})));
  }

  TempFolder folder_;
  fs::path config_;
  std::optional<Workload> gang_;
  std::optional<Workload> pool_;
};

TEST_F(Threads, TwoAtATimeGiveTheSameBytesAsAlone) {
  load();
  const std::vector<Outcome> alone = run_all("alone", false);
  for (const Outcome& outcome : alone) {
    EXPECT_EQ(outcome.files.size(), 6u) << "summary, jobs, timeline, config, events, Perfetto";
  }
  constexpr int kThreads = 2;
  std::vector<Outcome> together[kThreads];
  std::exception_ptr faults[kThreads];
  {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        try {
          // One goes forwards, one backwards, so that they also meet in the same run.
          together[t] = run_all("thread" + std::to_string(t) + "-", t == 1);
        } catch (...) {
          faults[t] = std::current_exception();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  for (int t = 0; t < kThreads; ++t) {
    if (faults[t]) std::rethrow_exception(faults[t]);
    for (std::size_t i = 0; i < alone.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "thread " << t << ", run " << i);
      EXPECT_EQ(alone[i].digest, together[t][i].digest);
      ASSERT_EQ(alone[i].files.size(), together[t][i].files.size());
      for (const auto& [file, bytes] : alone[i].files) {
        EXPECT_TRUE(bytes == together[t][i].files.at(file)) << file << " differs";
      }
    }
  }
}

// Reading the trace and the configuration at the same time, and running what was read.
TEST_F(Threads, TwoThatShareNothingAgree) {
  Outcome outcomes[2];
  std::exception_ptr faults[2];
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      try {
        const std::vector<std::string>& keys = all_runs()[2];
        const Workload workload = load_workload(spec_of(config_, keys));
        outcomes[t] = run_one(workload, keys, "own" + std::to_string(t));
      } catch (...) {
        faults[t] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& fault : faults) {
    if (fault) std::rethrow_exception(fault);
  }
  EXPECT_FALSE(outcomes[0].files.empty());
  EXPECT_TRUE(outcomes[0] == outcomes[1]);
}

}  // namespace
}  // namespace berth::test
