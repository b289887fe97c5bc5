#include "sim/workload/feedback_chains.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace berth {
namespace {

JobId id_at(std::size_t i) { return JobId(static_cast<std::uint32_t>(i)); }

SimTime recorded_end(const Job& job) { return job.recorded_start + job.run; }

bool has_recorded_links(const JobTable& jobs) {
  return std::any_of(jobs.jobs().begin(), jobs.jobs().end(),
                     [&](const Job& job) { return jobs.traits_of(job).preceding != NameId{}; });
}

using KindKey = std::tuple<UserId, std::uint32_t, TypeId>;

// What makes two jobs of one kind; constant where a part is not asked for.
KindKey kind_of(const Job& job, const ChainRules& rules) {
  return {job.user, rules.same_gpus ? job.gpu_parts : 0, rules.same_type ? job.type : TypeId{}};
}

// What is known of a kind while the log goes by.
struct Kind {
  SimTime batch_begin{};
  JobId followed = FeedbackChains::kNone;  // by the batch that began then
  std::uint32_t in_system = 0;
  JobId last_ended = FeedbackChains::kNone;
  SimTime last_end{};
};

struct End {
  SimTime time;
  std::uint32_t job;
  bool operator>(const End& other) const {
    return std::tie(time, job) > std::tie(other.time, other.job);
  }
};

}  // namespace

FeedbackChains::FeedbackChains(const JobTable& jobs, const ChainRules& rules)
    : predecessor_(jobs.size(), kNone) {
  std::vector<Duration> think(jobs.size());
  counts_.recorded = rules.source == ChainRules::Source::kRecorded ||
                     (rules.source == ChainRules::Source::kAuto && has_recorded_links(jobs));
  if (counts_.recorded) {
    link_recorded(jobs, think);
  } else {
    link_inferred(jobs, rules, think);
  }
  index_followers(think);
}

void FeedbackChains::link_recorded(const JobTable& jobs, std::vector<Duration>& think) {
  // Ids may be used again: the last job of that id before the follower is meant.
  std::unordered_map<std::string_view, JobId> latest;  // looked up, never iterated
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[id_at(i)];
    const JobTraits& traits = jobs.traits_of(job);
    if (traits.preceding != NameId{}) {
      const auto found = latest.find(jobs.trait_names().names.name(traits.preceding));
      if (found == latest.end()) {
        ++counts_.unknown;
      } else if (jobs[found->second].never_started || traits.think < Duration(0)) {
        ++counts_.unusable;
      } else {
        predecessor_[i] = found->second;
        think[i] = traits.think;
        ++counts_.links;
      }
    }
    latest[jobs.id_of(job)] = id_at(i);
  }
}

void FeedbackChains::link_inferred(const JobTable& jobs, const ChainRules& rules,
                                   std::vector<Duration>& think) {
  std::map<KindKey, std::uint32_t> kind_numbers;
  std::vector<Kind> kinds;
  std::vector<std::uint32_t> number(jobs.size());
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[id_at(i)];
    for (; !ends.empty() && ends.top().time <= job.submit; ends.pop()) {
      Kind& ended = kinds[number[ends.top().job]];
      --ended.in_system;
      ended.last_ended = id_at(ends.top().job);
      ended.last_end = ends.top().time;
    }
    if (job.never_started) continue;
    const auto [found, is_new] =
        kind_numbers.try_emplace(kind_of(job, rules), static_cast<std::uint32_t>(kinds.size()));
    if (is_new) kinds.emplace_back();
    number[i] = found->second;
    Kind& kind = kinds[found->second];
    const bool same_batch = kind.in_system != 0 && job.submit - kind.batch_begin <= rules.batch;
    if (!same_batch) {
      kind.batch_begin = job.submit;
      const bool free = kind.in_system == 0 && kind.last_ended != kNone;
      kind.followed =
          free && job.submit - kind.last_end <= rules.longest_gap ? kind.last_ended : kNone;
    }
    if (kind.followed != kNone) {
      predecessor_[i] = kind.followed;
      think[i] = job.submit - recorded_end(jobs[kind.followed]);
      ++counts_.links;
    }
    ++kind.in_system;
    ends.push({recorded_end(job), static_cast<std::uint32_t>(i)});
  }
}

void FeedbackChains::index_followers(const std::vector<Duration>& think) {
  first_.assign(predecessor_.size() + 1, 0);
  for (const JobId predecessor : predecessor_) {
    if (predecessor != kNone) ++first_[index(predecessor) + 1];
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  followers_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < predecessor_.size(); ++i) {
    if (predecessor_[i] == kNone) continue;
    followers_[next[index(predecessor_[i])]++] = {id_at(i), think[i]};
  }
}

std::string FeedbackChains::text(const ChainRules& rules) const {
  std::string out = "feedback chains: " + std::to_string(counts_.links) + " of " +
                    std::to_string(predecessor_.size()) +
                    " jobs are submitted their think time after another one's end (";
  if (counts_.recorded) {
    out += "as the trace tells";
    if (counts_.unknown != 0) {
      out += "; " + std::to_string(counts_.unknown) + " links to jobs that are not there";
    }
    if (counts_.unusable != 0) {
      out += "; " + std::to_string(counts_.unusable) + " to jobs that never started";
    }
  } else {
    out += "inferred: same user";
    if (rules.same_type) out += ", type";
    if (rules.same_gpus) out += ", GPUs";
    out += "; none of these in the system; gap at most " + format_duration(rules.longest_gap) +
           "; batches within " + format_duration(rules.batch);
  }
  return out + ")";
}

}  // namespace berth
