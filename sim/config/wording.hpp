// How values of a configuration are shown in messages: on one line, no longer than a line, and
// without bytes that move the cursor of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/config/config_tree.hpp"

namespace berth {

// The text with control characters as \n, \t or \x1b, cut to about `longest` bytes with "...".
std::string printable(std::string_view text, std::size_t longest = 60);
// The same in double quotes: "esay".
std::string in_quotes(std::string_view text);
// "a list", "a map", "nothing", or the scalar in quotes.
std::string what_it_is(const ConfigTree& value);

// What to add to a message where a map was due and the scalar is "nodes:4"; else empty.
std::string_view tight_colon_hint(std::string_view scalar);

// Where the text stops being UTF-8; its size if it never does.
std::size_t valid_utf8_prefix(std::string_view text);

}  // namespace berth
