#include "workloads/reading/csv_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace berth {
namespace {

constexpr std::size_t kBlock = 64;

// A bit for each delimiter, line end and quote of block[0, 64). A dialect without quotes looks for
// a second line end in their place.
inline std::uint64_t specials_of(const char* block, CsvDialect dialect) {
  const char third = dialect.quotes ? '"' : '\n';
  std::uint64_t mask = 0;
#ifdef __SSE2__
  const __m128i delimiter = _mm_set1_epi8(dialect.delimiter);
  const __m128i line_end = _mm_set1_epi8('\n');
  const __m128i quote = _mm_set1_epi8(third);
  for (unsigned i = 0; i < kBlock; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + i));
    const __m128i hits = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(bytes, delimiter), _mm_cmpeq_epi8(bytes, line_end)),
        _mm_cmpeq_epi8(bytes, quote));
    mask |= std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(hits))} << i;
  }
#else
  for (unsigned i = 0; i < kBlock; ++i) {
    const char c = block[i];
    mask |= std::uint64_t{c == dialect.delimiter || c == '\n' || c == third} << i;
  }
#endif
  return mask;
}

const char* find(const char* begin, const char* end, char c) {
  return static_cast<const char*>(std::memchr(begin, c, static_cast<std::size_t>(end - begin)));
}

}  // namespace

CsvRows::CsvRows(TraceFile& file, CsvDialect dialect, std::size_t piece)
    : file_(file),
      dialect_(dialect),
      piece_(piece),
      // A row that is just not too long and the CR behind it, a piece, the line end that the last
      // row may lack, and as much as a block may overhang.
      buffer_(std::make_unique_for_overwrite<char[]>(kMaxRow + 1 + piece + 1 + kBlock)),
      end_(buffer_.get()),
      row_(end_),
      row_end_(end_),
      next_row_(end_),
      block_(end_),
      fields_(kMaxFields) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  while (end_ - next_row_ < 3 && refill()) {
  }
  const std::string_view head(next_row_, static_cast<std::size_t>(end_ - next_row_));
  if (head.starts_with(kByteOrderMark)) next_row_ += kByteOrderMark.size();
  block_ = next_row_;
  mask_ = specials(block_);
}

bool CsvRows::next() {
  do {
    line_ = next_line_;
    while (!split()) {
      if (refill()) continue;
      if (next_row_ != end_) fail(open_quote_, "this quote is never closed");
      count_ = 0;
      return false;
    }
  } while (blank_);
  if (has_doubled_quotes_) unquote();
  return true;
}

bool CsvRows::refill() {
  const auto rest = static_cast<std::size_t>(end_ - next_row_);
  if (at_end_of_file_) return false;
  if (rest > kMaxRow + 1) {  // 1: the CR of its line end
    if (open_quote_ != nullptr) fail(open_quote_, "this quote is not closed within 1 MiB");
    fail(row_, "the line is longer than 1 MiB, expected rows of a CSV file");
  }
  offset_of_buffer_ += static_cast<std::uint64_t>(next_row_ - buffer_.get());
  std::memmove(buffer_.get(), next_row_, rest);
  row_ = next_row_ = buffer_.get();
  end_ = next_row_ + rest;
  const std::size_t got = file_.read(end_, piece_);
  if (const char* const nul = find(end_, end_ + got, '\0')) {
    fail(nul, "a NUL byte: this is binary data or UTF-16, expected text in UTF-8");
  }
  end_ += got;
  if (got < piece_) {
    at_end_of_file_ = true;
    if (end_ != row_ && end_[-1] != '\n') *end_++ = '\n';
  }
  block_ = next_row_;
  mask_ = specials(block_);
  return true;
}

inline std::uint64_t CsvRows::specials(const char* block) const {
  const std::uint64_t mask = specials_of(block, dialect_);
  const auto inside = static_cast<std::size_t>(end_ - block);
  return inside >= kBlock ? mask : mask & ((std::uint64_t{1} << inside) - 1);
}

