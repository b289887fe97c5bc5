// Sizes in bytes as YAML spells them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth {

// "14GB", "80GiB", "2 TB", "1024B": decimal and binary multiples of a byte, rounded to the
// byte. Empty where the text is not one (a bare number included), is negative, or does not fit 63
// bits.
std::optional<std::int64_t> parse_bytes(std::string_view text);

// The largest unit that leaves a whole number: "1TB", "80GiB", "1536MiB", "7B".
std::string format_bytes(std::int64_t bytes);

}  // namespace berth
