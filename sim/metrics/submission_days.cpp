#include "sim/metrics/submission_days.hpp"

#include <algorithm>

namespace berth {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kDayMs = 24 * kHourMs;

}  // namespace

std::int64_t LocalClock::civil_ms(std::int64_t unix_ms) {
  const std::int64_t hour = floor_div(unix_ms, kHourMs);
  if (hour != hour_) {
    hour_ = hour;
    offset_ms_ = zone_.offset_ms(hour * kHourMs);
    changes_ = zone_.offset_ms(hour * kHourMs + kHourMs - 1) != offset_ms_;
  }
  return unix_ms + (changes_ ? zone_.offset_ms(unix_ms) : offset_ms_);
}

SubmissionDays submission_days(std::span<const Job> jobs, std::int64_t zero_unix_ms,
                               const TimeZone& zone) {
  SubmissionDays out;
  LocalClock clock(zone);
  const auto submitted = [&](const Job& job) {
    return zero_unix_ms + job.submit.time_since_epoch().count();
  };
  out.first_unix_ms = submitted(jobs.front());
  out.last_unix_ms = submitted(jobs.back());
  out.first_civil_ms = clock.civil_ms(out.first_unix_ms);
  out.last_civil_ms = clock.civil_ms(out.last_unix_ms);
  // The wall clock may go back over midnight: then an earlier day comes later.
  out.first_day = floor_div(std::min(out.first_civil_ms, out.last_civil_ms), kDayMs) - 1;
  const std::int64_t last_day = floor_div(std::max(out.first_civil_ms, out.last_civil_ms), kDayMs);
  out.jobs.resize(static_cast<std::size_t>(last_day + 2 - out.first_day));
  out.gpu_jobs.resize(out.jobs.size());
  for (const Job& job : jobs) {
    const std::int64_t civil = clock.civil_ms(submitted(job));
    const auto day = static_cast<std::size_t>(floor_div(civil, kDayMs) - out.first_day);
    ++out.jobs[day];
    if (job.gpu_parts != 0) ++out.gpu_jobs[day];
  }
  while (out.jobs.back() == 0) {
    out.jobs.pop_back();
    out.gpu_jobs.pop_back();
  }
  while (out.jobs.front() == 0) {
    out.jobs.erase(out.jobs.begin());
    out.gpu_jobs.erase(out.gpu_jobs.begin());
    ++out.first_day;
  }
  for (std::size_t i = 0; i < out.jobs.size(); ++i) {
    const std::int64_t day = out.first_day + static_cast<std::int64_t>(i);
    if (out.jobs[i] != 0) {
      ++out.days_covered;
    } else if (!out.holes.empty() && out.holes.back().last_day == day - 1) {
      out.holes.back().last_day = day;
    } else {
      out.holes.push_back({day, day});
    }
  }
  return out;
}

}  // namespace berth
