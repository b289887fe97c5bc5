// Rows of a CSV file (RFC 4180), split where they lie: only fields with doubled quotes are copied.
// The comma may be another byte, and quotes may be ordinary text (CsvDialect).
//
// LF or CRLF, a UTF-8 byte-order mark, quoted fields with "" and with commas and line ends inside,
// a last line without its end; blank lines are skipped. What RFC 4180 does not allow is an error
// that names its line and column: a quote that is never closed, anything behind a closing quote, a
// quote within an unquoted field, a NUL byte. So is a row of more than kMaxRow bytes, which is how
// a file that is no CSV at all fails at once and in bounded memory.
//
// Why our own: reading is held to 500 MB/s whole, with numbers and dates parsed. Debian's libcsv
// does 520 to 540 MB/s for the split alone, into copies, and cannot say where a field stands.
// Here 64 bytes at a time become a bit mask of commas, line ends and quotes, and the scan goes
// from one set bit to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "workloads/reading/trace_file.hpp"

namespace berth {

// What separates the fields of a row, and whether quotes mean anything. With '\n' as the delimiter
// each line is one field.
struct CsvDialect {
  char delimiter = ',';
  bool quotes = true;
};

class CsvRows {
 public:
  static constexpr std::size_t kMaxRow = std::size_t{1} << 20;
  static constexpr std::size_t kMaxFields = 4096;
  // Bytes asked of the file at a time: small enough to stay in the second-level cache between
  // being read, hashed, scanned and parsed. Tests choose others, to move where a row is cut.
  static constexpr std::size_t kPiece = std::size_t{256} << 10;

  explicit CsvRows(TraceFile& file, CsvDialect dialect = {}, std::size_t piece = kPiece);
  CsvRows(const CsvRows&) = delete;
  CsvRows& operator=(const CsvRows&) = delete;

  // Goes to the next row; false at the end of the file, which has then been read to its last
  // byte. Throws DataError on what cannot be split into rows: nothing after that can be trusted.
  bool next();

  // Of the current row; valid until the next call of next(). Quotes are taken off.
  std::span<const std::string_view> fields() const { return {fields_.data(), count_}; }
  // The line that the current row begins on, from 1.
  std::uint64_t line() const { return line_; }
  // Where a field begins (a quoted one: at its quote). `field` may be one past the last: where a
  // further field would be. Columns are bytes, from 1, a byte-order mark left out.
  Location where(std::size_t field) const;
  // Bytes of (unpacked) CSV up to the end of the current row.
  std::uint64_t offset() const {
    return offset_of_buffer_ + static_cast<std::uint64_t>(next_row_ - buffer_.get());
  }

 private:
  // Moves the unfinished row to the front of the buffer and reads on behind it; false if there is
  // no more.
  bool refill();
  // Splits the row at next_row_; false if it may go on behind the buffer.
  bool split();
  // Pushes the field whose opening quote is at `quote`. Returns the comma or line end behind it,
  // or null if that is not in the buffer yet.
  const char* split_quoted(const char* quote);
  void push(const char* begin, const char* end);
  // The special bytes (delimiter, line end, quote) of block[0, 64), a bit each; none behind end_.
  std::uint64_t specials(const char* block) const;
  // Makes "" in quoted fields into ".
  void unquote();
  // Whether the field whose text begins at `text` stands in quotes: an unquoted one has a comma or
  // nothing before it.
  bool is_quoted(const char* text) const { return text != row_ && text[-1] == '"'; }
  [[noreturn]] void fail(const char* at, std::string_view message) const;
  Location place(const char* at) const;

  TraceFile& file_;
  const CsvDialect dialect_;
  const std::size_t piece_;
  std::unique_ptr<char[]> buffer_;
  char* end_;                           // of the bytes in buffer_; at the end of the file they are
  bool at_end_of_file_ = false;         // made to end in a line end
  std::uint64_t offset_of_buffer_ = 0;  // of buffer_[0] in the (unpacked) file

  char* row_;                         // the current row
  const char* row_end_;               // its line end (the CR of CRLF)
  char* next_row_;                    // the row after it
  std::uint64_t line_ = 1;            // of row_
  std::uint64_t next_line_ = 1;       // of next_row_
  const char* open_quote_ = nullptr;  // of a quoted field that runs out of the buffer
  bool has_doubled_quotes_ = false;   // in the current row
  bool blank_ = false;                // the current row is

  // The scan stands in block_[0, 64); mask_ holds the special bytes that it has not passed yet.
  const char* block_;
  std::uint64_t mask_ = 0;

  std::vector<std::string_view> fields_;  // kMaxFields, the first count_ of them in use
  std::size_t count_ = 0;
  // Only for a row with doubled quotes: the texts without them, and where each field begins.
  std::string unquoted_;
  std::vector<const char*> raw_;
};

}  // namespace berth
