// The data rows of a CSV file whose columns are found by name: values by column, faults with their
// place, typed reading that says what was expected.
//
// A format names its columns once, in an order of its own; Column is the index in that list.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/reading/csv_rows.hpp"
#include "workloads/reading/intake.hpp"

namespace berth {

class CsvTable : public RowPlaces {
 public:
  using Column = std::size_t;

  CsvTable(const std::filesystem::path& path, std::vector<std::string> names,
           CsvDialect dialect = {});

  // Reads the header line. Columns that are not in `names` are ignored. Throws DataError where the
  // file has no rows or a column stands twice.
  void read_header();
  // For a file without a header: the columns stand in the order of `names`, all of them.
  void no_header();
  // The same where each column of `names` stands at a place of its own (from 0) and there may be
  // others: rows are as wide as the first one. Throws DataError from next() if that has too few.
  void no_header(const std::vector<std::size_t>& places);
  // Refuses the header for lack of `missing`, with what they may have been misspelt as; if more
  // than `too_many` are missing, the file is taken for something else: `expected` tells what was
  // due ("an Acme trace: job_id,user,...").
  [[noreturn]] void refuse_header(const std::vector<Column>& missing, std::size_t too_many,
                                  const std::string& expected, const std::string& hint = {}) const;
  bool has(Column column) const { return position_[column] != kAbsent; }
  const std::string& name(Column column) const { return names_[column]; }
  // The column that a fault in `field` is shown at.
  void bind(RowField field, Column column) { bound_[static_cast<std::size_t>(field)] = column; }

  // Goes to the next row; false at the end. The fault of the last row is forgotten.
  bool next();
  // All fields of the row, of the header line behind read_header().
  std::span<const std::string_view> fields() const { return rows_.fields(); }
  std::uint64_t line() const { return rows_.line(); }
  std::uint64_t offset() const { return rows_.offset(); }
  const TraceFile& file() const { return file_; }

  // The value in a column; empty where the file has no such column.
  std::string_view value(Column column) const {
    const std::size_t at = position_[column];
    return at == kAbsent ? std::string_view() : rows_.fields()[at];
  }

  // --- reading, false if the value is wrong; the fault is kept ---

  // The row has as many fields as the header.
  bool has_width();
  // Names go into results, some of them JSON: in UTF-8 or not at all.
  bool text(Column column, std::string_view& out);
  // The same, and not empty: `expected` is "a name".
  bool required_text(Column column, std::string_view& out, const char* expected);
  // These leave `out` as it is where the value is empty.
  bool count(Column column, std::uint32_t& out);
  bool seconds(Column column, Duration& out);
  bool amount(Column column, double& out);  // 0 or more
  template <class Parser>
  bool time(Column column, Parser& parser, const char* expected, std::int64_t& out_ms) {
    const std::string_view found = value(column);
    if (found.empty()) return true;
    const auto parsed = parser.parse(found);
    if (parsed.fault != nullptr) return unexpected(column, expected, parsed.fault);
    out_ms = parsed.unix_ms;
    return true;
  }
  // Say why the row is bad; return false, so that reading can end with it.
  bool fault(Column column, std::string message);
  // `start_time is "x", expected a time`, or `... is empty, expected ...`.
  bool unexpected(Column column, const char* expected, const char* reason = nullptr);
  void add_to_fault(const std::string& text) { fault_ += text; }
  const std::string& fault() const { return fault_; }
  Location fault_place() const { return rows_.where(fault_field_); }

  // --- RowPlaces ---
  Location where(RowField field) const override;
  std::string named(RowField field) const override;
  Location where_of(Column column) const { return rows_.where(position_[column]); }

 private:
  void take_width();

  static constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kRowFields = static_cast<std::size_t>(RowField::kGpus) + 1;

  std::vector<std::string> names_;
  TraceFile file_;
  CsvRows rows_;
  std::vector<std::size_t> position_;  // of each column in a row, or kAbsent
  std::size_t width_ = 0;              // fields of a row; 0: as many as the first will have
  bool has_header_ = true;
  std::array<std::size_t, kRowFields> bound_{};  // columns, or kAbsent
  std::string fault_;
  std::size_t fault_field_ = 0;
};

// What typed values are expected to be, for messages of formats that check more.
inline constexpr const char* kExpectedCount = "a whole number from 0 to 2147483648";
inline constexpr const char* kExpectedSeconds = "seconds from 0 to 315360000 (10 years)";

// A value as messages show it: in quotes, on one line, not too long.
std::string shown(std::string_view text);

}  // namespace berth
