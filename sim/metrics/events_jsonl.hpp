// events.jsonl: every decision, one JSON object a line, in the order it was taken. On request.
//
//   {"time_s":12.5,"event":"started","job_id":"5778432","gpus":8,"attempt":1,"nodes":[17]}
//
// Events: submitted, started, preempted, finished, and moved (under srtf). `nodes` is left out
// under pool packing.
#pragma once

#include <filesystem>

#include "sim/api/record.hpp"
#include "sim/cluster/cluster_spec.hpp"
#include "sim/metrics/output_file.hpp"
#include "sim/workload/job_table.hpp"

namespace berth {

class EventsJsonl final : public RecordSink {
 public:
  EventsJsonl(const std::filesystem::path& path, const JobTable& jobs, const ClusterSpec& cluster);
  bool wants_placements() const override { return with_nodes_; }
  void consume(std::span<const Record> records) override;
  void finish();

 private:
  void begin_line(const Record& record, std::string_view event);
  void end_line();

  OutputFile file_;
  const JobTable& jobs_;
  bool with_nodes_;
  bool line_open_ = false;  // started or moved, whose nodes are still coming
  std::uint32_t line_subject_ = 0;
  bool any_node_ = false;
};

}  // namespace berth
