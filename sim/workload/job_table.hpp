// The workload: every job of a trace, immutable, in queue order.
//
// A Job is one cache line; names are interned, ids lie in one arena. Shared by any number of runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/core/huge_pages.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/time.hpp"

namespace berth {

// How the trace says that a job ended. The names are those of the Acme schema.
enum class JobState : std::uint8_t {
  kCompleted,
  kCancelled,
  kFailed,
  kTimeout,
  kNodeFail,
  kPreempted,
  kRunning,
};
std::string_view name(JobState state);

struct Job {
  SimTime submit;                   // from the earliest submission of the workload
  Duration run{};                   // recorded run time
  SimTime recorded_start = kNever;  // kNever: it never started
  Duration time_limit{-1};          // requested; negative: the trace has none
  std::uint32_t gpu_parts = 0;      // over all nodes; JobTable::parts_per_gpu() make a GPU
  std::uint32_t cpus = 0;           // over all nodes; 0: unknown or none
  std::uint32_t memory_mib = 0;     // over all nodes; 0: unknown
  UserId user{};
  std::uint32_t line = 0;       // of the trace file, from 1; 0: it has none
  std::uint32_t traits = 0;     // index into the table's traits; see JobTable::traits_of
  std::uint32_t id_offset = 0;  // into the table's arena; see JobTable::id_of
  TypeId type{};
  JobState state = JobState::kCompleted;
  bool never_started = false;  // the trace has no start: it is load for nobody
};
static_assert(sizeof(Job) == 64, "a job is one cache line");

// What only some traces say of a job. An id of kUnnamed (0) stands for "not said".
struct JobTraits {
  NameId name{};           // the job's name, as the user chose it
  GroupId vc{};            // virtual cluster, partition or queue
  GroupId account{};       // account, project or organisation
  PriorityId priority{};   // class of priority or quality of service: HP, Spot, LS, BE ...
  GpuModelId gpu_model{};  // the GPU model that the job requires; alternatives joined by '|'
  // The id of the job that this one followed, and how long after its end it was submitted.
  NameId preceding{};
  Duration think{};
  bool operator==(const JobTraits&) const = default;
};

// Names with dense ids in order of first appearance.
//
// Looked up twice for each row of a trace, hence a table of our own: open addressing with linear
// probing, at most half full, and a hash that takes eight bytes at a time.
template <class Id>
class NameTable {
 public:
  Id intern(std::string_view name) {
    const std::uint64_t hash = hash_of(name);
    for (std::size_t at = home(hash);; at = (at + 1) & mask_) {
      const Slot slot = slots_[at];
      if (slot.id_plus_1 == 0) break;
      if (slot.tag == tag_of(hash) && names_[slot.id_plus_1 - 1] == name) {
        return static_cast<Id>(slot.id_plus_1 - 1);
      }
    }
    if (2 * (names_.size() + 1) > slots_.size()) grow();
    names_.emplace_back(name);
    insert(hash, static_cast<std::uint32_t>(names_.size()));
    return static_cast<Id>(names_.size() - 1);
  }
  const std::string& name(Id id) const { return names_[index(id)]; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Slot {
    std::uint32_t id_plus_1 = 0;  // 0: free
    std::uint32_t tag = 0;        // the lower half of the hash: spares comparing names
  };

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }
  std::size_t home(std::uint64_t hash) const { return (hash >> 32) & mask_; }

  static std::uint64_t hash_of(std::string_view name) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;  // 2^64 divided by the golden ratio
    std::uint64_t hash = name.size() * kOdd;
    while (true) {
      const std::size_t taken = name.size() < 8 ? name.size() : 8;
      std::uint64_t eight = 0;
      if (taken > 0) std::memcpy(&eight, name.data(), taken);  // data() of no name may be null
      hash = (hash ^ eight) * kOdd;
      hash ^= hash >> 32;
      if (taken < 8) return hash * kOdd;
      name.remove_prefix(8);
    }
  }

  void insert(std::uint64_t hash, std::uint32_t id_plus_1) {
    std::size_t at = home(hash);
    while (slots_[at].id_plus_1 != 0) at = (at + 1) & mask_;
    slots_[at] = {id_plus_1, tag_of(hash)};
  }

  void grow() {
    slots_.assign(2 * slots_.size(), Slot{});
    mask_ = slots_.size() - 1;
    std::uint32_t id_plus_1 = 0;
    for (const std::string& each : names_) insert(hash_of(each), ++id_plus_1);
  }

  std::vector<std::string> names_;
  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two of them; never iterated
  std::size_t mask_ = 63;
};

// The name tables that traits point into; the first name of each is the empty one.
struct TraitNames {
  TraitNames();
  NameTable<NameId> names;    // of jobs, and the ids of preceding ones
  NameTable<GroupId> groups;  // of virtual clusters and of accounts
  NameTable<PriorityId> priorities;
  NameTable<GpuModelId> gpu_models;
};

