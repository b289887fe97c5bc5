#include "sim/core/time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace berth {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t ms;
};

// Largest first: format_duration takes the first spelling of each length.
constexpr std::array<Unit, 7> kUnits{{{"w", 604'800'000},
                                      {"d", 86'400'000},
                                      {"h", 3'600'000},
                                      {"min", 60'000},
                                      {"m", 60'000},
                                      {"s", 1'000},
                                      {"ms", 1}}};

void append_part(std::string& out, std::int64_t count, std::string_view unit) {
  if (!out.empty()) out += ' ';
  out += std::to_string(count);
  out += unit;
}

}  // namespace

char* put_seconds(char* at, Duration d) {
  // Unsigned, so that the smallest value has an absolute value too.
  auto ms = static_cast<std::uint64_t>(d.count());
  if (d.count() < 0) {
    *at++ = '-';
    ms = 0 - ms;
  }
  at = std::to_chars(at, at + kSecondsText, ms / 1000).ptr;
  const std::uint64_t rest = ms % 1000;
  if (rest == 0) return at;
  *at++ = '.';
  *at++ = static_cast<char>('0' + rest / 100);
  *at++ = static_cast<char>('0' + rest / 10 % 10);
  *at++ = static_cast<char>('0' + rest % 10);
  while (at[-1] == '0') --at;
  return at;
}

void append_seconds(std::string& out, Duration d) {
  char text[kSecondsText];
  out.append(text, put_seconds(text, d));
}

std::string describe(Duration d) {
  std::string out;
  std::int64_t ms = d.count();
  if (ms < 0) return "-" + describe(-std::max(d, -Duration::max()));
  int parts = 0;
  for (const Unit& unit : kUnits) {
    if (unit.name == "w" || unit.name == "m") continue;
    if (ms < unit.ms) continue;
    append_part(out, ms / unit.ms,
                unit.name == "min" ? " min" : std::string(" ").append(unit.name));
    ms %= unit.ms;
    if (++parts == 2) break;
  }
  return out.empty() ? "0 s" : out;
}

std::optional<Duration> parse_duration(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  double total_ms = 0;
  bool any = false;
  while (true) {
    while (at != end && *at == ' ') ++at;
    if (at == end) break;
    double count = 0;
    const auto [after, failure] = std::from_chars(at, end, count, std::chars_format::fixed);
    if (failure != std::errc{} || *at == '-' || !std::isfinite(count)) return std::nullopt;
    at = after;
    while (at != end && *at == ' ') ++at;
    const char* const word = at;
    while (at != end && *at >= 'a' && *at <= 'z') ++at;
    const std::string_view name(word, static_cast<std::size_t>(at - word));
    const Unit* found = nullptr;
    for (const Unit& unit : kUnits) {
      if (unit.name == name) found = &unit;
    }
    if (found == nullptr) return std::nullopt;
    total_ms += count * static_cast<double>(found->ms);
    any = true;
  }
  if (!any || total_ms > static_cast<double>(to_ms(kLongestDuration))) return std::nullopt;
  return Duration(static_cast<std::int64_t>(std::llround(total_ms)));
}

std::string format_duration(Duration d) {
  std::int64_t ms = d.count();
  std::string out;
  for (const Unit& unit : kUnits) {
    if (unit.name == "w" || unit.name == "m") continue;
    if (ms < unit.ms) continue;
    out += std::to_string(ms / unit.ms);
    out += unit.name;
    ms %= unit.ms;
  }
  return out.empty() ? "0s" : out;
}

}  // namespace berth
