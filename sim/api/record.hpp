// The single output of the engine: one record per change. Files, metrics and the digest are all
// folded from the same stream, so they cannot disagree, and a sink cannot influence the run.
#pragma once

#include <cstdint>
#include <span>

#include "sim/core/ids.hpp"
#include "sim/core/time.hpp"

namespace berth {

enum class RecordKind : std::uint8_t {
  kSubmitted,  // subject: job
  kStarted,    // subject: job; attempt from 1
  kFinished,   // subject: job; a: when this attempt started (ms)
  kPreempted,  // subject: job; a: when this attempt started (ms)
  kTaken,      // subject: job; a: node, b: GPUs. Follows kStarted; only if a sink asks
  kGiven,      // subject: job; a: node, b: GPUs. Before kFinished/kPreempted, and around a move
};

struct Record {
  SimTime time;
  std::int64_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t subject = 0;
  std::uint32_t attempt = 0;
  RecordKind kind = RecordKind::kSubmitted;
};
static_assert(sizeof(Record) == 32);

class RecordSink {
 public:
  virtual ~RecordSink() = default;
  // Needs kTaken and kGiven.
  virtual bool wants_placements() const { return false; }
  // In order of time, in batches.
  virtual void consume(std::span<const Record> records) = 0;
};

}  // namespace berth
