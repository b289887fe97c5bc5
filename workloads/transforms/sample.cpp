// sample: a random part of the jobs, or all jobs of a random part of the users.
//
//   - sample: {fraction: 0.1}             # a tenth of the jobs, rounded to a whole number of them
//   - sample: {fraction: 0.1, by: user}   # all jobs of a tenth of the users
//   - sample: {jobs: 5000}                # so many jobs
//
// Exactly that many are drawn, each set of that size equally likely (selection sampling, Knuth,
// TAOCP 2, algorithm S), from the stream "transform sample": the same ones for a given seed and
// place in the list, whatever else is configured. Submissions keep their times, so a tenth of the
// jobs is about a tenth of the load; a sample by user keeps the bursts of those users whole.
// Jobs whose user the trace does not name count as one user.
#include <cmath>
#include <limits>
#include <optional>

#include "sim/api/workload_transform.hpp"
#include "sim/core/rng.hpp"
#include "workloads/builtin.hpp"
#include "workloads/transforms/option_place.hpp"

namespace berth {
namespace {

// Which of `all` are drawn.
std::vector<bool> draw(Rng& rng, std::size_t all, std::size_t wanted) {
  std::vector<bool> out(all);
  for (std::size_t i = 0; i < all && wanted > 0; ++i) {
    if (rng.below(static_cast<std::uint32_t>(all - i)) >= wanted) continue;
    out[i] = true;
    --wanted;
  }
  return out;
}

class Sample final : public WorkloadTransform {
 public:
  Sample(ConfigNode& node, const TransformContext& context)
      : place_(place_of(node)), seed_(context.seed), position_(context.position) {
    const bool has_jobs = node.has("jobs");
    if (has_jobs == node.has("fraction")) node.error("", "either fraction or jobs is expected");
    if (node.has("by") && has_jobs) node.error("by", "says what a fraction is of; there is none");
    if (has_jobs) {
      jobs_ = static_cast<std::size_t>(
          node.integer("jobs", {}, 1, std::numeric_limits<std::uint32_t>::max() - 1));
      if (node.has("fraction")) node.number("fraction", {}, 0, 1);
    } else if (node.has("fraction")) {
      fraction_ = node.number("fraction", {}, std::numeric_limits<double>::min(), 1);
      by_user_ = node.choice("by", {"job", "user"}, "job") == "user";
    }
  }

  std::string apply(JobTableBuilder& rows) const override {
    Rng rng(seed_, "transform sample", position_);
    return by_user_ ? by_user(rows, rng) : by_job(rows, rng);
  }

 private:
  std::size_t part_of(std::size_t all) const {
    return static_cast<std::size_t>(std::llround(fraction_ * static_cast<double>(all)));
  }

  std::string by_job(JobTableBuilder& rows, Rng& rng) const {
    JobVector<Job>& jobs = rows.jobs();
    const std::size_t before = jobs.size();
    if (jobs_ && *jobs_ > before) {
      throw place_.fault("asks for " + std::to_string(*jobs_) + " jobs, and there are " +
                         std::to_string(before));
    }
    const std::vector<bool> drawn = draw(rng, before, jobs_ ? *jobs_ : part_of(before));
    std::size_t kept = 0;
    for (std::size_t i = 0; i < before; ++i) {
      if (drawn[i]) jobs[kept++] = jobs[i];
    }
    jobs.resize(kept);
    return "sample: kept " + std::to_string(kept) + " of " + std::to_string(before) + " jobs";
  }

  std::string by_user(JobTableBuilder& rows, Rng& rng) const {
    JobVector<Job>& jobs = rows.jobs();
    const std::size_t before = jobs.size();
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    // In order of first submission; not by id, which would count users without a job.
    std::vector<std::size_t> number(rows.names().users().names().size(), kNone);
    std::size_t users = 0;
    for (const Job& job : jobs) {
      if (number[index(job.user)] == kNone) number[index(job.user)] = users++;
    }
    const std::size_t wanted = part_of(users);
    const std::vector<bool> drawn = draw(rng, users, wanted);
    std::erase_if(jobs, [&](const Job& job) { return !drawn[number[index(job.user)]]; });
    return "sample: kept " + std::to_string(wanted) + " of " + std::to_string(users) +
           " users with " + std::to_string(jobs.size()) + " of " + std::to_string(before) + " jobs";
  }

  OptionPlace place_;
  std::uint64_t seed_;
  std::size_t position_;
  std::optional<std::size_t> jobs_;
  double fraction_ = 1;
  bool by_user_ = false;
};

}  // namespace

void register_sample(TransformRegistry& transforms) {
  transforms.add("sample", "a random part of the jobs or of the users",
                 {{"fraction", "more than 0, at most 1"},
                  {"by", "job | user: what the fraction is of; default job"},
                  {"jobs", "instead of a fraction: so many jobs"}},
                 [](ConfigNode& node, const TransformContext& context) {
                   return std::make_unique<Sample>(node, context);
                 });
}

}  // namespace berth
