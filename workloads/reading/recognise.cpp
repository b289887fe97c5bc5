#include "workloads/reading/recognise.hpp"

#include <algorithm>

namespace berth {

CsvHead::CsvHead(std::string_view head, char delimiter) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  const std::size_t begin = std::min(head.find_first_not_of("\r\n"), head.size());
  std::string_view line = head.substr(begin);
  line = line.substr(0, line.find_first_of("\r\n"));
  while (true) {
    const std::size_t end = std::min(line.find(delimiter), line.size());
    std::string_view column = line.substr(0, end);
    if (column.size() >= 2 && column.front() == '"' && column.back() == '"') {
      column = column.substr(1, column.size() - 2);
    }
    columns_.push_back(column);
    if (end == line.size()) break;
    line.remove_prefix(end + 1);
  }
}

bool CsvHead::has(std::initializer_list<std::string_view> columns) const {
  return std::all_of(columns.begin(), columns.end(), [&](std::string_view column) {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
  });
}

}  // namespace berth
