// The requested time limit, as most real schedulers plan. Taken from the trace where it has one
// (the column time_limit); for the other jobs from the site's limits per job type.
//
//   estimates: {mode: limit, limits: {Eval: 2h, Pretrain: 14d, default: 1d}}
//
// A limit shorter than the run is kept as it is: here limits inform the scheduler, they do not
// kill.
#include <algorithm>
#include <utility>
#include <vector>

#include "policies/builtin.hpp"
#include "sim/core/suggest.hpp"

namespace berth {
namespace {

class Limit final : public EstimateModel {
 public:
  explicit Limit(std::vector<std::pair<std::string, Duration>> limits)
      : limits_(std::move(limits)) {}

  void prepare(const JobTable& jobs) override {
    check_names(jobs.types().names());
    constexpr Duration kNone{-1};
    by_type_.clear();
    for (const std::string& type : jobs.types().names()) {
      Duration limit = kNone;
      for (const auto& [name, value] : limits_) {
        if (name == type || (name == "default" && limit == kNone)) limit = value;
      }
      by_type_.push_back(limit);
    }
    for (const Job& job : jobs.jobs()) {
      if (job.never_started || limit_of(job) != kNone) continue;
      throw ConfigError("policy.estimates.limits: job " + std::string(jobs.id_of(job)) + " (line " +
                        std::to_string(job.line) + " of the trace, type " + jobs.type_of(job) +
                        ") has no time limit; add a limit for its type or a default");
    }
  }
  Duration predict(JobId, const Job& job) override { return limit_of(job); }

 private:
  // A misspelt type would silently leave its jobs with the default.
  void check_names(const std::vector<std::string>& types_of_trace) const {
    std::vector<std::string> known{"default", "Eval",  "Pretrain", "SFT",
                                   "MLLM",    "Debug", "Other",    "CPU"};
    known.insert(known.end(), types_of_trace.begin(), types_of_trace.end());
    for (const auto& [name, limit] : limits_) {
      if (std::ranges::find(known, name) != known.end()) continue;
      const std::string near = nearest(name, known);
      throw ConfigError("policy.estimates.limits." + name +
                        ": no job of the trace is of this type" +
                        (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
    }
  }
  Duration limit_of(const Job& job) const {
    return job.time_limit >= Duration(0) ? job.time_limit : by_type_[index(job.type)];
  }

  std::vector<std::pair<std::string, Duration>> limits_;
  std::vector<Duration> by_type_;
};

}  // namespace

void register_limit(Registries& registries) {
  registries.estimates.add(
      "limit", "the requested time limit, of the trace or of the job's type",
      {{"limits", "{TYPE: duration, default: duration} for jobs of which the trace says none"}},
      [](ConfigNode& options, std::uint64_t) {
        return std::make_unique<Limit>(
            options.durations("limits", std::chrono::seconds(1), kLongestDuration));
      });
}

}  // namespace berth
