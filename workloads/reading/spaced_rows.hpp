// Lines of fields with blanks (spaces, tabs) between them, as in the Standard Workload Format.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "workloads/reading/csv_rows.hpp"

namespace berth {

std::string_view trimmed(std::string_view text);  // of spaces, tabs and line ends
std::vector<std::string_view> split_at_blanks(std::string_view line);
// The first line that is not blank, a byte-order mark left out.
std::string_view first_line(std::string_view head);

// What CsvRows says of limits, line ends and errors holds here; quotes mean nothing.
class SpacedRows {
 public:
  explicit SpacedRows(TraceFile& file) : lines_(file, {.delimiter = '\n', .quotes = false}) {}

  // Goes to the next line that holds more than blanks; false at the end.
  bool next();
  std::string_view line_text() const { return line_; }  // blanks at its ends left out
  std::span<const std::string_view> fields() const { return fields_; }
  std::uint64_t line() const { return lines_.line(); }
  std::uint64_t offset() const { return lines_.offset(); }
  // Where a field begins; behind the last one: where the line ends.
  Location where(std::size_t field) const;

 private:
  CsvRows lines_;
  std::string_view line_;
  std::vector<std::string_view> fields_;
};

}  // namespace berth
