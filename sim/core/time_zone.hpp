// Civil time: what a clock on the wall at a site shows, and back.
//
// Zones are those of the IANA database on this machine (/usr/share/zoneinfo, Debian's tzdata, read
// by Howard Hinnant's date library; libstdc++ 12 has none), or a fixed offset such as +08:00.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace berth {

class TimeZone {
 public:
  static TimeZone utc();
  // Minutes east of UTC, within a day.
  static TimeZone fixed(int minutes);
  // "UTC", "Z", "+08:00", or a name of the IANA database ("Asia/Shanghai"). Empty if it is none.
  static std::optional<TimeZone> find(std::string_view name);

  const std::string& name() const { return name_; }
  // East of UTC, in milliseconds, at an instant.
  std::int64_t offset_ms(std::int64_t unix_ms) const;

  struct Instant {
    std::int64_t unix_ms = 0;
    // The wall clock showed it twice (then this is the first time), or skipped it (then this is
    // as if the clock had not been put forward yet).
    bool ambiguous = false;
    bool skipped = false;
  };
  // `civil_ms`: milliseconds since 1970-01-01 00:00 on the wall clock. Fast for instants near the
  // last one asked for; not for use by two threads at a time.
  Instant to_instant(std::int64_t civil_ms) const;

 private:
  struct Rules;
  explicit TimeZone(std::string name) : name_(std::move(name)) {}
  // Within these civil times the offset is offset_ of the last answer, without doubt.
  struct Stretch {
    std::int64_t begin_ms = 0;
    std::int64_t end_ms = 0;  // empty at first
    std::int64_t offset_ms = 0;
  };

  std::string name_;
  std::int64_t fixed_ms_ = 0;
  std::shared_ptr<const Rules> rules_;  // null: fixed
  mutable Stretch last_;
};

// "2023-03-01 00:18:22" of milliseconds since 1970-01-01 00:00 on some wall clock.
std::string civil_text(std::int64_t civil_ms);
// "2023-03-01" of days since 1970-01-01.
std::string date_text(std::int64_t days);

}  // namespace berth
