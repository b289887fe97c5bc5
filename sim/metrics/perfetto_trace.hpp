// trace.perfetto.json: opens in the Perfetto viewer (ui.perfetto.dev) and in chrome://tracing.
// A process a node, with a track for each job that runs there side by side; a slice a job and node;
// the queue and the allocated GPUs as counters. On request.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/api/record.hpp"
#include "sim/cluster/cluster_spec.hpp"
#include "sim/metrics/output_file.hpp"
#include "sim/workload/job_table.hpp"

namespace berth {

class PerfettoTrace final : public RecordSink {
 public:
  PerfettoTrace(const std::filesystem::path& path, const JobTable& jobs,
                const ClusterSpec& cluster);
  bool wants_placements() const override { return true; }
  void consume(std::span<const Record> records) override;
  void finish();

 private:
  // A job on a node: its track there, and since when.
  struct Slice {
    std::uint32_t subject;
    std::uint32_t track;
    SimTime since;
  };
  void name_processes(const ClusterSpec& cluster);
  void open_slice(const Record& record);
  void close_slice(const Record& record);
  void count(const Record& record);
  void write_counters();
  void begin_event();

  OutputFile file_;
  const JobTable& jobs_;
  std::vector<std::vector<Slice>> open_;  // by node
  bool any_event_ = false;
  SimTime counted_at_{};
  bool counters_changed_ = false;
  std::int64_t jobs_pending_ = 0;
  std::int64_t gpus_allocated_ = 0;
};

}  // namespace berth
