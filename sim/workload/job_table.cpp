#include "sim/workload/job_table.hpp"

#include <algorithm>
#include <limits>

#include "sim/core/error.hpp"

namespace berth {

std::string_view name(JobState state) {
  switch (state) {
    case JobState::kCompleted:
      return "COMPLETED";
    case JobState::kCancelled:
      return "CANCELLED";
    case JobState::kFailed:
      return "FAILED";
    case JobState::kTimeout:
      return "TIMEOUT";
    case JobState::kNodeFail:
      return "NODE_FAIL";
    case JobState::kPreempted:
      return "PREEMPTED";
    case JobState::kRunning:
      return "RUNNING";
  }
  return "?";
}

namespace {

// Stable: equal submissions stay in the order of the trace.
//
// Traces are sorted but for a few rows that stand some places too late. Those are inserted, which
// takes one pass; if that takes more moves than there are jobs, a real sort does the rest.
void sort_by_submission(JobVector<Job>& jobs) {
  std::size_t moves_left = jobs.size();
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    if (jobs[i - 1].submit <= jobs[i].submit) continue;
    const Job late = jobs[i];
    std::size_t to = i;
    while (to > 0 && jobs[to - 1].submit > late.submit && moves_left > 0) {
      jobs[to] = jobs[to - 1];
      --to;
      --moves_left;
    }
    jobs[to] = late;
    if (moves_left == 0) {
      std::stable_sort(jobs.begin(), jobs.end(),
                       [](const Job& a, const Job& b) { return a.submit < b.submit; });
      return;
    }
  }
}

// Ids are 16 bits wide: a trace with more names than that has something else in the column.
template <class Id>
Id intern_few(NameTable<Id>& table, std::string_view name, const char* what) {
  const Id id = table.intern(name);
  if (table.names().size() > std::numeric_limits<std::uint16_t>::max()) {
    throw DataError("the trace is too large: more than 65,534 " + std::string(what));
  }
  return id;
}

std::size_t hash_of(const JobTraits& t) {
  std::uint64_t hash = 0;
  for (const std::uint64_t value :
       {std::uint64_t{index(t.name)}, std::uint64_t{index(t.vc)}, std::uint64_t{index(t.account)},
        std::uint64_t{index(t.priority)}, std::uint64_t{index(t.gpu_model)},
        std::uint64_t{index(t.preceding)}, static_cast<std::uint64_t>(t.think.count())}) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

TraitNames::TraitNames() {
  names.intern("");
  groups.intern("");
  priorities.intern("");
  gpu_models.intern("");
}

JobTableBuilder::JobTableBuilder(std::uint32_t parts_per_gpu) {
  table_.parts_per_gpu_ = parts_per_gpu;
}

void JobTableBuilder::add(const JobRow& row) {
  if (table_.jobs_.size() >= std::numeric_limits<std::uint32_t>::max() - 1) {
    throw DataError("the trace is too large: more than 2^32 jobs");
  }
  Job job;
  // Absolute until finish() knows the earliest submission.
  job.submit = SimTime(Duration(row.submit_unix_ms));
  job.run = row.run;
  if (!row.never_started) job.recorded_start = SimTime(Duration(row.start_unix_ms));
  job.time_limit = row.time_limit;
  job.gpu_parts = row.gpu_parts;
  job.cpus = row.cpus;
  job.memory_mib = row.memory_mib;
  job.user = table_.users_.intern(row.user);
  job.line = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(row.line, std::numeric_limits<std::uint32_t>::max()));
  set_id(job, row.id);
  job.type = intern_type(row.type);
  job.traits = intern_traits(traits_of(row));
  job.state = row.state;
  job.never_started = row.never_started;
  table_.has_time_limits_ |= row.time_limit >= Duration(0);
  table_.jobs_.push_back(job);
}

void JobTableBuilder::reserve(std::size_t rows) {
  table_.jobs_.reserve(rows);
  if (size() > 0) table_.ids_.reserve(table_.ids_.size() * rows / size());
}

TypeId JobTableBuilder::intern_type(std::string_view type) {
  return intern_few(table_.types_, type, "types");
}

void JobTableBuilder::set_id(Job& job, std::string_view id) {
  if (table_.ids_.size() + id.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw DataError("the trace is too large: more than 4 GiB of job ids");
  }
  job.id_offset = static_cast<std::uint32_t>(table_.ids_.size());
  table_.ids_.append(id).push_back('\0');
}

JobTraits JobTableBuilder::traits_of(const JobRow& row) {
  JobTraits traits;
  TraitNames& names = table_.trait_names_;
  if (!row.name.empty()) traits.name = names.names.intern(row.name);
  if (!row.vc.empty()) traits.vc = intern_few(names.groups, row.vc, "groups");
  if (!row.account.empty()) traits.account = intern_few(names.groups, row.account, "groups");
  if (!row.priority.empty()) {
    traits.priority = intern_few(names.priorities, row.priority, "priorities");
  }
  if (!row.gpu_model.empty()) {
    traits.gpu_model = intern_few(names.gpu_models, row.gpu_model, "GPU models");
  }
  if (!row.preceding.empty()) {
    traits.preceding = names.names.intern(row.preceding);
    traits.think = row.think;
  }
  return traits;
}

std::uint32_t JobTableBuilder::intern_traits(const JobTraits& traits) {
  if (traits == last_traits_) return last_traits_at_;
  last_traits_ = traits;
  last_traits_at_ = 0;
  if (traits == JobTraits{}) return last_traits_at_;
  const std::size_t hash = hash_of(traits);
  const auto [begin, end] = traits_by_hash_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (table_.traits_[at->second] == traits) return last_traits_at_ = at->second;
  }
  last_traits_at_ = static_cast<std::uint32_t>(table_.traits_.size());
  table_.traits_.push_back(traits);
  traits_by_hash_.emplace(hash, last_traits_at_);
  return last_traits_at_;
}

void JobTableBuilder::sort() { sort_by_submission(table_.jobs_); }

JobTable JobTableBuilder::finish() {
  sort();
  JobVector<Job>& jobs = table_.jobs_;
  if (!jobs.empty()) {
    const Duration zero = jobs.front().submit.time_since_epoch();
    table_.epoch_unix_ms_ = zero.count();
    for (Job& job : jobs) {
      job.submit -= zero;
      if (!job.never_started) job.recorded_start -= zero;
    }
  }
  return std::move(table_);
}

}  // namespace berth
