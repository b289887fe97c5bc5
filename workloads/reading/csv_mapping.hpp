// Which column of a table says what of a job: the options of `format: csv`, typed and checked.
//
//   columns: {submit: timestamp, duration: duration, gpus: num_gpus, vc: cluster}
//   constants: {type: Other, state: COMPLETED}   # as if it stood in every row
//   units: {duration: s, memory: GiB}
//   time_format: iso                              # unix, unix_ms, seconds, or "%d/%m/%Y %H:%M"
//   timezone: America/Los_Angeles
//   delimiter: comma
//   quotes: true
//   header: true                                  # false: columns by number, from 1
//   missing: [None, "-1"]                         # values that stand for no value
//   states: {Pass: COMPLETED, Killed: CANCELLED}
//   types: {train: Pretrain}
//
// docs/formats/csv.md tells what each means.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/api/registry.hpp"
#include "sim/config/config_node.hpp"
#include "sim/core/time.hpp"
#include "sim/core/time_zone.hpp"
#include "sim/workload/job_table.hpp"
#include "workloads/reading/csv_rows.hpp"
#include "workloads/reading/time_pattern.hpp"

namespace berth {

enum class CsvField : std::uint8_t {
  kId,
  kName,
  kUser,
  kAccount,
  kVc,
  kType,
  kState,
  kPriority,
  kGpuModel,
  kSubmit,
  kStart,
  kEnd,
  kDuration,
  kQueue,
  kTimeLimit,
  kGpus,
  kGpusPerWorker,
  kWorkers,
  kCpus,
  kCpusPerWorker,
  kMemory,
  kMemoryPerWorker,
};
inline constexpr std::size_t kCsvFields = static_cast<std::size_t>(CsvField::kMemoryPerWorker) + 1;

struct CsvMapping {
  enum class TimeFormat : std::uint8_t { kIso, kUnix, kUnixMs, kSeconds, kPattern };
  // A table by field.
  template <class T>
  struct ByField : std::array<T, kCsvFields> {
    using std::array<T, kCsvFields>::operator[];
    T& operator[](CsvField field) { return (*this)[static_cast<std::size_t>(field)]; }
    const T& operator[](CsvField field) const { return (*this)[static_cast<std::size_t>(field)]; }
  };

  CsvDialect dialect;
  bool header = true;
  // The column of each field: its name, or without a header its number, from 1. Empty: none.
  ByField<std::string> columns;
  ByField<std::optional<std::string>> constants;
  TimeFormat time_format = TimeFormat::kIso;
  std::optional<TimePattern> pattern;
  std::optional<TimeZone> zone;
  // What one of each is.
  Duration duration_unit{};
  Duration queue_unit{};
  Duration time_limit_unit{};
  double memory_unit_mib = 1;
  std::uint32_t gpu_unit_milli = 1000;
  std::uint32_t cpu_unit_milli = 1000;
  std::vector<std::string> missing;
  std::map<std::string, JobState, std::less<>> states;
  std::map<std::string, std::string, std::less<>> types;

  bool has_column(CsvField field) const { return !columns[field].empty(); }
  bool has(CsvField field) const { return has_column(field) || constants[field].has_value(); }
};

// The word that YAML has for a field: "gpus_per_worker".
std::string_view name(CsvField field);

// The state of that name (COMPLETED, ...), or none.
std::optional<JobState> state_of(std::string_view name);
const std::vector<std::string>& state_names();

// Reads the options from `workload.trace`; findings go to its reader.
CsvMapping read_csv_mapping(ConfigNode& trace);

std::vector<OptionHelp> csv_options();

}  // namespace berth
