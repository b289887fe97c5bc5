// The nearest valid name, for error messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth {

// The candidate at the smallest edit distance from `word`, if it is near enough to be a slip of
// the keyboard (at most two edits, or a third of the word); empty otherwise. Ties: first listed.
// Upper and lower case count as equal.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// "a, b, c".
std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");

}  // namespace berth
