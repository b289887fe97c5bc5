#include "workloads/reading/time_pattern.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace berth {
namespace {

constexpr std::string_view kParts = "YymdbjaHMSIpz";  // %B is %b, %A is %a

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<std::string_view, 7> kWeekdays = {
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
constexpr std::array<std::string_view, 2> kHalves = {"am", "pm"};

constexpr const char* kNotOfForm = "it is not of this form";
constexpr const char* kNoSuchDay = "there is no such day in the calendar";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// What is left of a text.
class Rest {
 public:
  explicit Rest(std::string_view text) : text_(text) {}
  bool at_end() const { return text_.empty(); }

  bool skip(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool skip_spaces() {
    const bool any = skip(' ');
    while (skip(' ')) {
    }
    return any;
  }
  // A number of so many digits; -1 if there is none.
  int number(std::size_t fewest, std::size_t most) {
    int value = 0;
    std::size_t count = 0;
    for (; count < most && count < text_.size() && is_digit(text_[count]); ++count) {
      value = value * 10 + (text_[count] - '0');
    }
    if (count < fewest) return -1;
    text_.remove_prefix(count);
    return value;
  }
  // Which of `names` comes, whole or, if they may be cut, its first three letters; -1: none.
  template <std::size_t n>
  int name(const std::array<std::string_view, n>& names, bool may_be_cut) {
    for (std::size_t i = 0; i < n; ++i) {
      if (skip_word(names[i]) || (may_be_cut && skip_word(names[i].substr(0, 3)))) {
        return static_cast<int>(i);
      }
    }
    return -1;
  }

 private:
  bool skip_word(std::string_view lower_case) {
    if (text_.size() < lower_case.size()) return false;
    for (std::size_t i = 0; i < lower_case.size(); ++i) {
      if (lower(text_[i]) != lower_case[i]) return false;
    }
    text_.remove_prefix(lower_case.size());
    return true;
  }

  std::string_view text_;
};

// What a text says, part by part; -1: nothing.
struct Parts {
  int year = -1;
  int month = -1;
  int day = -1;
  int day_of_year = -1;
  int hour = -1;
  int hour_of_12 = -1;
  int half = -1;
  int minute = 0;
  int second = 0;
  int ms = 0;
  std::int64_t offset_ms = 0;
};

// Decimals of a second, of which milliseconds are kept; false where the point has none behind it.
bool read_decimals(Rest& rest, int& ms) {
  if (!rest.skip('.')) return true;
  int unit = 100;
  int digit = rest.number(1, 1);
  if (digit < 0) return false;
  for (; digit >= 0; digit = rest.number(1, 1)) {
    ms += digit * unit;
    unit /= 10;
  }
  return true;
}

bool read_offset(Rest& rest, std::int64_t& ms) {
  if (rest.skip('Z') || rest.skip('z')) return true;
  const bool west = rest.skip('-');
  if (!west && !rest.skip('+')) return false;
  const int hours = rest.number(2, 2);
  const bool colon = rest.skip(':');
  int minutes = rest.number(2, 2);
  if (minutes < 0 && !colon) minutes = 0;
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return false;
  ms = (hours * 60 + minutes) * std::int64_t{west ? -60'000 : 60'000};
  return true;
}

bool read_year_of_century(Rest& rest, int& year) {
  const int last_two = rest.number(2, 2);
  year = last_two < 69 ? 2000 + last_two : 1900 + last_two;
  return last_two >= 0;
}

bool read_part(char part, Rest& rest, Parts& out) {
  const auto number = [&rest](int& value, std::size_t fewest, std::size_t most) {
    value = rest.number(fewest, most);
    return value >= 0;
  };
  switch (part) {
    case 'Y':
      return number(out.year, 4, 4);
    case 'y':
      return read_year_of_century(rest, out.year);
    case 'm':
      return number(out.month, 1, 2);
    case 'b':
      out.month = rest.name(kMonths, true) + 1;
      return out.month > 0;
    case 'd':
      return number(out.day, 1, 2);
    case 'j':
      return number(out.day_of_year, 1, 3);
    case 'a':
      return rest.name(kWeekdays, true) >= 0;
    case 'H':
      return number(out.hour, 1, 2);
    case 'I':
      return number(out.hour_of_12, 1, 2);
    case 'p':
      out.half = rest.name(kHalves, false);
      return out.half >= 0;
    case 'M':
      return number(out.minute, 1, 2);
    case 'S':
      return number(out.second, 1, 2) && read_decimals(rest, out.ms);
    case 'z':
      return read_offset(rest, out.offset_ms);
    default:
      return false;
  }
}

Timestamp instant_of(const Parts& parts) {
  using namespace std::chrono;
  if (parts.year < 1970 || parts.year > 2262) return {0, "the year is not within 1970 and 2262"};
  sys_days date;
  if (parts.day_of_year >= 0) {
    const int days_of_year = year(parts.year).is_leap() ? 366 : 365;
    if (parts.day_of_year < 1 || parts.day_of_year > days_of_year) return {0, kNoSuchDay};
    date = sys_days(year(parts.year) / January / 1) + days(parts.day_of_year - 1);
  } else {
    const year_month_day calendar{year(parts.year), month(static_cast<unsigned>(parts.month)),
                                  day(static_cast<unsigned>(parts.day))};
    if (!calendar.ok()) return {0, kNoSuchDay};
    date = calendar;
  }
  int hour = std::max(parts.hour, 0);
  if (parts.hour_of_12 >= 0) {
    if (parts.hour_of_12 < 1 || parts.hour_of_12 > 12) {
      return {0, "the hour is not within 1 and 12"};
    }
    hour = parts.hour_of_12 % 12 + 12 * parts.half;
  }
  if (hour > 23) return {0, "the hour is not within 0 and 23"};
  if (parts.minute > 59) return {0, "the minute is not within 0 and 59"};
  if (parts.second > 59) return {0, "the second is not within 0 and 59"};
  const milliseconds time = date.time_since_epoch() + hours(hour) + minutes(parts.minute) +
                            seconds(parts.second) + milliseconds(parts.ms);
  return {time.count() - parts.offset_ms, nullptr};
}

}  // namespace

TimePattern::TimePattern(std::string pattern) : pattern_(std::move(pattern)) {
  add(pattern_);
  if (fault_.empty()) fault_ = find_fault();
}

void TimePattern::add(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size() && fault_.empty(); ++i) {
    if (pattern[i] != '%') {
      const bool repeated_space = pattern[i] == ' ' && i > 0 && pattern[i - 1] == ' ';
      if (!repeated_space) steps_.push_back({0, pattern[i]});
      continue;
    }
    if (++i == pattern.size()) {
      fault_ = "it ends in a %";
      return;
    }
    switch (pattern[i]) {
      case '%':
        steps_.push_back({0, '%'});
        break;
      case 'F':
        add("%Y-%m-%d");
        break;
      case 'T':
        add("%H:%M:%S");
        break;
      case 'R':
        add("%H:%M");
        break;
      case 'D':
        add("%m/%d/%y");
        break;
      case 'B':
        steps_.push_back({'b', 0});
        break;
      case 'A':
        steps_.push_back({'a', 0});
        break;
      case 'Z':
        fault_ = "names of zones (%Z) are not unique; tell the zone by the option timezone";
        break;
      default:
        if (kParts.find(pattern[i]) != std::string_view::npos) {
          steps_.push_back({pattern[i], 0});
        } else {
          fault_ = std::string("%") + pattern[i] +
                   " is not known; known are %Y %y %m %d %b %j %a %H %M %S (reads decimals too) "
                   "%I %p %z %F %T %R %D";
        }
    }
  }
}

bool TimePattern::has(char part) const {
  return std::any_of(steps_.begin(), steps_.end(),
                     [part](const Step& step) { return step.part == part; });
}

std::string TimePattern::find_fault() const {
  for (const char part : kParts) {
    if (std::count_if(steps_.begin(), steps_.end(),
                      [part](const Step& step) { return step.part == part; }) > 1) {
      return std::string("%") + part + " stands in it twice";
    }
  }
  if (has('Y') == has('y')) return "it needs the year once, as %Y or %y";
  if (has('j')) {
    if (has('m') || has('b') || has('d')) return "%j tells the day already";
  } else if (has('m') == has('b') || !has('d')) {
    return "it needs the day: %m or %b once, and %d (or %j)";
  }
  if (has('H') && has('I')) return "it needs the hour once, as %H or %I";
  if (has('I') != has('p')) return "%I and %p tell the hour together";
  if (has('M') && !has('H') && !has('I')) return "it needs the hour of its %M";
  if (has('S') && !has('M')) return "it needs the minute of its %S";
  return {};
}

Timestamp TimePattern::parse(std::string_view text) const {
  Rest rest(text);
  Parts parts;
  for (const Step& step : steps_) {
    const bool good = step.part != 0        ? read_part(step.part, rest, parts)
                      : step.literal == ' ' ? rest.skip_spaces()
                                            : rest.skip(step.literal);
    if (!good) return {0, kNotOfForm};
  }
  if (!rest.at_end()) return {0, "something follows that is not of this form"};
  return instant_of(parts);
}

}  // namespace berth
