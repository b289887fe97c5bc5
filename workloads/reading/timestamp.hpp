// Points in time as traces write them: "2023-03-01 00:18:22+08:00".
//
// The date and time may be joined by a space or a T; a fraction of a second may follow, of which
// milliseconds are kept and further digits cut. The offset from UTC is Z, +HH:MM, +HHMM or +HH, and
// the same with a minus; where a format writes none, its times need a zone to be read in, since
// guessing one would shift a trace by hours. Calendar rules are those of <chrono>.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/core/time_zone.hpp"

namespace berth {

struct Timestamp {
  std::int64_t unix_ms = 0;
  // What is wrong, as a phrase: "there is no such day in the calendar". Null: nothing is.
  const char* fault = nullptr;
};

// Years 1970 to 2262, as written (an offset may lead a few hours out of them).
Timestamp parse_timestamp(std::string_view text);

// The same without an offset from UTC: milliseconds since 1970-01-01 00:00 on some wall clock.
Timestamp parse_civil_time(std::string_view text);

// Times on the wall clock of a zone, as instants. A text with an offset of its own is taken by it.
class ZonedTimestampParser {
 public:
  explicit ZonedTimestampParser(TimeZone zone) : zone_(std::move(zone)) {}

  struct Result : Timestamp {
    bool ambiguous = false;  // see TimeZone::Instant
    bool skipped = false;
  };
  Result parse(std::string_view text);

 private:
  TimeZone zone_;
  char date_[10] = {};  // of the last text of the usual shape
  std::int64_t midnight_civil_ms_ = 0;
};

// The same as parse_timestamp, faster for texts of the usual shape whose date and offset are those
// of the last text of that shape: the rows of a trace come about in order of time.
class TimestampParser {
 public:
  Timestamp parse(std::string_view text);

 private:
  Timestamp parse_and_remember(std::string_view text);

  char date_[10] = {};                 // "2023-03-01"; NULs at first, which no valid text has
  char offset_[6] = {};                // "+08:00"
  std::int64_t midnight_unix_ms_ = 0;  // of date_ at offset_
};

}  // namespace berth
