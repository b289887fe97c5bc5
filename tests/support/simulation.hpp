// Running a few jobs through a policy in a test, without files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/api/record.hpp"
#include "sim/engine/engine.hpp"
#include "sim/experiment/spec.hpp"
#include "sim/metrics/job_outcomes.hpp"
#include "sim/workload/job_table.hpp"

namespace berth::test {

struct TestJob {
  std::int64_t submit_s = 0;
  std::int64_t run_s = 0;
  std::uint32_t gpus = 1;
  std::uint32_t cpus = 0;
  std::string type = "Other";
  std::int64_t recorded_start_s = -1;  // default: at submission
  std::string preceding = {};          // id of the job that it followed
  std::int64_t think_s = 0;
};

// In the order given; ids "0", "1", ...
JobTable make_jobs(const std::vector<TestJob>& jobs);

struct SimulatedJob {
  std::int64_t start_ms = -1;
  std::int64_t end_ms = -1;
  std::int64_t submit_ms = -1;
  std::uint32_t preemptions = 0;
  bool operator==(const SimulatedJob&) const = default;
};

struct Simulated {
  std::vector<SimulatedJob> jobs;  // in queue order
  std::uint64_t digest = 0;
  EngineResult engine;
};

// Runs `jobs` as `yaml` says: a flow map with the keys cluster, policy, placement, e.g.
// "{cluster: {nodes: 4, gpus_per_node: 8}, policy: {order: sjf}}". `sinks` see every record.
Simulated simulate(const JobTable& jobs, const std::string& yaml,
                   const std::vector<RecordSink*>& sinks = {},
                   const FeedbackChains* chains = nullptr);

}  // namespace berth::test
