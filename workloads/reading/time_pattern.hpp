// Times by a pattern in the manner of strptime: "%d/%m/%Y %H:%M".
//
//   %Y 2023   %y 23 (69 to 99: 19..)   %m %d   %b or %B Mar, March   %j day of the year
//   %a or %A Mon, Monday (not checked against the date)
//   %H %M   %S with decimals or not   %I with %p AM, PM   %z +0800, +08:00, +08, Z   %% a per cent
//   %F = %Y-%m-%d   %T = %H:%M:%S   %R = %H:%M   %D = %m/%d/%y
//
// A space stands for one or more, all else for itself. Leading zeros may be missing. Names are
// English and in any case. No %Z: names of zones are not unique (CST), the option `timezone` is.
//
// Our own: libstdc++ 12 has no chrono::parse, and date::from_stream (3.0.1) goes on with a number
// it has not read where the text does not fit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/reading/timestamp.hpp"

namespace berth {

class TimePattern {
 public:
  explicit TimePattern(std::string pattern);

  // Why the pattern cannot be used, a phrase; empty: it can.
  const std::string& fault() const { return fault_; }
  const std::string& text() const { return pattern_; }
  // Its times say their offset from UTC; parse() then gives instants, else what a clock showed.
  bool has_offset() const { return has('z'); }
  // REQUIRES: no fault().
  Timestamp parse(std::string_view text) const;

 private:
  struct Step {
    char part;     // the letter behind the %, or 0: the character itself
    char literal;  // if part == 0
  };

  void add(std::string_view pattern);
  std::string find_fault() const;
  bool has(char part) const;

  std::string pattern_;
  std::vector<Step> steps_;
  std::string fault_;
};

}  // namespace berth
