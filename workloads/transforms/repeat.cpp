// repeat: the workload several times, one after the other.
//
//   - repeat: {times: 4}              # itself and three copies
//   - repeat: {times: 4, every: 7d}   # a copy every week, also where they overlap
//
// Copy k (from 2) is submitted (k - 1) x every later, its recorded starts too. By default `every`
// is the smallest whole number of days that is longer than the span of the submissions: the time of
// day stays, and no copy begins before the one ahead has been submitted. For a weekly rhythm say
// 7d. Copies have ids with "#2", "#3" and so on behind, also where a job names the one it followed;
// users and types are the same. The line in the trace is that of the job that was copied.
#include <optional>

#include "sim/api/workload_transform.hpp"
#include "workloads/builtin.hpp"
#include "workloads/transforms/span.hpp"

namespace berth {
namespace {

constexpr Duration kDay = std::chrono::hours(24);
constexpr std::size_t kMostJobs = 200'000'000;  // 13 GB of them

// The traits of a copy: those of its original, but for the job it followed.
class CopiedTraits {
 public:
  CopiedTraits(JobTableBuilder& rows, const std::string& suffix) : rows_(rows), suffix_(suffix) {}

  std::uint32_t of(const Job& job) {
    const JobTraits traits = rows_.names().traits_of(job);
    if (traits.preceding == NameId{}) return job.traits;
    if (copies_.size() <= job.traits) copies_.resize(job.traits + std::size_t{1});
    std::uint32_t& copy = copies_[job.traits];
    if (copy == 0) {
      const std::string id = rows_.names().trait_names().names.name(traits.preceding) + suffix_;
      JobTraits renamed = traits;
      renamed.preceding = rows_.trait_names().names.intern(id);
      copy = rows_.intern_traits(renamed);
    }
    return copy;
  }

 private:
  JobTableBuilder& rows_;
  const std::string& suffix_;
  std::vector<std::uint32_t> copies_;  // by index of the traits; 0, which says nothing: not yet
};

class Repeat final : public WorkloadTransform {
 public:
  explicit Repeat(ConfigNode& node)
      : place_(place_of(node)),
        times_(static_cast<std::size_t>(node.integer("times", {}, 1, 10'000))) {
    if (node.has("every")) every_ = node.duration("every", {}, Duration(1), kLongestDuration);
  }

  std::string apply(JobTableBuilder& rows) const override {
    JobVector<Job>& jobs = rows.jobs();
    const std::size_t before = jobs.size();
    if (before == 0) return "repeat: there is no job";
    if (before * times_ > kMostJobs) {
      throw place_.fault(std::to_string(before) + " jobs " + std::to_string(times_) +
                         " times are more than " + std::to_string(kMostJobs));
    }
    const Duration span = jobs.back().submit - jobs.front().submit;
    const Duration every = every_.value_or((span / kDay + 1) * kDay);
    check_span(static_cast<double>(to_ms(every)) * static_cast<double>(times_) +
                   static_cast<double>(to_ms(span)),
               place_);
    rows.reserve(before * times_);
    for (std::size_t copy = 2; copy <= times_; ++copy) {
      const std::string suffix = "#" + std::to_string(copy);
      const Duration later = every * static_cast<std::int64_t>(copy - 1);
      CopiedTraits traits(rows, suffix);
      for (std::size_t i = 0; i < before; ++i) {
        Job job = jobs[i];
        // A text of its own: the arena that id_of points into grows.
        const std::string id = std::string(rows.names().id_of(job)) + suffix;
        rows.set_id(job, id);
        job.traits = traits.of(job);
        job.submit += later;
        if (!job.never_started) job.recorded_start += later;
        jobs.push_back(job);
      }
    }
    return "repeat: " + std::to_string(jobs.size()) + " jobs, " + std::to_string(times_) +
           " times " + std::to_string(before) + ", every " + format_duration(every);
  }

 private:
  OptionPlace place_;
  std::size_t times_;
  std::optional<Duration> every_;
};

}  // namespace

void register_repeat(TransformRegistry& transforms) {
  transforms.add(
      "repeat", "the workload several times, one after the other",
      {{"times", "1 to 10000, the first included"},
       {"every", "from one to the next; default: the span in whole days, rounded up"}},
      [](ConfigNode& node, const TransformContext&) { return std::make_unique<Repeat>(node); });
}

}  // namespace berth
