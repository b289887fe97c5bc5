// timeline.csv: the state of the cluster on a grid of instants.
#pragma once

#include <filesystem>

#include "sim/api/record.hpp"
#include "sim/api/task_table.hpp"
#include "sim/cluster/cluster_spec.hpp"
#include "sim/metrics/output_file.hpp"
#include "sim/workload/job_table.hpp"

namespace berth {

// A row at 0, every, 2 x every, ... up to the first grid instant at which all is over. A row holds
// the state after everything that happened up to and at its instant (not an average since the row
// before). All GPUs are up, and all allocated ones count as productive, as long as nothing fails.
class TimelineCsv final : public RecordSink {
 public:
  // More rows than this end the run with a ConfigError: the interval is too fine for the span.
  static constexpr std::int64_t kMostRows = 10'000'000;

  TimelineCsv(const std::filesystem::path& path, const JobTable& jobs, const ClusterSpec& cluster,
              Duration every);
  void consume(std::span<const Record> records) override;
  // Writes the last row and closes the file.
  void finish(SimTime end);

 private:
  void write_rows_before(SimTime time);
  void write_row();

  OutputFile file_;
  const JobTable& jobs_;
  std::uint64_t gpus_total_;  // these in parts of a GPU (JobTable::parts_per_gpu)
  Duration every_;
  SimTime next_row_{};
  std::int64_t rows_ = 0;
  std::int64_t gpus_allocated_ = 0;
  std::int64_t gpus_pending_ = 0;
  std::int64_t jobs_pending_ = 0;
  std::int64_t jobs_running_ = 0;
};

}  // namespace berth
