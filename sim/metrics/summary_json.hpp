// summary.json: the identity of a run and its metrics, units in the keys.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "sim/api/trace_reader.hpp"
#include "sim/cluster/cluster_spec.hpp"
#include "sim/metrics/submission_days.hpp"
#include "sim/metrics/summary.hpp"

namespace berth {

// What a run was: enough to say whether two results may be compared.
struct RunIdentity {
  std::string name;
  std::string version;
  std::uint64_t seed = 0;
  std::string config_hash;  // of the resolved configuration, paths replaced by content hashes
  std::string digest;       // of the decisions
};

// What was read, and what was done to it before it was simulated.
struct WorkloadIdentity {
  const TraceReport& trace;
  const SubmissionDays* days;               // of the trace as read; null: it has no dates
  std::span<const std::string> transforms;  // a line each, in order
  const std::string& feedback;              // a line, or empty: open
};

// Throws OutputError. Texts that are not UTF-8 are written with U+FFFD in place of the bad bytes.
void write_summary_json(const std::filesystem::path& path, const RunIdentity& identity,
                        const WorkloadIdentity& workload, const ClusterSpec& cluster,
                        const Summary& summary);

}  // namespace berth
