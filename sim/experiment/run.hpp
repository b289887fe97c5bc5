// One simulation from a configuration to a result folder.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

#include "sim/experiment/spec.hpp"
#include "sim/experiment/workload.hpp"
#include "sim/metrics/summary.hpp"

namespace berth {

struct RunOptions {
  std::optional<std::filesystem::path> out;  // default: results/NAME-SHORT_HASH
  const std::atomic<bool>* stop = nullptr;   // set by a signal
  RecordSink* observer = nullptr;            // sees every record; for progress
};

struct RunResult {
  std::filesystem::path folder;
  Summary summary;
  std::string digest;
};

// Simulates `workload` as `spec` says and writes the results. Runs in different threads share
// nothing. Throws OutputError, Interrupted, or what a policy throws; then nothing is left behind.
// REQUIRES: `spec` was not run before (its policies hold state).
RunResult run(RunSpec& spec, const Workload& workload, const RunOptions& options);

// "0.1.0"
std::string version();

}  // namespace berth
