#include "workloads/synthetic/queue_delays.hpp"

#include <algorithm>
#include <utility>

#include "workloads/synthetic/shuffle.hpp"

namespace berth::synthetic {

std::vector<std::uint32_t> draw_delays(const Curve& curve, std::size_t count, Rng& rng) {
  std::vector<std::uint32_t> delays = curve.values(count);
  shuffle(delays, rng);
  return delays;
}

std::vector<std::uint32_t> draw_delays_within(const Curve& curve,
                                              const std::vector<std::uint32_t>& whole_s, Rng& rng) {
  const std::vector<std::uint32_t> delays = curve.values(whole_s.size());
  std::vector<std::uint32_t> fitting, out;
  out.reserve(whole_s.size());
  std::size_t next = 0;
  for (const std::uint32_t whole : whole_s) {
    const std::uint32_t most = whole > 0 ? whole - 1 : 0;  // runs for a second at least
    while (next < delays.size() && delays[next] <= most) fitting.push_back(delays[next++]);
    if (fitting.empty()) {
      out.push_back(std::min(delays[next++], most));
      continue;
    }
    std::swap(fitting[rng.below(static_cast<std::uint32_t>(fitting.size()))], fitting.back());
    out.push_back(fitting.back());
    fitting.pop_back();
  }
  return out;
}

}  // namespace berth::synthetic
