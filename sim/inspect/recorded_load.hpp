// How many GPUs were allocated over time on the machine that the trace was taken from, by its
// recorded starts.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/workload/job_table.hpp"

namespace berth {

struct RecordedLoad {
  Duration interval{};            // of the curve: an hour, or a day for traces above ten years
  std::vector<double> mean_gpus;  // of each interval from time zero to the last end
  double mean = 0;                // from time zero to the last end
  double peak = 0;                // the most at any instant
  Duration peak_at{};             // the first instant with it, from time zero
  Duration until{};               // the last end
};

// Empty curve and zeros where no GPU job ran. REQUIRES: the trace tells its starts.
RecordedLoad recorded_load(const JobTable& jobs);

}  // namespace berth
