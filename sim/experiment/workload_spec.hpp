// The `workload` section, typed: which trace, by which rules, and what is done to it.
//
//   workload:
//     trace: {format: auto, path: jobs.csv}   # and the options of the format
//     bad_rows: error          # error | skip
//     never_started: skip      # skip: they keep their row and load nothing | error
//     duplicates: drop         # drop | keep | error
//     fractional: round_up     # round_up | share | skip
//     oversized: error         # error | skip: jobs that the empty cluster cannot hold
//     transforms: []           # in order; see berth list transforms
//     feedback: open           # open: submissions as in the log | chains: see feedback_chains.hpp
//     chains: {source: auto, longest_gap: 20min, batch: 1min, same: [type, gpus]}
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/api/registries.hpp"
#include "sim/config/config_node.hpp"
#include "sim/workload/feedback_chains.hpp"

namespace berth {

struct WorkloadSpec {
  std::string format;  // as found, where the configuration says auto
  std::filesystem::path path;
  std::unique_ptr<TraceReader> reader;
  std::vector<std::unique_ptr<WorkloadTransform>> transforms;
  TraceOptions options;
  RowRule oversized = RowRule::kError;
  std::optional<ChainRules> chains;  // empty: feedback is open

  // Every file that is read.
  std::vector<std::filesystem::path> files() const;
};

// Findings go to the node's reader. Throws DataError where `format: auto` cannot read the trace or
// knows no such format. `registries` must live as long as the result.
WorkloadSpec read_workload(ConfigNode node, const Registries& registries, std::uint64_t seed);

}  // namespace berth
