// replace_durations: what if the jobs that were cancelled or failed had run to their end?
//
//   - replace_durations: {by: {distribution: completed}}        # cancelled and failed ones
//   - replace_durations: {states: [CANCELLED], by: {fixed: 2h}}
//   - replace_durations: {states: [FAILED, TIMEOUT], by: {time_limit: true}}
//
// distribution: completed   the run time of a random completed job of the same type and size class;
//                           if there is none, of the same type; else of any completed job. Size
//                           classes by GPUs: 0, up to 1, up to 2, up to 4, up to 8 and so on. From
//                           the stream "transform replace_durations". It may be shorter than what
//                           the job had run when it was cancelled.
// fixed                     this run time for all
// time_limit                the limit that the job requested; jobs without one stay as they are
//
// Jobs that never started stay so: they load nothing. Submissions, recorded starts and states stay.
#include <bit>
#include <map>
#include <optional>

#include "sim/api/workload_transform.hpp"
#include "sim/core/rng.hpp"
#include "sim/core/suggest.hpp"
#include "workloads/builtin.hpp"
#include "workloads/transforms/option_place.hpp"

namespace berth {
namespace {

// Those that are no end of the job's own choosing.
constexpr JobState kCutShort[] = {JobState::kCancelled, JobState::kFailed,    JobState::kTimeout,
                                  JobState::kNodeFail,  JobState::kPreempted, JobState::kRunning};

std::vector<std::string> state_names() {
  std::vector<std::string> out;
  for (const JobState state : kCutShort) out.emplace_back(name(state));
  return out;
}

// 0: no GPU; k: more than 2^(k-2), at most 2^(k-1).
int size_class(const Job& job, std::uint32_t parts_per_gpu) {
  const std::uint64_t gpus = (std::uint64_t{job.gpu_parts} + parts_per_gpu - 1) / parts_per_gpu;
  return gpus == 0 ? 0 : static_cast<int>(std::bit_width(gpus - 1)) + 1;
}

// Run times of completed jobs, in queue order.
class Completed {
 public:
  explicit Completed(JobTableBuilder& rows) : parts_per_gpu_(rows.parts_per_gpu()) {
    for (const Job& job : rows.jobs()) {
      if (job.state != JobState::kCompleted || job.never_started) continue;
      all_.push_back(job.run);
      by_type_[job.type].push_back(job.run);
      by_class_[{job.type, size_class(job, parts_per_gpu_)}].push_back(job.run);
    }
  }
  bool empty() const { return all_.empty(); }
  bool has_class_of(const Job& job) const { return find(by_class_, class_of(job)) != nullptr; }
  // REQUIRES: !empty().
  Duration draw(const Job& job, Rng& rng) const {
    const std::vector<Duration>* runs = find(by_class_, class_of(job));
    if (runs == nullptr) runs = find(by_type_, job.type);
    if (runs == nullptr) runs = &all_;
    return (*runs)[rng.below(static_cast<std::uint32_t>(runs->size()))];
  }

 private:
  using Class = std::pair<TypeId, int>;
  Class class_of(const Job& job) const { return {job.type, size_class(job, parts_per_gpu_)}; }
  template <class Map>
  static const std::vector<Duration>* find(const Map& map, const typename Map::key_type& key) {
    const auto at = map.find(key);
    return at == map.end() ? nullptr : &at->second;
  }

