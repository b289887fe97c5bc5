#include "sim/core/quantity.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>

namespace berth {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t bytes;
};

// Largest first: format_bytes takes the first that divides.
constexpr std::array<Unit, 9> kUnits{{{"TiB", std::int64_t{1} << 40},
                                      {"TB", 1'000'000'000'000},
                                      {"GiB", std::int64_t{1} << 30},
                                      {"GB", 1'000'000'000},
                                      {"MiB", std::int64_t{1} << 20},
                                      {"MB", 1'000'000},
                                      {"KiB", std::int64_t{1} << 10},
                                      {"kB", 1'000},
                                      {"B", 1}}};

}  // namespace

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  // The whole part in integers: a double would lose the last digits of "9007199254740993B".
  std::int64_t whole = 0;
  double fraction = 0;
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  if (at == end || *at < '0' || *at > '9') return std::nullopt;
  const auto digits = std::from_chars(at, end, whole);
  if (digits.ec != std::errc{}) return std::nullopt;
  at = digits.ptr;
  if (at != end && *at == '.') {
    const auto decimals = std::from_chars(at, end, fraction, std::chars_format::fixed);
    if (decimals.ec == std::errc{}) at = decimals.ptr;
  }
  while (at != end && *at == ' ') ++at;
  const std::string_view name(at, static_cast<std::size_t>(end - at));
  for (const Unit& unit : kUnits) {
    if (unit.name != name) continue;
    const std::int64_t rest = std::llround(fraction * static_cast<double>(unit.bytes));
    if (whole > (std::numeric_limits<std::int64_t>::max() - rest) / unit.bytes) return std::nullopt;
    return whole * unit.bytes + rest;
  }
  return std::nullopt;
}

std::string format_bytes(std::int64_t bytes) {
  for (const Unit& unit : kUnits) {
    if (bytes >= unit.bytes && bytes % unit.bytes == 0) {
      return std::to_string(bytes / unit.bytes).append(unit.name);
    }
  }
  return "0B";
}

}  // namespace berth
