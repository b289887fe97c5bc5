// When jobs are submitted: by hour of the day and day of the week, on the trace's own clock.
#pragma once

#include <array>
#include <cstdint>

#include "sim/core/time_zone.hpp"
#include "sim/workload/job_table.hpp"

namespace berth {

// All jobs, with and without GPUs.
struct Arrivals {
  std::array<std::uint64_t, 24> by_hour{};
  std::array<std::uint64_t, 7> by_weekday{};  // Monday first
  // How many days of each kind the trace spans, from its first day to its last; those at the ends
  // count whole.
  std::uint64_t days = 0;
  std::array<std::uint64_t, 7> weekdays{};

  double per_hour(std::size_t hour) const {
    return static_cast<double>(by_hour[hour]) / static_cast<double>(days);
  }
  // Jobs a day; 0 where the trace has no such day.
  double per_weekday(std::size_t day) const {
    return weekdays[day] == 0
               ? 0
               : static_cast<double>(by_weekday[day]) / static_cast<double>(weekdays[day]);
  }
};

// REQUIRES: a job.
Arrivals arrivals_of(const JobTable& jobs, const TimeZone& zone);

}  // namespace berth
