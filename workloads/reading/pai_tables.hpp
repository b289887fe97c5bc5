// The tables of Alibaba's PAI trace of 2020, joined: a job with what its tasks ask for and when its
// first part started. The tables have no header lines.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/core/error.hpp"
#include "workloads/reading/csv_table.hpp"

namespace berth {

// Instances that ask for the same.
struct PaiInstances {
  std::uint32_t count = 0;
  std::uint32_t gpu_milli = 0;  // of each; thousandths of a GPU
};

struct PaiJob {
  std::string name;
  std::string user;
  std::string status;
  std::optional<std::int64_t> submit_ms;  // the job table's start_time
  std::optional<std::int64_t> end_ms;
  std::uint64_t line = 0;  // of the job table
  std::string fault;       // empty: none
  Location fault_where;

  std::uint32_t tasks = 0;
  std::vector<PaiInstances> instances;        // those with GPUs, one for each amount
  bool finer_than_milli = false;              // some amount was taken to the nearest
  double cpus = 0;                            // over all instances
  double memory_mib = 0;                      // over all instances
  std::optional<std::int64_t> task_start_ms;  // the earliest
  std::optional<std::int64_t> task_end_ms;    // the latest
  std::optional<std::int64_t> instance_start_ms;
  std::string gpu_type_spec;  // the model it requires
  std::string group;
  std::string workload;
};

class PaiTables {
 public:
  // Where the tables of the trace at `path` lie: the folder, or that of the job table.
  struct Files {
    std::filesystem::path jobs;
    std::filesystem::path tasks;
    std::filesystem::path instances;  // empty: not there, as the next
    std::filesystem::path tags;
    std::vector<std::filesystem::path> all() const;
  };
  // Throws DataError where the table of jobs or of tasks is missing.
  static Files find(const std::filesystem::path& path);
  // Whether `path` is such a folder, or a job table by its name.
  static bool is_trace(const std::filesystem::path& path);

  // A row that belongs to no job of the job table: the table's name and the row's place.
  using Stray = std::function<void(const char* table, const Location& where)>;
  // A table has been read to its end.
  using Done = std::function<void(const TraceFile& file)>;

  // `stop`: as TraceOptions::stop.
  explicit PaiTables(const std::atomic<bool>* stop) : stop_(stop) {}
  // Throws DataError on what cannot be split into rows. Other faults are kept with the job.
  void read(const Files& files, const Stray& stray, const Done& done);
  std::vector<PaiJob>& jobs() { return jobs_; }

 private:
  void read_jobs(CsvTable& table);
  void read_task(CsvTable& table, PaiJob& job);
  template <class Take>
  void read_joined(const char* name, CsvTable& table, std::size_t key,
                   const std::unordered_map<std::string, std::size_t>& index, const Stray& stray,
                   Take take);

  void check_stop(std::uint64_t row) const;

  const std::atomic<bool>* stop_;
  std::vector<PaiJob> jobs_;
  std::unordered_map<std::string, std::size_t> by_name_;  // looked up, never iterated, as the next
  std::unordered_map<std::string, std::size_t> by_inst_id_;
};

}  // namespace berth
