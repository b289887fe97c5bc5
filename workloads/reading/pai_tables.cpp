#include "workloads/reading/pai_tables.hpp"

#include <algorithm>
#include <array>

#include "workloads/reading/number.hpp"
#include "workloads/reading/units.hpp"

namespace berth {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kJobTable = "pai_job_table";

enum JobColumn : std::size_t { kJobName, kInstId, kUser, kStatus, kStartTime, kEndTime };
enum TaskColumn : std::size_t {
  kTaskJob,
  kTaskName,
  kInstNum,
  kTaskStatus,
  kTaskStart,
  kTaskEnd,
  kPlanCpu,
  kPlanMem,
  kPlanGpu,
  kGpuType,
};
enum InstanceColumn : std::size_t {
  kInstanceJob,
  kInstanceStart = 6,
};
enum TagColumn : std::size_t { kTagInstId, kTagUser, kGpuTypeSpec, kGroup, kWorkload };

const std::vector<std::string> kJobNames{"job_name", "inst_id",    "user",
                                         "status",   "start_time", "end_time"};
const std::vector<std::string> kTaskNames{"job_name",   "task_name", "inst_num", "status",
                                          "start_time", "end_time",  "plan_cpu", "plan_mem",
                                          "plan_gpu",   "gpu_type"};
const std::vector<std::string> kInstanceNames{"job_name",    "task_name", "inst_name",
                                              "worker_name", "inst_id",   "status",
                                              "start_time",  "end_time",  "machine"};
const std::vector<std::string> kTagNames{"inst_id", "user", "gpu_type_spec", "group", "workload"};

// The table in `folder`, plain or packed; empty if there is none.
fs::path table_in(const fs::path& folder, std::string_view name) {
  std::error_code error;
  for (const char* ending : {".csv", ".csv.gz", ".csv.zst"}) {
    fs::path path = folder / (std::string(name) + ending);
    if (fs::is_regular_file(path, error)) return path;
  }
  return {};
}

// Seconds; false on a fault, which the table then has.
bool read_time(CsvTable& table, std::size_t column, std::optional<std::int64_t>& out) {
  if (table.value(column).empty()) return true;
  Duration since{};
  if (!table.seconds(column, since)) return false;
  out = to_ms(since);
  return true;
}

void keep_fault(const CsvTable& table, PaiJob& job) {
  if (!job.fault.empty()) return;
  job.fault = table.fault();
  job.fault_where = table.fault_place();
}

void keep_earliest(std::optional<std::int64_t>& kept, const std::optional<std::int64_t>& found) {
  if (found && (!kept || *found < *kept)) kept = found;
}

void keep_latest(std::optional<std::int64_t>& kept, const std::optional<std::int64_t>& found) {
  if (found && (!kept || *found > *kept)) kept = found;
}

}  // namespace

std::vector<fs::path> PaiTables::Files::all() const {
  std::vector<fs::path> out{jobs, tasks};
  if (!instances.empty()) out.push_back(instances);
  if (!tags.empty()) out.push_back(tags);
  return out;
}

bool PaiTables::is_trace(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return !table_in(path, kJobTable).empty();
  return path.filename().string().starts_with(kJobTable);
}

PaiTables::Files PaiTables::find(const fs::path& path) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  const fs::path folder = is_folder ? path : path.parent_path();
  Files out{is_folder ? table_in(folder, kJobTable) : path, table_in(folder, "pai_task_table"),
            table_in(folder, "pai_instance_table"), table_in(folder, "pai_group_tag_table")};
  if (out.jobs.empty()) {
    throw DataError(Location{path.string(), 0, 0}, "there is no pai_job_table.csv in this folder");
  }
  if (out.tasks.empty()) {
    throw DataError(Location{path.string(), 0, 0},
                    "there is no pai_task_table.csv beside pai_job_table.csv; it tells the GPUs");
  }
  return out;
}

void PaiTables::check_stop(std::uint64_t row) const {
  if (row % 4096 != 0 || stop_ == nullptr || !stop_->load(std::memory_order_relaxed)) return;
  throw Interrupted("interrupted while reading the tables of the trace");
}

