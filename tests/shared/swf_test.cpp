// Logs of the Parallel Workloads Archive, whole, and replayed. What is expected is counted from the
// files by awk; F stands for `grep -v '^;' FILE`.
#include <nlohmann/json.hpp>

#include "tests/shared/shared_data.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

using Swf = SharedData;
using std::chrono::seconds;

struct Sums {
  std::uint64_t processors = 0;
  std::int64_t run_s = 0;
  std::int64_t processor_s = 0;
  std::int64_t wait_s = 0;
};

Sums sums_of(const LoadedTrace& trace) {
  Sums out;
  for (const Job& job : trace.table.jobs()) {
    const std::int64_t run_s = to_ms(job.run) / 1000;
    out.processors += job.gpu_parts;
    out.run_s += run_s;
    out.processor_s += run_s * job.gpu_parts;
    out.wait_s += to_ms(job.recorded_start - job.submit) / 1000;
  }
  return out;
}

TEST_F(Swf, Hpc2nIsReadWhole) {
  const LoadedTrace trace = load_trace("swf", shared_ / "data/traces/swf/hpc2n.swf");
  // F | awk '$4!=-1{n++; p+=$8; r+=$4; a+=$4*$8; w+=$3} END{print n,p,r,a,w}'
  EXPECT_EQ(trace.report.rows, 3170U);
  EXPECT_EQ(trace.table.size(), 3145U);
  const Sums sums = sums_of(trace);
  EXPECT_EQ(sums.processors, 62449U);
  EXPECT_EQ(sums.run_s, 31853357);
  EXPECT_EQ(sums.processor_s, 502634281);
  EXPECT_EQ(sums.wait_s, 54362656);
  // F | awk '$4==-1' | wc -l: the run time of 25 is unknown; all of them have status -1.
  ASSERT_EQ(trace.report.dropped.size(), 1U);
  EXPECT_EQ(trace.report.dropped[0].rows, 25U);
  EXPECT_EQ(trace.report.dropped[0].example.substr(0, 12), "hpc2n.swf:34");
  // F | awk '$4!=-1 && $9>0 && $4>$9' | wc -l
  std::uint64_t beyond = 0;
  for (const Job& job : trace.table.jobs()) beyond += job.run > job.time_limit ? 1 : 0;
  EXPECT_EQ(beyond, 320U);
  // The header's StartTime: Sun Jul 28 09:04:05 CEST 2002, the submission of job 1.
  EXPECT_EQ(trace.table.epoch_unix_ms(), 1'027'839'845'000);
  EXPECT_EQ(trace.id(0), "1");
  EXPECT_EQ(trace[0].gpu_parts, 30U);
  EXPECT_EQ(trace[0].run, seconds(31'405));
  EXPECT_EQ(trace[0].recorded_start, SimTime(seconds(308'434)));
}

TEST_F(Swf, TheSmallOnesAreReadWhole) {
  const LoadedTrace cqsim = load_trace("swf", shared_ / "data/traces/swf/cqsim_test.swf");
  EXPECT_EQ(cqsim.table.size(), 9U);
  EXPECT_EQ(sums_of(cqsim).processor_s, 1040000);
  // Without any header.
  const LoadedTrace accasim = load_trace("swf", shared_ / "data/traces/swf/accasim_workload.swf");
  EXPECT_EQ(accasim.table.size(), 25U);
  EXPECT_EQ(sums_of(accasim).processor_s, 6851022);
  EXPECT_FALSE(accasim.report.has_dates);
  EXPECT_EQ(accasim[0].memory_mib, 12'800U);  // 16 x 819200 KiB
}

// Under the recorded order every job starts when it did on the real machine, for 240 processors
// were enough for it; first come first served accounts for every job.
TEST_F(Swf, Hpc2nReplays) {
  const TempFolder folder;
  folder.write("run.yaml",
               "cluster: {nodes: 120, gpus_per_node: 2, packing: pool}\n"
               "workload: {trace: {path: " +
                   (shared_ / "data/traces/swf/hpc2n.swf").string() + "}}\n");
  for (const char* policy : {"policy={order: fifo, backfill: easy, estimates: {mode: limit}}",
                             "policy={order: sjf}", "policy={order: recorded}"}) {
    const ProcessResult result =
        run_berth({"run", "run.yaml", "--out", "out", "--set", policy}, {.folder = folder.path()});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto summary = nlohmann::json::parse(read_text(folder.path() / "out/summary.json"));
    EXPECT_EQ(summary["trace"]["format"], "swf");
    EXPECT_EQ(summary["jobs"]["submitted"], 3145);
    EXPECT_EQ(summary["jobs"]["finished"], 3145);
    // Processor-hours of all jobs, whatever the order.
    EXPECT_NEAR(summary["metrics"]["all"]["allocated_gpu_h"].get<double>(), 502634281 / 3600.0,
                1e-3);
  }
}

}  // namespace
}  // namespace berth::test
