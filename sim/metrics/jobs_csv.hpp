// jobs.csv: a line for each accepted job, in queue order.
#pragma once

#include <filesystem>

#include "sim/api/shaped_jobs.hpp"
#include "sim/metrics/job_outcomes.hpp"

namespace berth {

// Columns and units are those of interface.md. A job that never started has empty times and its
// recorded state; one that was left waiting or unfinished has the state PENDING or UNFINISHED.
// `nodes` is how many nodes the job lies on (under pool packing: would fill). Jobs that the cluster
// can never hold are left out.
void write_jobs_csv(const std::filesystem::path& path, const ShapedJobs& workload,
                    const JobOutcomes& outcomes);

}  // namespace berth
