#include "workloads/synthetic/campaigns.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "workloads/synthetic/shuffle.hpp"

namespace berth::synthetic {
namespace {

// Between half and one and a half times the mean.
std::size_t draw_trials(std::uint32_t mean, Rng& rng) {
  return mean <= 1 ? 1 : (mean + 1) / 2 + rng.below(mean + (mean & 1u));
}

class Placer {
 public:
  Placer(const Profile& profile, const CampaignProfile& campaign, const Calendar& calendar,
         const Users& users, std::vector<Job>& jobs, Rng& rng)
      : profile_(profile),
        campaign_(campaign),
        calendar_(calendar),
        users_(users),
        jobs_(jobs),
        rng_(rng) {}

  // Members that ask for the same GPUs, in order of duration.
  void place(std::span<const std::uint32_t> members) {
    std::vector<std::uint32_t> alike, loose;
    for (const std::uint32_t i : members) {
      (rng_.uniform() < campaign_.alike ? alike : loose).push_back(i);
    }
    shuffle(loose, rng_);
    const std::uint32_t gpus = std::max(1u, jobs_[members[0]].gpus);
    const std::size_t most = std::max(1u, campaign_.most_gpus / gpus);
    std::vector<std::uint32_t> trials;
    for (std::size_t a = 0, l = 0; a < alike.size() || l < loose.size();) {
      const std::size_t size = std::min(draw_trials(campaign_.trials, rng_), most);
      trials.clear();
      while (trials.size() < size && (a < alike.size() || l < loose.size())) {
        // In proportion to what is left, so that neither kind is left over.
        const std::size_t left = alike.size() - a + loose.size() - l;
        const bool takes_alike = rng_.below(static_cast<std::uint32_t>(left)) < alike.size() - a;
        trials.push_back(takes_alike ? alike[a++] : loose[l++]);
      }
      submit(trials);
    }
  }

 private:
  void submit(const std::vector<std::uint32_t>& trials) {
    const std::uint16_t user = users_.draw(rng_);
    const double last = profile_.span_s();
    double at = std::floor(calendar_.at(rng_.uniform() * last));
    for (const std::uint32_t i : trials) {
      jobs_[i].submit_s = static_cast<std::uint32_t>(std::min(at, last));
      jobs_[i].user = user;
      at += rng_.below(campaign_.gap_s + 1);
    }
  }

  const Profile& profile_;
  const CampaignProfile& campaign_;
  const Calendar& calendar_;
  const Users& users_;
  std::vector<Job>& jobs_;
  Rng& rng_;
};

}  // namespace

void place_campaigns(const Profile& profile, const CampaignProfile& campaign,
                     const Calendar& calendar, const Users& users,
                     std::vector<std::uint32_t> members, std::vector<Job>& jobs, Rng& rng) {
  std::ranges::sort(members, {},
                    [&](std::uint32_t i) { return std::tuple(jobs[i].gpus, jobs[i].run_s, i); });
  Placer placer(profile, campaign, calendar, users, jobs, rng);
  for (std::size_t from = 0; from < members.size();) {
    std::size_t to = from;
    while (to < members.size() && jobs[members[to]].gpus == jobs[members[from]].gpus) ++to;
    placer.place(std::span(members).subspan(from, to - from));
    from = to;
  }
}

}  // namespace berth::synthetic