inline void CsvRows::push(const char* begin, const char* end) {
  if (count_ == kMaxFields) [[unlikely]]
    fail(begin, "more than 4096 fields in a row");
  fields_[count_++] = std::string_view(begin, static_cast<std::size_t>(end - begin));
}

bool CsvRows::split() {
  row_ = next_row_;
  count_ = 0;
  open_quote_ = nullptr;
  has_doubled_quotes_ = false;
  next_line_ = line_ + 1;
  // In registers: the stores of push() may alias members.
  const char* block = block_;
  std::uint64_t mask = mask_;
  const char* field = row_;
  const char delimiter = dialect_.delimiter;
  while (true) {
    while (mask == 0) {
      block += kBlock;
      if (block >= end_) return false;
      mask = specials(block);
    }
    const char* at = block + std::countr_zero(mask);
    mask &= mask - 1;
    if (*at == delimiter && delimiter != '\n') [[likely]] {
      push(field, at);
      field = at + 1;
      continue;
    }
    bool pushed = false;
    if (*at == '"') {  // found only where quotes count
      if (at != field) fail(at, "a quote within an unquoted field");
      const char* const behind = split_quoted(at);
      if (behind == nullptr) return false;
      at = block = behind;
      mask = specials(block) & ~std::uint64_t{1};  // the byte at `behind` is passed here
      field = at + 1;
      if (*at == delimiter) continue;
      pushed = true;
    }
    // The line end.
    row_end_ = at != row_ && at[-1] == '\r' ? at - 1 : at;
    if (static_cast<std::size_t>(row_end_ - row_) > kMaxRow) {
      fail(row_, "the line is longer than 1 MiB, expected rows of a CSV file");
    }
    blank_ = row_end_ == row_;
    if (!pushed) push(field, row_end_);
    next_row_ = buffer_.get() + (at + 1 - buffer_.get());
    block_ = block;
    mask_ = mask;
    return true;
  }
}

const char* CsvRows::split_quoted(const char* quote) {
  open_quote_ = quote;
  const char* close = quote + 1;
  while (true) {
    close = find(close, end_, '"');
    if (close == nullptr || close + 1 == end_) return nullptr;
    if (close[1] != '"') break;
    has_doubled_quotes_ = true;
    close += 2;
  }
  const char* behind = close + 1;
  if (*behind == '\r') {
    if (behind + 1 == end_) return nullptr;
    if (behind[1] == '\n') ++behind;
  }
  if (*behind != dialect_.delimiter && *behind != '\n') {
    fail(close + 1, "text behind a closing quote, expected a comma or the end of the line");
  }
  open_quote_ = nullptr;
  push(quote + 1, close);
  next_line_ += static_cast<std::uint64_t>(std::count(quote, close, '\n'));
  return behind;
}

void CsvRows::unquote() {
  unquoted_.clear();
  unquoted_.reserve(static_cast<std::size_t>(row_end_ - row_));  // it must not move from here on
  raw_.clear();
  for (std::size_t i = 0; i < count_; ++i) {
    std::string_view& field = fields_[i];
    raw_.push_back(field.data());
    if (!is_quoted(field.data())) continue;
    const std::size_t begin = unquoted_.size();
    for (std::size_t at = 0; at < field.size(); ++at) {
      unquoted_ += field[at];
      if (field[at] == '"') ++at;
    }
    field = std::string_view(unquoted_).substr(begin);
  }
}

Location CsvRows::where(std::size_t field) const {
  if (field >= count_) return place(row_end_);
  const char* const at = has_doubled_quotes_ ? raw_[field] : fields_[field].data();
  return place(is_quoted(at) ? at - 1 : at);
}

Location CsvRows::place(const char* at) const {
  const char* const row = row_;
  const auto lines = std::count(row, at, '\n');
  const char* line_begin = at;
  while (line_begin != row && line_begin[-1] != '\n') --line_begin;
  return {file_.name(), static_cast<std::int64_t>(line_) + lines, at - line_begin + 1};
}

void CsvRows::fail(const char* at, std::string_view message) const {
  throw DataError(place(at), message);
}

}  // namespace berth
