#include "sim/engine/arrivals.hpp"

#include <algorithm>
#include <tuple>

namespace berth {

bool Arrivals::later(const Release& a, const Release& b) {
  return std::tie(a.time, a.job) > std::tie(b.time, b.job);
}

// A job that follows one which never runs here would wait for ever: it comes as the trace says.
bool Arrivals::is_released_by_another(JobId job) const {
  return chains_ != nullptr && chains_->follows(job) &&
         workload_.can_run(chains_->predecessor(job));
}

void Arrivals::skip() {
  for (; next_job_ < jobs_.size(); ++next_job_) {
    if (jobs_[next_job_].never_started) continue;
    const JobId job{static_cast<std::uint32_t>(next_job_)};
    if (!workload_.can_run(job)) {
      ++rejected_;
    } else if (!is_released_by_another(job)) {
      return;
    }
  }
}

SimTime Arrivals::next() {
  skip();
  SimTime next = released_.empty() ? kNever : released_.front().time;
  if (next_job_ < jobs_.size()) next = std::min(next, jobs_[next_job_].submit);
  return next;
}

JobId Arrivals::pop_released() {
  std::pop_heap(released_.begin(), released_.end(), later);
  const JobId job = released_.back().job;
  released_.pop_back();
  return job;
}

void Arrivals::on_finished(JobId job, SimTime end) {
  if (chains_ == nullptr) return;
  for (const FeedbackChains::Follower& follower : chains_->followers_of(job)) {
    if (jobs_[index(follower.job)].never_started || !workload_.can_run(follower.job)) continue;
    released_.push_back({end + follower.think, follower.job});
    std::push_heap(released_.begin(), released_.end(), later);
  }
}

}  // namespace berth
