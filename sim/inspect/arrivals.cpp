#include "sim/inspect/arrivals.hpp"

#include <algorithm>
#include <limits>

#include "sim/metrics/submission_days.hpp"

namespace berth {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kDayMs = 24 * kHourMs;

// 1970-01-01 was a Thursday; Monday is 0.
std::size_t weekday(std::int64_t day) {
  const std::int64_t since_monday = (day + 3) % 7;
  return static_cast<std::size_t>(since_monday < 0 ? since_monday + 7 : since_monday);
}

}  // namespace

Arrivals arrivals_of(const JobTable& jobs, const TimeZone& zone) {
  Arrivals out;
  LocalClock clock(zone);
  std::int64_t first_day = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_day = std::numeric_limits<std::int64_t>::min();
  for (const Job& job : jobs.jobs()) {
    const std::int64_t civil =
        clock.civil_ms(jobs.epoch_unix_ms() + to_ms(job.submit.time_since_epoch()));
    const std::int64_t hour = floor_div(civil, kHourMs);
    const std::int64_t day = floor_div(civil, kDayMs);
    ++out.by_hour[static_cast<std::size_t>(hour - day * 24)];
    ++out.by_weekday[weekday(day)];
    first_day = std::min(first_day, day);
    last_day = std::max(last_day, day);
  }
  out.days = static_cast<std::uint64_t>(last_day - first_day + 1);
  for (std::size_t i = 0; i < 7; ++i) {
    out.weekdays[weekday(first_day + static_cast<std::int64_t>(i))] = (out.days + 6 - i) / 7;
  }
  return out;
}

}  // namespace berth
