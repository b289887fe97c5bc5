// Gathers records and hands them to the sinks in batches, so that a record costs a store and not a
// virtual call a sink.
#pragma once

#include <vector>

#include "sim/api/record.hpp"

namespace berth {

class RecordLog {
 public:
  explicit RecordLog(std::vector<RecordSink*> sinks) : sinks_(std::move(sinks)) {
    batch_.reserve(kBatch);
    for (const RecordSink* sink : sinks_) wants_placements_ |= sink->wants_placements();
  }
  bool wants_placements() const { return wants_placements_; }
  void emit(const Record& record) {
    batch_.push_back(record);
    if (batch_.size() == kBatch) flush();
  }
  void flush() {
    if (batch_.empty()) return;
    for (RecordSink* sink : sinks_) sink->consume(batch_);
    batch_.clear();
  }

 private:
  static constexpr std::size_t kBatch = 4096;
  std::vector<RecordSink*> sinks_;
  std::vector<Record> batch_;
  bool wants_placements_ = false;
};

}  // namespace berth
