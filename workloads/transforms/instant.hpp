// A point in time as an option gives it: from the first submission of the workload, or a date.
//
//   from: 7d                            # after the first submission
//   from: "2023-04-01 12:00:00+08:00"   # a date with an offset from UTC, or with Z
//   from: 2023-04-01                    # midnight; without an offset, `timezone` beside it is due
//   timezone: Asia/Shanghai
//
// Guessing a zone would move a window by hours, so there is no default.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/config/config_node.hpp"
#include "sim/core/time.hpp"

namespace berth {

struct Instant {
  bool is_date = false;
  std::int64_t ms = 0;  // after the first submission; of a date: since 1970 UTC

  // `first`: the earliest submission, absolute.
  SimTime at(SimTime first) const { return is_date ? SimTime(Duration(ms)) : first + Duration(ms); }
};

// The option `key`, which must be there. Empty after an error, which has been reported.
std::optional<Instant> read_instant(ConfigNode& node, std::string_view key);

}  // namespace berth
