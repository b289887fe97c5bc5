#include "sim/inspect/recorded_load.hpp"

#include <algorithm>

namespace berth {
namespace {

constexpr Duration kHour = std::chrono::hours(1);
constexpr Duration kDay = std::chrono::hours(24);
constexpr Duration kLongForHours = std::chrono::hours(24 * 365 * 10);

struct Change {
  std::int64_t at_ms;
  std::int64_t parts;  // taken; negative: given back
};

// Ends before starts: a GPU given back at an instant can be taken again at it.
bool earlier(const Change& a, const Change& b) {
  return a.at_ms != b.at_ms ? a.at_ms < b.at_ms : (a.parts < 0) > (b.parts < 0);
}

}  // namespace

RecordedLoad recorded_load(const JobTable& jobs) {
  RecordedLoad out;
  std::vector<Change> changes;
  for (const Job& job : jobs.jobs()) {
    if (job.gpu_parts == 0 || job.never_started || job.run == Duration(0)) continue;
    const std::int64_t start = to_ms(job.recorded_start.time_since_epoch());
    changes.push_back({start, job.gpu_parts});
    changes.push_back({start + to_ms(job.run), -std::int64_t{job.gpu_parts}});
  }
  if (changes.empty()) return out;
  std::ranges::sort(changes, earlier);
  out.until = Duration(changes.back().at_ms);
  out.interval = out.until > kLongForHours ? kDay : kHour;
  const std::int64_t interval = to_ms(out.interval);
  const auto intervals = static_cast<std::size_t>((to_ms(out.until) + interval - 1) / interval);
  std::vector<__int128> part_ms(intervals, 0);
  __int128 total = 0;
  std::int64_t now = 0;
  std::int64_t parts = 0;
  std::int64_t peak = 0;
  for (const Change& change : changes) {
    while (now < change.at_ms) {
      const std::int64_t slot = now / interval;
      const std::int64_t until = std::min((slot + 1) * interval, change.at_ms);
      part_ms[static_cast<std::size_t>(slot)] += static_cast<__int128>(parts) * (until - now);
      total += static_cast<__int128>(parts) * (until - now);
      now = until;
    }
    parts += change.parts;
    if (parts > peak) {
      peak = parts;
      out.peak_at = Duration(now);
    }
  }
  const double per_gpu = jobs.parts_per_gpu();
  out.mean = static_cast<double>(total) / static_cast<double>(to_ms(out.until)) / per_gpu;
  out.peak = static_cast<double>(peak) / per_gpu;
  out.mean_gpus.reserve(intervals);
  for (std::size_t i = 0; i < intervals; ++i) {
    // The last one ends with the last job.
    const std::int64_t begin = static_cast<std::int64_t>(i) * interval;
    const std::int64_t length = std::min(interval, to_ms(out.until) - begin);
    out.mean_gpus.push_back(static_cast<double>(part_ms[i]) / static_cast<double>(length) /
                            per_gpu);
  }
  return out;
}

}  // namespace berth
