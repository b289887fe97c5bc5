// Simulated time: integers, never floating point.
//
// One tick is a millisecond. Public traces carry whole seconds and the shortest step we model is
// about 0.1 s, so a millisecond loses nothing, and sums of durations stay exact: two ends that tie
// on paper tie in the simulator (docs/architecture.md, "Integer time").
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth {

// A clock of its own, so that mixing simulated and wall-clock time does not compile.
struct SimClock {
  using rep = std::int64_t;
  using period = std::milli;
  using duration = std::chrono::duration<rep, period>;
  using time_point = std::chrono::time_point<SimClock>;
  static constexpr bool is_steady = true;
};

using Duration = SimClock::duration;
// Zero is the earliest submission of the workload.
using SimTime = SimClock::time_point;

inline constexpr SimTime kNever = SimTime::max();
// The longest run time or interval that is accepted anywhere: the clock holds 29 million of them
// one after the other.
inline constexpr Duration kLongestDuration = std::chrono::hours(24 * 365 * 10);

constexpr std::int64_t to_ms(Duration d) { return d.count(); }
constexpr std::int64_t to_ms(SimTime t) { return t.time_since_epoch().count(); }
constexpr double to_seconds(Duration d) { return static_cast<double>(d.count()) / 1000.0; }

// Writes seconds with decimals only where the value has them (12, 12.5, 12.345) and returns the
// end. REQUIRES: room for kSecondsText characters.
inline constexpr std::size_t kSecondsText = 24;
char* put_seconds(char* at, Duration d);
void append_seconds(std::string& out, Duration d);

// "2 h 5 min": the two largest units, for people.
std::string describe(Duration d);

// A duration as YAML spells it: 30s, 5min, 2h30m, "1d 12h", 250ms. Units: ms s m min h d w.
// Rounded to the millisecond. Empty where the text is not one, or longer than kLongestDuration.
std::optional<Duration> parse_duration(std::string_view text);

// The spelling in days and smaller units, which parse_duration reads back: "5min", "1d12h", "0s".
// d >= 0.
std::string format_duration(Duration d);

}  // namespace berth
