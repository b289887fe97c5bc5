// How a trace format plugs in: one file in workloads/ and one line in workloads/builtin.def.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/time_zone.hpp"
#include "sim/workload/job_table.hpp"

namespace berth {

// What to do with a row that a reader cannot make sense of, or a job without a start.
enum class RowRule : std::uint8_t { kError, kSkip };
// What to do with a row that says in every column what an earlier one said.
enum class DuplicateRule : std::uint8_t { kDrop, kKeep, kError };
// What a job that asks for a part of a GPU gets: a part (of its node's GPUs, in thousandths), each
// of its workers a GPU of its own, or nothing.
enum class FractionRule : std::uint8_t { kShare, kRoundUp, kSkip };

struct TraceOptions {
  RowRule bad_rows = RowRule::kError;
  // kSkip keeps the job as never started (it loads nothing); kError refuses the trace.
  RowRule never_started = RowRule::kSkip;
  DuplicateRule duplicates = DuplicateRule::kDrop;
  FractionRule fractional = FractionRule::kRoundUp;
  // Set from outside (a signal) to give up with Interrupted; may be null.
  const std::atomic<bool>* stop = nullptr;

  std::uint32_t parts_per_gpu() const {
    return fractional == FractionRule::kShare ? kSharedPartsPerGpu : 1;
  }
};

// What a reader saw and did: nothing is left out or mended without being counted here.
struct TraceReport {
  // So many rows met the same fate for the same reason.
  struct Verdict {
    std::string reason;  // "no end: runs until the last instant of the trace"
    std::uint64_t rows = 0;
    std::string example;  // the first one: its place (no folder), and what is special
  };
  // How a column was found to agree with others, row by row where all of them have a value.
  struct ColumnTest {
    std::string column;               // "duration"
    std::vector<Verdict> agreements;  // "end - start", "end - submit", "neither"; rows that agree
  };
  struct File {
    std::string name;         // without its folder
    std::uint64_t bytes = 0;  // as it lies on disk
    std::uint64_t hash = 0;   // XXH3-64 of those bytes; `xxhsum -H3 FILE` prints the same
  };

  std::string format;
  std::vector<File> files;       // the file itself first
  std::uint64_t bytes = 0;       // of all of them
  std::uint64_t hash = 0;        // of the file; of several: of their hashes, in order
  std::uint64_t rows = 0;        // data rows seen, the header left out
  std::uint64_t kept = 0;        // of those, the ones that are a job now
  std::vector<Verdict> dropped;  // the other rows, by reason
  std::vector<Verdict> fixed;    // of the kept rows, those that were taken to mean something else
  std::vector<ColumnTest> column_tests;
  // The clock that local times below and in the trace are meant by, and how that is known:
  // "written in the times", "option timezone", "default of the format".
  TimeZone zone = TimeZone::utc();
  std::string zone_source;
  // False: times count from an instant that the trace does not tell, so that dates mean nothing.
  bool has_dates = true;

  std::uint64_t never_started = 0;     // kept rows without a start
  std::uint64_t still_running = 0;     // kept rows with a start and no end
  std::uint64_t duration_differs = 0;  // kept rows whose recorded duration is not end - start
  bool has_starts = false;             // the trace says when its jobs started
  std::uint64_t bad_rows = 0;          // dropped by bad_rows: skip
  std::vector<std::string> bad_row_examples;  // the first few messages, each with its place
};

// Reads one trace whole.
class TraceReader {
 public:
  virtual ~TraceReader() = default;

  // Every file that read() opens for the trace at `path`.
  virtual std::vector<std::filesystem::path> files(const std::filesystem::path& path) const {
    return {path};
  }
  // Hands every row to `out`, in the order of the file, and fills `report`. Throws DataError, with
  // file:line:column and what was expected, on anything it cannot read.
  virtual void read(const std::filesystem::path& path, const TraceOptions& options,
                    JobTableBuilder& out, TraceReport& report) const = 0;
};

class ConfigNode;

class TraceFormat {
 public:
  virtual ~TraceFormat() = default;

  // Whether a file that begins so is of this format. `head`: the first bytes, unpacked, at least
  // the first line where that is not longer than 64 KiB; empty where `path` is a folder. Used by
  // `format: auto`.
  virtual bool recognises(std::string_view head, const std::filesystem::path& path) const = 0;
  // A reader with the options of `workload.trace` that the format has.
  virtual std::unique_ptr<TraceReader> reader(ConfigNode& trace) const = 0;
};

}  // namespace berth
