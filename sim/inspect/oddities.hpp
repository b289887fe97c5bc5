// What in a trace is strange enough to be looked at before its results are believed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/api/trace_reader.hpp"
#include "sim/cluster/cluster_spec.hpp"
#include "sim/metrics/submission_days.hpp"

namespace berth {

struct Oddity {
  std::string what;  // "GPU jobs of no length"
  std::uint64_t count = 0;
  std::string example;  // the first one; may be empty
};

// Only those that occur. What the reader dropped or took to mean something else is told by its
// verdicts and not again here.
std::vector<Oddity> oddities_of(const JobTable& jobs, const TraceReport& report,
                                const SubmissionDays* days, const ClusterSpec* cluster);

}  // namespace berth
