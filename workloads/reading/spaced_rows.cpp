#include "workloads/reading/spaced_rows.hpp"

#include <algorithm>

namespace berth {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// The fields of `line` go to the end of `out`.
void split(std::string_view line, std::vector<std::string_view>& out) {
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    out.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kAround = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kAround);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kAround) + 1 - begin);
}

std::vector<std::string_view> split_at_blanks(std::string_view line) {
  std::vector<std::string_view> out;
  split(line, out);
  return out;
}

std::string_view first_line(std::string_view head) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  return trimmed(head.substr(0, head.find('\n')));
}

bool SpacedRows::next() {
  while (lines_.next()) {
    line_ = trimmed(lines_.fields()[0]);
    if (line_.empty()) continue;
    fields_.clear();
    split(line_, fields_);
    return true;
  }
  return false;
}

Location SpacedRows::where(std::size_t field) const {
  Location place = lines_.where(0);
  const char* const begin = lines_.fields()[0].data();
  const char* const at = field < fields_.size() ? fields_[field].data() : line_.end();
  place.column += at - begin;
  return place;
}

}  // namespace berth