void PaiTables::read_jobs(CsvTable& table) {
  table.no_header();
  while (table.next()) {
    check_stop(table.line());
    PaiJob job;
    job.line = table.line();
    std::string_view name;
    std::string_view inst_id;
    std::string_view user;
    std::string_view status;
    bool fine = table.has_width();
    if (fine && job.line == 1 && table.value(kJobName) == "job_name") continue;  // .header in front
    fine = fine && table.required_text(kJobName, name, "a name") && table.text(kInstId, inst_id) &&
           table.text(kUser, user) && table.text(kStatus, status) &&
           read_time(table, kStartTime, job.submit_ms) && read_time(table, kEndTime, job.end_ms);
    job.name = name;
    job.user = user;
    job.status = status;
    if (fine) {
      const auto [first, is_new] = by_name_.emplace(job.name, jobs_.size());
      if (!is_new) {
        fine = table.fault(kJobName, "job_name " + shown(name) +
                                         " stands a second time; the first "
                                         "is on line " +
                                         std::to_string(jobs_[first->second].line));
      } else if (!inst_id.empty()) {
        by_inst_id_.emplace(inst_id, jobs_.size());
      }
    }
    if (!fine) keep_fault(table, job);
    jobs_.push_back(std::move(job));
  }
}

void PaiTables::read_task(CsvTable& table, PaiJob& job) {
  ++job.tasks;
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> end;
  double cpu_percent = 0;
  double memory_gib = 0;
  const auto count = parse_count(table.value(kInstNum));
  if (!count) {
    table.unexpected(kInstNum, kExpectedCount);
    return keep_fault(table, job);
  }
  const std::string_view gpu = table.value(kPlanGpu);
  const auto milli = parse_thousandths(gpu.empty() ? "0" : gpu, 10);
  if (!milli || milli->count > 1'000'000) {
    table.unexpected(kPlanGpu, "a percentage of a GPU from 0 to 100000");
    return keep_fault(table, job);
  }
  if (!table.amount(kPlanCpu, cpu_percent) || !table.amount(kPlanMem, memory_gib) ||
      !read_time(table, kTaskStart, start) || !read_time(table, kTaskEnd, end)) {
    return keep_fault(table, job);
  }
  job.cpus += cpu_percent / 100 * *count;
  job.memory_mib += memory_gib * 1024 * *count;
  keep_earliest(job.task_start_ms, start);
  keep_latest(job.task_end_ms, end);
  if (milli->count == 0 || *count == 0) return;
  job.finer_than_milli |= milli->rounded;
  const auto each = static_cast<std::uint32_t>(milli->count);
  const auto same = std::ranges::find(job.instances, each, &PaiInstances::gpu_milli);
  if (same == job.instances.end()) {
    job.instances.push_back({*count, each});
  } else if (same->count > kLargestCount - *count) {
    table.fault(kInstNum, "more than 2147483648 instances in one job");
    keep_fault(table, job);
  } else {
    same->count += *count;
  }
}

template <class Take>
void PaiTables::read_joined(const char* name, CsvTable& table, std::size_t key,
                            const std::unordered_map<std::string, std::size_t>& index,
                            const Stray& stray, Take take) {
  table.no_header();
  std::string text;
  while (table.next()) {
    check_stop(table.line());
    if (!table.has_width()) throw DataError(table.fault_place(), table.fault());
    text = table.value(key);
    if (table.line() == 1 && text == table.name(key)) continue;  // the .header file in front
    const auto found = index.find(text);
    if (found == index.end()) {
      stray(name, table.where_of(key));
    } else {
      take(jobs_[found->second]);
    }
  }
}

void PaiTables::read(const Files& files, const Stray& stray, const Done& done) {
  CsvTable jobs(files.jobs, kJobNames);
  read_jobs(jobs);
  done(jobs.file());
  CsvTable tasks(files.tasks, kTaskNames);
  read_joined("pai_task_table", tasks, kTaskJob, by_name_, stray,
              [&](PaiJob& job) { read_task(tasks, job); });
  done(tasks.file());
  if (!files.instances.empty()) {
    CsvTable instances(files.instances, kInstanceNames);
    read_joined("pai_instance_table", instances, kInstanceJob, by_name_, stray, [&](PaiJob& job) {
      std::optional<std::int64_t> start;
      if (!read_time(instances, kInstanceStart, start)) return keep_fault(instances, job);
      keep_earliest(job.instance_start_ms, start);
    });
    done(instances.file());
  }
  if (!files.tags.empty()) {
    CsvTable tags(files.tags, kTagNames);
    read_joined("pai_group_tag_table", tags, kTagInstId, by_inst_id_, stray, [&](PaiJob& job) {
      std::string_view model;
      std::string_view group;
      std::string_view workload;
      if (!tags.text(kGpuTypeSpec, model) || !tags.text(kGroup, group) ||
          !tags.text(kWorkload, workload)) {
        return keep_fault(tags, job);
      }
      // A tag an instance: the first that says something counts.
      if (job.gpu_type_spec.empty()) job.gpu_type_spec = model;
      if (job.group.empty()) job.group = group;
      if (job.workload.empty()) job.workload = workload;
    });
    done(tags.file());
  }
}

}  // namespace berth
