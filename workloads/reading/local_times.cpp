#include "workloads/reading/local_times.hpp"

#include <algorithm>

#include "sim/config/config_node.hpp"
#include "sim/config/wording.hpp"

namespace berth {
namespace {

constexpr const char* kFirst =
    "a local time that the clocks showed twice: taken as the first of the two";
constexpr const char* kSecond =
    "a local time that the clocks showed twice: taken as the second, since the first lies before "
    "what it follows";
constexpr const char* kSkipped =
    "a local time that the clocks skipped: taken as if they had not been put forward yet";

// The clocks are put back by at most two hours, and stay so for days.
constexpr std::int64_t kPastTheChangeMs = std::int64_t{4} * 3'600'000;

}  // namespace

std::optional<TimeZone> read_timezone(ConfigNode& trace, const std::string& fallback) {
  if (fallback.empty() && !trace.has("timezone")) return std::nullopt;
  const std::string name = trace.text("timezone", fallback);
  std::optional<TimeZone> zone = TimeZone::find(name);
  if (!zone) {
    trace.error("timezone", in_quotes(name) +
                                " is no time zone; write UTC, an offset such as +08:00, or a name "
                                "of the IANA database such as America/Los_Angeles");
  }
  return zone;
}

LocalTimes::Result LocalTimes::settle(std::int64_t first_ms, bool ambiguous, bool skipped,
                                      std::int64_t not_before) const {
  if (skipped) return {{first_ms, nullptr}, kSkipped};
  if (!ambiguous) return {{first_ms, nullptr}, nullptr};
  if (first_ms < not_before) {
    const std::int64_t put_back =
        zone_.offset_ms(first_ms) - zone_.offset_ms(first_ms + kPastTheChangeMs);
    const std::int64_t second_ms = first_ms + put_back;
    if (second_ms >= not_before) return {{second_ms, nullptr}, kSecond};
  }
  return {{first_ms, nullptr}, kFirst};
}

LocalTimes::Result LocalTimes::parse(std::string_view text, std::int64_t not_before) {
  const ZonedTimestampParser::Result parsed = parser_.parse(text);
  if (parsed.fault != nullptr) return {{0, parsed.fault}, nullptr};
  return settle(parsed.unix_ms, parsed.ambiguous, parsed.skipped, not_before);
}

LocalTimes::Result LocalTimes::of_civil(std::int64_t civil_ms, std::int64_t not_before) const {
  const TimeZone::Instant instant = zone_.to_instant(civil_ms);
  return settle(instant.unix_ms, instant.ambiguous, instant.skipped, not_before);
}

void add_fix(std::vector<std::string_view>& fixes, const char* fix) {
  if (fix == nullptr || std::find(fixes.begin(), fixes.end(), fix) != fixes.end()) return;
  fixes.emplace_back(fix);
}

}  // namespace berth
