// The fingerprint of a run: every submission, start, preemption and end, with its instant. Where a
// job ran is left out, so that asking for more outputs does not change it.
#pragma once

#include <span>

#include "sim/api/record.hpp"
#include "sim/core/digest.hpp"

namespace berth {

class DigestSink final : public RecordSink {
 public:
  void consume(std::span<const Record> records) override {
    for (const Record& record : records) {
      if (record.kind == RecordKind::kTaken || record.kind == RecordKind::kGiven) continue;
      digest_.add(static_cast<std::uint64_t>(to_ms(record.time)));
      digest_.add(static_cast<std::uint64_t>(record.kind) << 32u | record.subject);
    }
  }
  std::uint64_t value() const { return digest_.value(); }

 private:
  Digest digest_;
};

}  // namespace berth
