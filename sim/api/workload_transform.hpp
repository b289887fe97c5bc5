// How a transform of the workload plugs in: one file in workloads/transforms/ and one line in
// workloads/builtin.def.
//
//   workload:
//     transforms:                       # in this order
//       - window: {from: 7d, to: 14d}
//       - scale_arrivals: {factor: 2}
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/api/registry.hpp"
#include "sim/api/trace_reader.hpp"
#include "sim/workload/job_table.hpp"

namespace berth {

class ConfigNode;

// What a transform's factory may use.
struct TransformContext {
  std::uint64_t seed;
  std::size_t position;  // in the list, from 0: two equal transforms draw different numbers
  const TraceOptions& options;
  const Registry<TraceFormat>& formats;
};

class WorkloadTransform {
 public:
  virtual ~WorkloadTransform() = default;
  // Changes the rows, which are in queue order and whose times are absolute, and returns what it
  // did as a line for people: "window: kept 1204 of 5000 jobs". They need not be in order, nor any
  // be left, afterwards. Throws DataError.
  virtual std::string apply(JobTableBuilder& rows) const = 0;
  // What it reads besides.
  virtual std::vector<std::filesystem::path> files() const { return {}; }
};

using TransformRegistry = Registry<WorkloadTransform, ConfigNode&, const TransformContext&>;

}  // namespace berth
