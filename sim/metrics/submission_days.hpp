// On which calendar days of a site's clock jobs were submitted, and on which none was: a hole in a
// trace is usually a hole in its collection.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/core/time_zone.hpp"
#include "sim/workload/job_table.hpp"

namespace berth {

// TimeZone::offset_ms for many instants that come roughly in order: looked up twice an hour.
class LocalClock {
 public:
  explicit LocalClock(TimeZone zone) : zone_(std::move(zone)) {}
  // What the wall clock shows, as milliseconds since 1970-01-01 00:00 on it.
  std::int64_t civil_ms(std::int64_t unix_ms);

 private:
  TimeZone zone_;
  std::int64_t hour_ = std::numeric_limits<std::int64_t>::min();  // since 1970, of the last answer
  std::int64_t offset_ms_ = 0;
  bool changes_ = false;  // the clocks are changed within hour_
};

// Rounds down where a negative number would be rounded up.
constexpr std::int64_t floor_div(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

struct SubmissionDays {
  struct Hole {
    std::int64_t first_day = 0;  // since 1970-01-01, local; both without a submission
    std::int64_t last_day = 0;
  };

  std::int64_t first_unix_ms = 0;  // submissions
  std::int64_t last_unix_ms = 0;
  std::int64_t first_civil_ms = 0;
  std::int64_t last_civil_ms = 0;
  std::int64_t first_day = 0;           // since 1970-01-01, local
  std::vector<std::uint64_t> jobs;      // of each day from the first to the last
  std::vector<std::uint64_t> gpu_jobs;  // of these, jobs that ask for GPUs
  std::uint64_t days_covered = 0;       // days with a submission
  std::vector<Hole> holes;              // stretches of days without
};

// `zero_unix_ms`: what Job::submit counts from; 0 while the times of a table are absolute.
// REQUIRES: a job, in order of submission.
SubmissionDays submission_days(std::span<const Job> jobs, std::int64_t zero_unix_ms,
                               const TimeZone& zone);

}  // namespace berth