  std::uint32_t parts_per_gpu_;
  std::vector<Duration> all_;
  std::map<TypeId, std::vector<Duration>> by_type_;
  std::map<Class, std::vector<Duration>> by_class_;
};

class ReplaceDurations final : public WorkloadTransform {
 public:
  ReplaceDurations(ConfigNode& node, const TransformContext& context)
      : place_(place_of(node)), seed_(context.seed), position_(context.position) {
    states_ = node.choices("states", state_names(), {"CANCELLED", "FAILED"});
    if (node.has("states") && node.words("states").empty()) {
      node.error("states", "an empty list picks no job");
    }
    ConfigNode by = node.section("by");
    int given = 0;
    for (const char* key : {"fixed", "distribution", "time_limit"}) given += by.has(key) ? 1 : 0;
    if (given != 1) {
      node.error("by", "one of fixed: 2h, distribution: completed, time_limit: true is expected");
    }
    if (by.has("fixed")) {
      by_ = By::kFixed;
      fixed_ = by.duration("fixed", {}, Duration(0), kLongestDuration);
    }
    if (by.has("distribution")) {
      by_ = By::kCompleted;
      by.choice("distribution", {"completed"}, {});
    }
    if (by.has("time_limit")) {
      by_ = By::kTimeLimit;
      if (!by.boolean("time_limit", {})) by.error("time_limit", "true is expected, or another way");
    }
    by.finish();
  }

  std::string apply(JobTableBuilder& rows) const override {
    std::optional<Completed> completed;
    if (by_ == By::kCompleted) completed.emplace(rows);
    Rng rng(seed_, "transform replace_durations", position_);
    Counts counts;
    Duration before{};
    Duration after{};
    for (Job& job : rows.jobs()) {
      if (std::ranges::find(states_, name(job.state)) == states_.end()) continue;
      if (job.never_started) {
        ++counts.never_started;
        continue;
      }
      if (by_ == By::kTimeLimit && job.time_limit < Duration(0)) {
        ++counts.without_limit;
        continue;
      }
      ++counts.replaced;
      before += job.run;
      job.run = replacement(job, completed, rng, counts);
      after += job.run;
    }
    if (rows.size() == 0) return "replace_durations: there is no job";
    if (counts.replaced + counts.never_started + counts.without_limit == 0) {
      throw place_.fault("no job of the workload ended as " + join(states_));
    }
    if (counts.replaced == 0 && counts.without_limit > 0) {
      throw place_.fault("none of the " + std::to_string(counts.without_limit) +
                         " jobs with these states has a time limit");
    }
    return manifest(rows.size(), counts, before, after);
  }

 private:
  enum class By : std::uint8_t { kFixed, kCompleted, kTimeLimit };
  struct Counts {
    std::size_t replaced = 0;
    std::size_t never_started = 0;
    std::size_t without_limit = 0;
    std::size_t outside_class = 0;
  };

  Duration replacement(const Job& job, const std::optional<Completed>& completed, Rng& rng,
                       Counts& counts) const {
    if (by_ == By::kFixed) return fixed_;
    if (by_ == By::kTimeLimit) return job.time_limit;
    if (completed->empty()) {
      throw place_.fault("the workload has no completed job to take a run time from");
    }
    if (!completed->has_class_of(job)) ++counts.outside_class;
    return completed->draw(job, rng);
  }

  std::string manifest(std::size_t all, const Counts& counts, Duration before,
                       Duration after) const {
    std::string line = "replace_durations: new run times for " + std::to_string(counts.replaced) +
                       " of " + std::to_string(all) + " jobs (" + join(states_) + "), " +
                       describe(after) + " in all instead of " + describe(before);
    const auto add = [&line](std::size_t count, const char* what) {
      if (count > 0) line += "; " + std::to_string(count) + " " + what;
    };
    add(counts.outside_class, "from jobs of another size or type, for want of completed ones");
    add(counts.never_started, "never started and stay so");
    add(counts.without_limit, "have no time limit and keep their run time");
    return line;
  }

  OptionPlace place_;
  std::uint64_t seed_;
  std::size_t position_;
  std::vector<std::string> states_;
  By by_ = By::kFixed;
  Duration fixed_{};
};

}  // namespace

void register_replace_durations(TransformRegistry& transforms) {
  transforms.add("replace_durations",
                 "run times for jobs that were cut short, as if they had run on",
                 {{"states", "a list of " + join(state_names()) + "; default CANCELLED, FAILED"},
                  {"by", "one of {fixed: 2h}, {distribution: completed}, {time_limit: true}"}},
                 [](ConfigNode& node, const TransformContext& context) {
                   return std::make_unique<ReplaceDurations>(node, context);
                 });
}

}  // namespace berth