// A row as a reader hands it over, times absolute (milliseconds since 1970 UTC).
struct JobRow {
  std::string_view id;
  std::string_view user;
  std::string_view type;
  // Traits; empty: the trace does not say.
  std::string_view name;
  std::string_view vc;
  std::string_view account;
  std::string_view priority;
  std::string_view gpu_model;
  std::string_view preceding;
  Duration think{};  // read only if `preceding` is not empty
  JobState state = JobState::kCompleted;
  std::int64_t submit_unix_ms = 0;
  Duration run{};
  std::int64_t start_unix_ms = 0;  // read only if !never_started
  bool never_started = false;
  Duration time_limit{-1};
  std::uint32_t gpu_parts = 0;  // in the table's parts of a GPU
  std::uint32_t cpus = 0;
  std::uint32_t memory_mib = 0;
  std::uint64_t line = 0;
};

// Thousandths, where fractions of GPUs are shared; else jobs take whole GPUs.
inline constexpr std::uint32_t kSharedPartsPerGpu = 1000;

class JobTable {
 public:
  std::size_t size() const { return jobs_.size(); }
  std::span<const Job> jobs() const { return jobs_; }
  const Job& operator[](JobId id) const { return jobs_[index(id)]; }

  std::string_view id_of(const Job& job) const { return ids_.data() + job.id_offset; }
  const std::string& user_of(const Job& job) const { return users_.name(job.user); }
  const std::string& type_of(const Job& job) const { return types_.name(job.type); }
  const NameTable<UserId>& users() const { return users_; }
  const NameTable<TypeId>& types() const { return types_; }
  const JobTraits& traits_of(const Job& job) const { return traits_[job.traits]; }
  const TraitNames& trait_names() const { return trait_names_; }
  // How many of Job::gpu_parts make a GPU: 1 or kSharedPartsPerGpu.
  std::uint32_t parts_per_gpu() const { return parts_per_gpu_; }
  double gpus_of(const Job& job) const {
    return static_cast<double>(job.gpu_parts) / static_cast<double>(parts_per_gpu_);
  }
  // Time zero of the simulation, in milliseconds since 1970 UTC.
  std::int64_t epoch_unix_ms() const { return epoch_unix_ms_; }
  bool has_time_limits() const { return has_time_limits_; }

 private:
  friend class JobTableBuilder;
  JobVector<Job> jobs_;
  std::string ids_;  // NUL-terminated, one after the other
  NameTable<UserId> users_;
  NameTable<TypeId> types_;
  TraitNames trait_names_;
  // Distinct ones in order of first appearance; the first says nothing.
  std::vector<JobTraits> traits_ = {JobTraits{}};
  std::uint32_t parts_per_gpu_ = 1;
  std::int64_t epoch_unix_ms_ = 0;
  bool has_time_limits_ = false;
};

// Collects rows in the order of the trace and brings them into queue order (submission, then row).
// Until finish() the times of a job are absolute: milliseconds since 1970 UTC.
class JobTableBuilder {
 public:
  // `parts_per_gpu`: what JobRow::gpu_parts counts in, 1 or kSharedPartsPerGpu.
  explicit JobTableBuilder(std::uint32_t parts_per_gpu = 1);
  // REQUIRES: no NUL in row.id, run <= kLongestDuration, fewer than 2^32 - 1 rows.
  // Throws DataError when the table is full.
  void add(const JobRow& row);
  // Makes room for `rows` rows in all, their ids as long as those added so far. A guess: it only
  // saves memory.
  void reserve(std::size_t rows);
  std::size_t size() const { return table_.jobs_.size(); }
  std::uint32_t parts_per_gpu() const { return table_.parts_per_gpu_; }
  // Sets the run time of the row added as number `row` (from 0), for jobs whose end is known only
  // when the whole trace has been seen. REQUIRES: not sorted meanwhile.
  void set_run(std::size_t row, Duration run) { table_.jobs_[row].run = run; }

  // --- for what works on all rows: duplicates, transforms ---

  // Brings the rows into queue order.
  void sort();
  // Rows may be changed, removed and copied; names and ids are those of names().
  JobVector<Job>& jobs() { return table_.jobs_; }
  const JobTable& names() const { return table_; }
  UserId intern_user(std::string_view user) { return table_.users_.intern(user); }
  // Throws DataError when there are too many.
  TypeId intern_type(std::string_view type);
  // Gives the job this id. REQUIRES: no NUL in it.
  void set_id(Job& job, std::string_view id);
  std::uint32_t intern_traits(const JobTraits& traits);
  TraitNames& trait_names() { return table_.trait_names_; }

  // The builder is spent afterwards.
  JobTable finish();

 private:
  JobTraits traits_of(const JobRow& row);

  JobTable table_;
  JobTraits last_traits_;  // of last_traits_at_: rows of the same traits often stand together
  std::uint32_t last_traits_at_ = 0;
  std::unordered_multimap<std::size_t, std::uint32_t> traits_by_hash_;  // never iterated as a whole
};

}  // namespace berth
