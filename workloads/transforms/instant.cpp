#include "workloads/transforms/instant.hpp"

#include <string>

#include "sim/config/wording.hpp"
#include "sim/core/time_zone.hpp"
#include "workloads/reading/timestamp.hpp"

namespace berth {
namespace {

constexpr std::size_t kDateLength = 10;  // of 2023-04-01

// A date alone is its midnight: "2023-04-01+08:00" becomes "2023-04-01 00:00:00+08:00".
std::string with_time(std::string text) {
  const bool is_alone =
      text.size() == kDateLength || (text.size() > kDateLength && text[kDateLength] != ' ' &&
                                     text[kDateLength] != 'T' && text[kDateLength] != 't');
  if (is_alone) text.insert(kDateLength, " 00:00:00");
  return text;
}

std::optional<Instant> on_wall_clock(ConfigNode& node, std::string_view key,
                                     const std::string& given, std::int64_t civil_ms) {
  if (!node.has("timezone")) {
    node.error(key, in_quotes(given) + " has no offset from UTC; write it behind, such as " +
                        civil_text(civil_ms) + "+08:00, or set timezone beside it");
    return std::nullopt;
  }
  const std::string name = node.text("timezone", {});
  const std::optional<TimeZone> zone = TimeZone::find(name);
  if (!zone) {
    node.error("timezone", in_quotes(name) +
                               " is no time zone; write UTC, an offset such as +08:00, or a name "
                               "of the IANA database such as Asia/Shanghai");
    return std::nullopt;
  }
  const TimeZone::Instant instant = zone->to_instant(civil_ms);
  if (instant.ambiguous || instant.skipped) {
    node.error(key, in_quotes(given) +
                        (instant.ambiguous ? " occurs twice in " : " is skipped in ") + name +
                        ", where the clocks change; write the offset from UTC behind it");
    return std::nullopt;
  }
  return Instant{true, instant.unix_ms};
}

}  // namespace

std::optional<Instant> read_instant(ConfigNode& node, std::string_view key) {
  node.has("timezone");  // known, but of use to a date without an offset only
  if (!node.has(key)) {
    node.error(key, "missing; a time after the first submission, such as 7d, or a date");
    return std::nullopt;
  }
  const std::string given = node.text(key, {});
  if (given.empty()) {
    // Either it is no scalar, which has been reported, or it is "".
    node.error(key, "a time after the first submission, such as 7d, or a date is expected");
    return std::nullopt;
  }
  if (const std::optional<Duration> after = parse_duration(given)) {
    return Instant{false, after->count()};
  }
  const std::string text = with_time(given);
  const Timestamp absolute = parse_timestamp(text);
  if (absolute.fault == nullptr) return Instant{true, absolute.unix_ms};
  const Timestamp civil = parse_civil_time(text);
  if (civil.fault == nullptr) return on_wall_clock(node, key, given, civil.unix_ms);
  node.error(key, in_quotes(given) +
                      " is neither a time after the first submission, such as 7d, nor a date, "
                      "such as 2023-04-01 12:00:00+08:00: " +
                      absolute.fault);
  return std::nullopt;
}

}  // namespace berth
