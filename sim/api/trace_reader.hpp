// How a trace format plugs in: one file in workloads/ and one line in workloads/formats.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/workload/job_table.hpp"

namespace berth {

// What to do with a row that a reader cannot make sense of, or a job without a start.
enum class RowRule : std::uint8_t { kError, kSkip };

struct TraceOptions {
  RowRule bad_rows = RowRule::kError;
  // kSkip keeps the job as never started (it loads nothing); kError refuses the trace.
  RowRule never_started = RowRule::kSkip;
  // Set from outside (a signal) to give up with Interrupted; may be null.
  const std::atomic<bool>* stop = nullptr;
};

// What a reader saw and did: nothing is dropped or mended without being counted here.
struct TraceReport {
  std::string format;
  std::uint64_t bytes = 0;          // of the file, as it lies on disk
  std::uint64_t hash = 0;           // XXH3-64 of those bytes; `xxhsum -H3 FILE` prints the same
  std::uint64_t rows = 0;           // data rows seen, the header left out
  std::uint64_t bad_rows = 0;       // left out, by bad_rows: skip
  std::uint64_t never_started = 0;  // rows without a start
  std::uint64_t still_running =
      0;  // rows with a start and no end: run until the trace's last instant
  std::uint64_t duration_differs = 0;         // rows whose `duration` is not end - start
  std::vector<std::string> bad_row_examples;  // the first few messages, each with its place
};

// Reads one trace file whole.
class TraceReader {
 public:
  virtual ~TraceReader() = default;
  // Hands every row of `file` to `out`, in the order of the file, and fills `report`. Throws
  // DataError, with file:line:column and what was expected, on anything it cannot read.
  virtual void read(const std::filesystem::path& file, const TraceOptions& options,
                    JobTableBuilder& out, TraceReport& report) const = 0;
};

}  // namespace berth
