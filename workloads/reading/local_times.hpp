// Times on the wall clock of a site, where its clocks are put back and forward: which instant is
// meant, and what had to be assumed. Also the option `timezone` of the formats that need it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/time_zone.hpp"
#include "workloads/reading/timestamp.hpp"

namespace berth {

class ConfigNode;

// The zone that `timezone` of `trace` names, `fallback` (empty: none) where it is not given. A name
// that is none is a finding.
std::optional<TimeZone> read_timezone(ConfigNode& trace, const std::string& fallback = {});

class LocalTimes {
 public:
  static constexpr std::int64_t kAnyTime = std::numeric_limits<std::int64_t>::min();

  explicit LocalTimes(const TimeZone& zone) : zone_(zone), parser_(zone) {}

  struct Result : Timestamp {
    const char* fix = nullptr;  // what was assumed, as TraceRow::fixes tells it; null: nothing
  };
  // "2017-11-05 01:30:00"; a text with an offset of its own is taken by it. `not_before`: the
  // instant that this one follows (a start its submission), which settles most hours that the
  // clocks showed twice.
  Result parse(std::string_view text, std::int64_t not_before = kAnyTime);
  // The same of what the clock showed, in milliseconds since its 1970-01-01 00:00.
  Result of_civil(std::int64_t civil_ms, std::int64_t not_before = kAnyTime) const;

 private:
  Result settle(std::int64_t first_ms, bool ambiguous, bool skipped, std::int64_t not_before) const;

  TimeZone zone_;
  ZonedTimestampParser parser_;
};

// Adds `fix` (which may be null) to the fixes of a row, once.
void add_fix(std::vector<std::string_view>& fixes, const char* fix);

}  // namespace berth
