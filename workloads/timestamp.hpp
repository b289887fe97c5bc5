// Points in time as traces write them: "2023-03-01 00:18:22+08:00".
//
// The date and time may be joined by a space or a T; a fraction of a second may follow, of which
// milliseconds are kept and further digits cut. The offset from UTC is demanded, since guessing
// one would shift a trace by hours: Z, +HH:MM, +HHMM or +HH, and the same with a minus.
// Calendar rules are those of <chrono>.
#pragma once

#include <cstdint>
#include <string_view>

namespace berth {

struct Timestamp {
  std::int64_t unix_ms = 0;
  // What is wrong, as a phrase: "there is no such day in the calendar". Null: nothing is.
  const char* fault = nullptr;
};

// Years 1970 to 2262, as written (an offset may lead a few hours out of them).
Timestamp parse_timestamp(std::string_view text);

// The same, faster for texts of the usual shape whose date and offset are those of the last text
// of that shape: the rows of a trace come about in order of time.
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
