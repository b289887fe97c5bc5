#include "workloads/reading/timestamp.hpp"

#include <chrono>
#include <cstddef>
#include <cstring>

namespace berth {
namespace {

constexpr const char* kShape = "it is not of the form YYYY-MM-DD hh:mm:ss+hh:mm";

// Reads a text from left to right.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}
  bool at_end() const { return at_ == end_; }
  char peek() const { return at_ == end_ ? '\0' : *at_; }
  bool skip(char c) {
    if (peek() != c || at_end()) return false;
    ++at_;
    return true;
  }
  // A number of exactly `digits` digits; -1 if there is none.
  int number(int digits) {
    if (end_ - at_ < digits) return -1;
    int value = 0;
    for (int i = 0; i < digits; ++i) {
      if (!is_digit(at_[i])) return -1;
      value = value * 10 + (at_[i] - '0');
    }
    at_ += digits;
    return value;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

 private:
  const char* at_;
  const char* end_;
};

constexpr Timestamp wrong(const char* fault) { return {0, fault}; }

// Milliseconds after the second; -1 where the point has no digit behind it.
int fraction_ms(Cursor& cursor) {
  int ms = 0;
  int unit = 100;
  int digit = cursor.number(1);
  if (digit < 0) return -1;
  for (; digit >= 0; digit = cursor.number(1)) {
    ms += digit * unit;
    unit /= 10;
  }
  return ms;
}

// The offset of local time from UTC, to the end of the text.
Timestamp offset_ms(Cursor& cursor) {
  if (cursor.at_end()) return wrong("the offset from UTC is missing, such as +08:00 or Z");
  if (cursor.skip('Z') || cursor.skip('z')) {
    return cursor.at_end() ? Timestamp{} : wrong("something follows the Z");
  }
  const bool west = cursor.peek() == '-';
  if (!cursor.skip('-') && !cursor.skip('+')) {
    return wrong("an offset from UTC, such as +08:00 or Z, should follow the seconds");
  }
  const int hours = cursor.number(2);
  int minutes = 0;
  if (hours >= 0 && !cursor.at_end()) {
    cursor.skip(':');
    minutes = cursor.number(2);
  }
  if (hours < 0 || minutes < 0 || !cursor.at_end()) {
    return wrong("the offset from UTC is not Z, +hh:mm, +hhmm or +hh");
  }
  if (hours > 23 || minutes > 59) return wrong("the offset from UTC is not within 23:59");
  const std::int64_t ms = (hours * 60 + minutes) * std::int64_t{60'000};
  return {west ? -ms : ms, nullptr};
}

constexpr std::int64_t time_of_day_ms(int hour, int minute, int second) {
  return ((hour * 60 + minute) * 60 + second) * std::int64_t{1000};
}

// The date and time of day, up to what follows the seconds and their fraction.
Timestamp civil_time(Cursor& cursor) {
  using namespace std::chrono;
  const int y = cursor.number(4);
  if (y < 0 || !cursor.skip('-')) return wrong(kShape);
  const int m = cursor.number(2);
  if (m < 0 || !cursor.skip('-')) return wrong(kShape);
  const int d = cursor.number(2);
  if (d < 0) return wrong(kShape);
  if (y < 1970 || y > 2262) return wrong("the year is not within 1970 and 2262");
  const year_month_day date{year(y), month(static_cast<unsigned>(m)),
                            day(static_cast<unsigned>(d))};
  if (!date.ok()) return wrong("there is no such day in the calendar");

  if (cursor.at_end()) return wrong("the time of day is missing");
  if (!cursor.skip(' ') && !cursor.skip('T') && !cursor.skip('t')) return wrong(kShape);
  const int hour = cursor.number(2);
  if (hour < 0 || !cursor.skip(':')) return wrong(kShape);
  const int minute = cursor.number(2);
  if (minute < 0 || !cursor.skip(':')) return wrong(kShape);
  const int second = cursor.number(2);
  if (second < 0) return wrong(kShape);
  if (hour > 23) return wrong("the hour is not within 00 and 23");
  if (minute > 59) return wrong("the minute is not within 00 and 59");
  if (second > 59) return wrong("the second is not within 00 and 59");
  int ms = 0;
  if (cursor.skip('.')) {
    ms = fraction_ms(cursor);
    if (ms < 0) return wrong("no digit follows the decimal point");
  }
  const milliseconds days = sys_days(date).time_since_epoch();
  return {days.count() + time_of_day_ms(hour, minute, second) + ms, nullptr};
}

// Whether the text is "YYYY-MM-DD?hh:mm:ss" as far as its punctuation goes.
bool has_civil_shape(std::string_view text) {
  return text.size() >= 19 && text[4] == '-' && text[7] == '-' && text[13] == ':' &&
         text[16] == ':';
}

// The milliseconds of "hh:mm:ss" at `t`; negative where it is no time of day.
std::int64_t usual_time_of_day(const char* t) {
  const auto digit = [t](std::size_t i) { return static_cast<unsigned>(t[i]) - '0'; };
  const unsigned h1 = digit(0), h0 = digit(1), m1 = digit(3), m0 = digit(4), s1 = digit(6),
                 s0 = digit(7);
  const unsigned hour = h1 * 10 + h0;
  // What is no digit is a huge number.
  if (h0 > 9 || hour > 23 || m1 > 5 || m0 > 9 || s1 > 5 || s0 > 9) return -1;
  return std::int64_t{(hour * 60 + m1 * 10 + m0) * 60 + s1 * 10 + s0} * 1000;
}

}  // namespace

Timestamp parse_timestamp(std::string_view text) {
  Cursor cursor(text);
  const Timestamp civil = civil_time(cursor);
  if (civil.fault != nullptr) return civil;
  const Timestamp offset = offset_ms(cursor);
  if (offset.fault != nullptr) return offset;
  return {civil.unix_ms - offset.unix_ms, nullptr};
}

Timestamp parse_civil_time(std::string_view text) {
  Cursor cursor(text);
  const Timestamp civil = civil_time(cursor);
  if (civil.fault == nullptr && !cursor.at_end()) return wrong("something follows the seconds");
  return civil;
}

ZonedTimestampParser::Result ZonedTimestampParser::parse(std::string_view text) {
  std::int64_t civil_ms = -1;
  if (text.size() == 19 && std::memcmp(text.data(), date_, sizeof date_) == 0 && text[10] == ' ' &&
      has_civil_shape(text)) {
    const std::int64_t time_of_day = usual_time_of_day(text.data() + 11);
    if (time_of_day >= 0) civil_ms = midnight_civil_ms_ + time_of_day;
  }
  if (civil_ms < 0) {
    Cursor cursor(text);
    const Timestamp civil = civil_time(cursor);
    if (civil.fault != nullptr) return {civil, false, false};
    if (!cursor.at_end()) {
      const Timestamp offset = offset_ms(cursor);
      return {{civil.unix_ms - offset.unix_ms, offset.fault}, false, false};
    }
    civil_ms = civil.unix_ms;
    if (text.size() == 19) {
      std::memcpy(date_, text.data(), sizeof date_);
      midnight_civil_ms_ = civil_ms - usual_time_of_day(text.data() + 11);
    }
  }
  const TimeZone::Instant instant = zone_.to_instant(civil_ms);
  return {{instant.unix_ms, nullptr}, instant.ambiguous, instant.skipped};
}

Timestamp TimestampParser::parse(std::string_view text) {
  const char* const t = text.data();
  if (text.size() != 25 || std::memcmp(t, date_, 10) != 0 || std::memcmp(t + 19, offset_, 6) != 0 ||
      t[10] != ' ' || t[13] != ':' || t[16] != ':') {
    return parse_and_remember(text);
  }
  const std::int64_t time_of_day = usual_time_of_day(t + 11);
  if (time_of_day < 0) return parse_timestamp(text);  // it knows the reason
  return {midnight_unix_ms_ + time_of_day, nullptr};
}

Timestamp TimestampParser::parse_and_remember(std::string_view text) {
  const Timestamp result = parse_timestamp(text);
  // Of the shape whose fields parse() finds at fixed places, and valid.
  if (result.fault != nullptr || text.size() != 25 || text[22] != ':') {
    return result;
  }
  std::memcpy(date_, text.data(), sizeof date_);
  std::memcpy(offset_, text.data() + 19, sizeof offset_);
  midnight_unix_ms_ = result.unix_ms - usual_time_of_day(text.data() + 11);
  return result;
}

}  // namespace berth
