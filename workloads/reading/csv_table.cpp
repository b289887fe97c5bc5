#include "workloads/reading/csv_table.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/config/wording.hpp"
#include "sim/core/suggest.hpp"
#include "workloads/reading/number.hpp"

namespace berth {

std::string shown(std::string_view text) { return '"' + printable(text, 40) + '"'; }

CsvTable::CsvTable(const std::filesystem::path& path, std::vector<std::string> names,
                   CsvDialect dialect)
    : names_(std::move(names)),
      file_(path),
      rows_(file_, dialect),
      position_(names_.size(), kAbsent) {
  bound_.fill(kAbsent);
}

void CsvTable::read_header() {
  if (!rows_.next()) {
    throw DataError(Location{file_.name(), 1, 0}, "only blank lines, expected a header line");
  }
  const auto header = rows_.fields();
  width_ = header.size();
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i].find('\r') != std::string_view::npos) {
      throw DataError(rows_.where(i),
                      "a carriage return within the header, expected lines that "
                      "end in LF or CRLF");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (header[i] == header[j] && !header[i].empty()) {
        throw DataError(rows_.where(i),
                        "column " + shown(header[i]) + " stands twice in the header");
      }
    }
    // Two columns of ours may be one of the file.
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (header[i] == names_[c]) position_[c] = i;
    }
  }
}

void CsvTable::no_header() {
  has_header_ = false;
  width_ = names_.size();
  for (std::size_t c = 0; c < names_.size(); ++c) position_[c] = c;
}

void CsvTable::no_header(const std::vector<std::size_t>& places) {
  has_header_ = false;
  width_ = 0;
  position_ = places;
}

void CsvTable::take_width() {
  width_ = rows_.fields().size();
  for (std::size_t c = 0; c < names_.size(); ++c) {
    if (position_[c] < width_) continue;
    throw DataError(rows_.where(width_), "the first row has " + std::to_string(width_) +
                                             " fields, there is no " + names_[c]);
  }
}

void CsvTable::refuse_header(const std::vector<Column>& missing, std::size_t too_many,
                             const std::string& expected, const std::string& hint) const {
  const auto header = rows_.fields();
  std::vector<std::string> unknown;
  for (const std::string_view field : header) {
    if (std::find(names_.begin(), names_.end(), field) == names_.end()) unknown.emplace_back(field);
  }
  std::vector<std::string> names;
  Location where = rows_.where(0);
  where.column = 0;
  std::string hints;
  // Where hardly a column is there, what looks like one of them does so by chance.
  const bool something_else = missing.size() > too_many;
  for (const Column column : missing) {
    names.push_back(names_[column]);
    const std::string near = something_else ? "" : nearest(names_[column], unknown);
    if (near.empty()) continue;
    const auto at = std::find(header.begin(), header.end(), near);
    if (hints.empty()) where = rows_.where(static_cast<std::size_t>(at - header.begin()));
    hints += (hints.empty() ? "; is " : ", ") + shown(near) + " meant to be " + names.back();
  }
  if (!hints.empty()) {
    hints += "?";
  } else if (something_else) {
    hints = "; expected the header line of " + expected;
  } else {
    hints = hint;
  }
  throw DataError(where, std::string("the header has no column") + (names.size() > 1 ? "s " : " ") +
                             join(names) + hints);
}

bool CsvTable::next() {
  fault_.clear();
  if (!rows_.next()) return false;
  if (width_ == 0) [[unlikely]]
    take_width();
  return true;
}

bool CsvTable::has_width() {
  const std::size_t found = rows_.fields().size();
  if (found == width_) return true;
  fault_ = "the row has " + std::to_string(found) + " fields, expected " + std::to_string(width_) +
           (has_header_ ? " as in the header" : "");
  fault_field_ = std::min(found, width_);
  return false;
}

bool CsvTable::fault(Column column, std::string message) {
  fault_ = std::move(message);
  fault_field_ = position_[column];
  return false;
}

bool CsvTable::unexpected(Column column, const char* expected, const char* reason) {
  std::string message = names_[column];
  const std::string_view found = value(column);
  message += found.empty() ? " is empty" : " is " + shown(found);
  message.append(", expected ").append(expected);
  if (reason != nullptr && !found.empty()) message.append(": ").append(reason);
  return fault(column, std::move(message));
}

bool CsvTable::text(Column column, std::string_view& out) {
  out = value(column);
  const bool ascii = std::all_of(out.begin(), out.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii || valid_utf8_prefix(out) == out.size()) return true;
  return unexpected(column, "text in UTF-8");
}

bool CsvTable::required_text(Column column, std::string_view& out, const char* expected) {
  if (!text(column, out)) return false;
  return !out.empty() || unexpected(column, expected);
}

bool CsvTable::count(Column column, std::uint32_t& out) {
  const std::string_view found = value(column);
  if (found.empty()) return true;
  const std::optional<std::uint32_t> parsed = parse_count(found);
  if (!parsed) return unexpected(column, kExpectedCount);
  out = *parsed;
  return true;
}

bool CsvTable::seconds(Column column, Duration& out) {
  const std::string_view found = value(column);
  if (found.empty()) return true;
  const std::optional<Duration> parsed = parse_seconds(found);
  if (!parsed) return unexpected(column, kExpectedSeconds);
  out = *parsed;
  return true;
}

bool CsvTable::amount(Column column, double& out) {
  const std::string_view found = value(column);
  if (found.empty()) return true;
  const std::optional<double> parsed = parse_number(found);
  if (!parsed || *parsed < 0) return unexpected(column, "a number, 0 or more");
  out = *parsed;
  return true;
}

Location CsvTable::where(RowField field) const {
  const std::size_t column = bound_[static_cast<std::size_t>(field)];
  if (column != kAbsent && has(column)) return where_of(column);
  return {file_.name(), static_cast<std::int64_t>(line()), 0};
}

std::string CsvTable::named(RowField field) const {
  const std::size_t column = bound_[static_cast<std::size_t>(field)];
  if (column == kAbsent) return "the row";
  const std::string_view found = value(column);
  return names_[column] + (found.empty() ? " is empty" : " " + shown(found));
}

}  // namespace berth
