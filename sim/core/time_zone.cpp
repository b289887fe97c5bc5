#include "sim/core/time_zone.hpp"

#include <date/tz.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

namespace berth {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

constexpr std::int64_t kDayMs = 86'400'000;

// "+08:00", "-0530" or "+08" in minutes.
std::optional<int> parse_offset(std::string_view text) {
  if (text.size() < 3 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  std::array<int, 4> digits{};
  std::size_t count = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (i == 3 && text[i] == ':' && text.size() == 6) continue;
    if (text[i] < '0' || text[i] > '9' || count == digits.size()) return std::nullopt;
    digits[count++] = text[i] - '0';
  }
  if (count != 2 && count != 4) return std::nullopt;
  const int hours = digits[0] * 10 + digits[1];
  const int rest = digits[2] * 10 + digits[3];
  if (hours > 23 || rest > 59) return std::nullopt;
  const int total = hours * 60 + rest;
  return text[0] == '-' ? -total : total;
}

std::int64_t count_of(date::sys_seconds time) {
  return milliseconds(time.time_since_epoch()).count();
}

}  // namespace

struct TimeZone::Rules {
  const date::time_zone* zone;
};

TimeZone TimeZone::utc() { return TimeZone("UTC"); }

TimeZone TimeZone::fixed(int minutes_east) {
  char name[16];
  const int minutes_in_all = std::abs(minutes_east);
  std::snprintf(name, sizeof name, "%c%02d:%02d", minutes_east < 0 ? '-' : '+',
                minutes_in_all / 60 % 100, minutes_in_all % 60);
  TimeZone zone(minutes_east == 0 ? "UTC" : name);
  zone.fixed_ms_ = milliseconds(minutes(minutes_east)).count();
  return zone;
}

std::optional<TimeZone> TimeZone::find(std::string_view name) {
  if (name == "UTC" || name == "Z") return utc();
  if (const std::optional<int> offset = parse_offset(name)) return fixed(*offset);
  try {
    TimeZone zone{std::string(name)};
    zone.rules_ = std::make_shared<const Rules>(Rules{date::locate_zone(name)});
    zone.rules_->zone->get_info(date::sys_seconds{});  // reads its file: it may be no zone at all
    return zone;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::int64_t TimeZone::offset_ms(std::int64_t unix_ms) const {
  if (rules_ == nullptr) return fixed_ms_;
  const date::sys_time<milliseconds> time{milliseconds(unix_ms)};
  return milliseconds(rules_->zone->get_info(time).offset).count();
}

TimeZone::Instant TimeZone::to_instant(std::int64_t civil_ms) const {
  if (rules_ == nullptr) return {civil_ms - fixed_ms_, false, false};
  if (civil_ms >= last_.begin_ms && civil_ms < last_.end_ms) {
    return {civil_ms - last_.offset_ms, false, false};
  }
  const date::local_time<milliseconds> local{milliseconds(civil_ms)};
  const date::local_info info = rules_->zone->get_info(local);
  const std::int64_t offset = milliseconds(info.first.offset).count();
  if (info.result == date::local_info::unique) {
    // A day from the next change of the clocks on, so that no doubtful hour is inside.
    last_ = {count_of(info.first.begin) + offset + kDayMs,
             count_of(info.first.end) + offset - kDayMs, offset};
    return {civil_ms - offset, false, false};
  }
  return {civil_ms - offset, info.result == date::local_info::ambiguous,
          info.result == date::local_info::nonexistent};
}

std::string date_text(std::int64_t days) {
  const date::year_month_day day{date::sys_days{date::days{days}}};
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", int{day.year()}, unsigned{day.month()},
                unsigned{day.day()});
  return text;
}

std::string civil_text(std::int64_t civil_ms) {
  std::int64_t days = civil_ms / kDayMs;
  if (civil_ms % kDayMs < 0) --days;
  const auto second = static_cast<int>((civil_ms - days * kDayMs) / 1000);
  char text[16];
  std::snprintf(text, sizeof text, " %02d:%02d:%02d", second / 3600 % 24, second / 60 % 60,
                second % 60);
  return date_text(days) + text;
}

}  // namespace berth
