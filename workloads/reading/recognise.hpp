// What the first bytes of a file look like, for `format: auto`.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

namespace berth {

// The first line that is not blank, split at `delimiter` without regard for quotes within it.
class CsvHead {
 public:
  explicit CsvHead(std::string_view head, char delimiter = ',');
  bool has(std::initializer_list<std::string_view> columns) const;
  const std::vector<std::string_view>& columns() const { return columns_; }

 private:
  std::vector<std::string_view> columns_;  // quotes taken off
};

}  // namespace berth
