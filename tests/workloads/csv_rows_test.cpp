// Rows of CSV against a plain twin, with the buffer's edge at every place of a row.
#include "workloads/reading/csv_rows.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "tests/workloads/files.hpp"
#include "workloads/reading/trace_file.hpp"

namespace berth::test {
namespace {

// A field and the line and column it begins at.
struct Cell {
  std::string text;
  std::int64_t line;
  std::int64_t column;
  bool operator==(const Cell&) const = default;
};
struct Table {
  std::vector<std::vector<Cell>> rows;
  std::string error;  // "line:column: word of the message"; empty: none
  bool operator==(const Table&) const = default;
};

void PrintTo(const Table& table, std::ostream* out) {
  for (const auto& row : table.rows) {
    for (const Cell& cell : row) {
      *out << cell.line << ':' << cell.column << '[' << testing::PrintToString(cell.text) << "] ";
    }
    *out << '\n';
  }
  *out << "error: " << table.error;
}

// The twin: one byte after the other, no state but where it is.
class PlainCsv {
 public:
  explicit PlainCsv(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  Table read() {
    while (at_ < text_.size() && table_.error.empty()) {
      if (end_of_line(at_) > 0) {
        skip_line_end();  // a blank line
      } else {
        row();
      }
    }
    return table_;
  }

 private:
  // The length of the line end at `at`, 0 if there is none. The end of the text is one, also
  // behind a last CR.
  std::size_t end_of_line(std::size_t at) const {
    if (at == text_.size()) return 1;
    if (text_[at] == '\n') return 1;
    if (text_[at] == '\r' && (at + 1 == text_.size() || text_[at + 1] == '\n')) return 2;
    return 0;
  }
  void skip_line_end() {
    at_ += end_of_line(at_);
    ++line_;
    column_ = 1;
  }
  void step() {
    if (text_[at_++] == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
  }
  void fail(std::int64_t line, std::int64_t column, const char* what) {
    table_.error = std::to_string(line) + ":" + std::to_string(column) + ": " + what;
  }

  void row() {
    std::vector<Cell> cells;
    while (true) {
      cells.push_back({"", line_, column_});
      std::string& field = cells.back().text;
      if (at_ < text_.size() && text_[at_] == '"') {
        const std::int64_t line = line_, column = column_;
        step();
        while (true) {
          if (at_ == text_.size()) return fail(line, column, "never closed");
          if (text_[at_] == '"') {
            step();
            if (at_ == text_.size() || text_[at_] != '"') break;
          }
          field += text_[at_];
          step();
        }
        if (end_of_line(at_) == 0 && text_[at_] != ',') {
          return fail(line_, column_, "behind a closing quote");
        }
      } else {
        while (end_of_line(at_) == 0 && text_[at_] != ',') {
          if (text_[at_] == '"') return fail(line_, column_, "within an unquoted field");
          field += text_[at_];
          step();
        }
      }
      if (end_of_line(at_) > 0) break;
      step();  // the comma
    }
    table_.rows.push_back(cells);
    skip_line_end();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  std::int64_t column_ = 1;
  Table table_;
};

class CsvRowsTest : public testing::Test {
 protected:
  std::filesystem::path write(std::string_view text) { return folder_.write("t.csv", text); }

  Table read(std::string_view text, std::size_t piece = CsvRows::kPiece) {
    Table table;
    const auto path = write(text);
    try {
      TraceFile file(path);
      CsvRows rows(file, {}, piece);
      while (rows.next()) {
        std::vector<Cell> cells;
        for (std::size_t i = 0; i < rows.fields().size(); ++i) {
          const Location where = rows.where(i);
          cells.push_back({std::string(rows.fields()[i]), where.line, where.column});
        }
        EXPECT_EQ(static_cast<std::int64_t>(rows.line()), cells.front().line);
        table.rows.push_back(cells);
      }
    } catch (const DataError& error) {
      table.error = error.what();
      for (const char* what :
           {"never closed", "behind a closing quote", "within an unquoted field"}) {
        if (table.error.find(what) == std::string::npos) continue;
        const std::size_t place = path.string().size() + 1;
        const std::size_t end = table.error.find(' ', place);
        table.error = table.error.substr(place, end - place) + " " + what;
      }
    }
    return table;
  }

  std::vector<std::string> texts(std::string_view text) {
    std::vector<std::string> out;
    const Table table = read(text);
    EXPECT_EQ(table.error, "");
    for (const auto& row : table.rows) {
      std::string line;
      for (const Cell& cell : row) line += "[" + cell.text + "]";
      out.push_back(line);
    }
    return out;
  }

  TempFolder folder_;
};

using Lines = std::vector<std::string>;

TEST_F(CsvRowsTest, SplitsRowsAndFields) {
  EXPECT_EQ(texts("a,b\nc,d\n"), (Lines{"[a][b]", "[c][d]"}));
  EXPECT_EQ(texts("a,b\nc,d"), (Lines{"[a][b]", "[c][d]"}));
  EXPECT_EQ(texts("a,b\r\nc,d\r\n"), (Lines{"[a][b]", "[c][d]"}));
  EXPECT_EQ(texts("a,b\r\nc,d\r"), (Lines{"[a][b]", "[c][d]"}));
  EXPECT_EQ(texts(",\n,,\n"), (Lines{"[][]", "[][][]"}));
  EXPECT_EQ(texts("a\rb,c\n"), (Lines{"[a\rb][c]"}));
}

TEST_F(CsvRowsTest, SkipsBlankLinesAndTheByteOrderMark) {
  EXPECT_EQ(texts("\n\r\n\na\n\n\nb\n\r\n"), (Lines{"[a]", "[b]"}));
  EXPECT_EQ(texts("\n"), Lines{});
  EXPECT_EQ(texts("\xEF\xBB\xBF"
                  "a,b\n"),
            (Lines{"[a][b]"}));
  EXPECT_EQ(texts("\xEF\xBB\xBF\"a\",b\n"), (Lines{"[a][b]"}));
  EXPECT_EQ(texts("\xEF\xBB\xBF"), Lines{});
  EXPECT_EQ(texts("a\n\xEF\xBB\xBF"
                  "b\n"),
            (Lines{"[a]",
                   "[\xEF\xBB\xBF"
                   "b]"}));
  EXPECT_EQ(texts("\"\"\n"), (Lines{"[]"}));  // an empty field, not a blank line
}

TEST_F(CsvRowsTest, TakesQuotesOff) {
  EXPECT_EQ(texts("\"a\",\"b,c\",d\n"), (Lines{"[a][b,c][d]"}));
  EXPECT_EQ(texts("\"say \"\"hi\"\"\",x\r\n"), (Lines{"[say \"hi\"][x]"}));
  EXPECT_EQ(texts("\"\"\"\",\"\"\"\"\"\",\"\"\n"), (Lines{"[\"][\"\"][]"}));
  EXPECT_EQ(texts("\"two\nlines\",b\nc"), (Lines{"[two\nlines][b]", "[c]"}));
  EXPECT_EQ(texts("\"cr\r\nlf\""), (Lines{"[cr\r\nlf]"}));
}

TEST_F(CsvRowsTest, KnowsWhereEachFieldBegins) {
  const auto path = write("\n\"a\n\"\"b\",cc,\"d\"\ne,f\n");
  TraceFile file(path);
  CsvRows rows(file);
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.line(), 2U);
  EXPECT_EQ(rows.where(0).text(), path.string() + ":2:1");
  EXPECT_EQ(rows.where(1).text(), path.string() + ":3:6");
  EXPECT_EQ(rows.where(2).text(), path.string() + ":3:9");
  EXPECT_EQ(rows.where(3).text(), path.string() + ":3:12");  // behind the row
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.where(1).text(), path.string() + ":4:3");
  EXPECT_EQ(rows.where(2).text(), path.string() + ":4:4");
  EXPECT_EQ(rows.offset(), 20U);  // all: 1 + 15 + 4 bytes
  EXPECT_FALSE(rows.next());
  EXPECT_FALSE(rows.next());
}

TEST_F(CsvRowsTest, RefusesWhatIsNoCsv) {
  EXPECT_EQ(read("a,b\nc,\"d\n").error, "2:3: never closed");
  EXPECT_EQ(read("a,\"b\nc\nd\ne").error, "1:3: never closed");
  EXPECT_EQ(read("a,\"").error, "1:3: never closed");
  EXPECT_EQ(read("a,\"b\"c\n").error, "1:6: behind a closing quote");
  EXPECT_EQ(read("a,\"b\" ,c\n").error, "1:6: behind a closing quote");
  EXPECT_EQ(read("a,\"b\"\rc\n").error, "1:6: behind a closing quote");
  EXPECT_EQ(read("a, \"b\"\n").error, "1:4: within an unquoted field");
  EXPECT_EQ(read("a\nb\"\n").error, "2:2: within an unquoted field");
}

TEST_F(CsvRowsTest, RefusesANulByteWhereItStands) {
  const std::string text("a,b\nc,d\ne,\0f\n", 13);
  for (const std::size_t piece : {1, 2, 3, 5, 8, 100}) {
    EXPECT_NE(read(text, piece).error.find("t.csv:3:3: a NUL byte"), std::string::npos) << piece;
  }
}

TEST_F(CsvRowsTest, ARowMayBeAMegabyteLongAndNotAByteMore) {
  const std::size_t most = CsvRows::kMaxRow;
  for (const std::string end : {"", "\n", "\r\n"}) {
    // The second divides 4 + 1048576 + 1: a piece ends between CR and LF.
    for (const std::size_t piece : {1000UL, 349'527UL, 65'536UL, CsvRows::kPiece}) {
      const std::string head = "a,b\n";
      const Table good = read(head + "c," + std::string(most - 2, 'x') + end, piece);
      EXPECT_EQ(good.error, "");
      ASSERT_EQ(good.rows.size(), 2U);
      EXPECT_EQ(good.rows[1][1].text.size(), most - 2);
      const Table quoted = read(head + "\"" + std::string(most - 2, '\n') + "\"" + end, piece);
      EXPECT_EQ(quoted.error, "");
      const Table bad = read(head + "c," + std::string(most - 1, 'x') + end + "d,e\n", piece);
      EXPECT_NE(bad.error.find("t.csv:2:1: the line is longer than 1 MiB"), std::string::npos)
          << bad.error;
    }
  }
  const Table open = read("a,\"" + std::string(2 * most, 'x'));
  EXPECT_NE(open.error.find("t.csv:1:3: this quote is not closed within 1 MiB"), std::string::npos)
      << open.error;
}

TEST_F(CsvRowsTest, ARowMayHave4096Fields) {
  const Table good = read(std::string(4095, ',') + "\na\n");
  ASSERT_EQ(good.error, "");
  EXPECT_EQ(good.rows[0].size(), 4096U);
  EXPECT_NE(read("a\n" + std::string(4096, ',')).error.find(":2:4097: more than 4096 fields"),
            std::string::npos);
}

// Sizes that put the end of the buffer at, before and behind every byte of a row and of the
// 64-byte blocks of the scan.
constexpr std::size_t kPieces[] = {1, 2, 3, 5, 13, 63, 64, 65, 100, 128, 1000, CsvRows::kPiece};

std::size_t any_piece(std::mt19937_64& random) { return kPieces[random() % std::size(kPieces)]; }

TEST_F(CsvRowsTest, AgreesWithThePlainTwinOnAnyBytes) {
  std::mt19937_64 random(3);
  constexpr std::string_view kBytes = "aaaaaaaabbb,,,,,\n\n\r\"\"\xEF\xBB\xBF";
  int errors = 0;
  for (int i = 0; i < 4000; ++i) {
    // The fewer special bytes, the longer it goes without an error.
    const std::size_t plain = random() % 2 == 0 ? 0 : 1000;
    std::string text(1 + random() % 300, 'x');
    for (char& c : text) {
      const std::size_t pick = random() % (kBytes.size() + plain);
      c = pick < kBytes.size() ? kBytes[pick] : 'x';
    }
    const Table expected = PlainCsv(text).read();
    const std::size_t piece = any_piece(random);
    ASSERT_EQ(read(text, piece), expected) << testing::PrintToString(text) << " piece " << piece;
    errors += expected.error.empty() ? 0 : 1;
  }
  EXPECT_GT(errors, 1000);
  EXPECT_LT(errors, 3000);
}

TEST_F(CsvRowsTest, GivesBackWhatWasWrittenAsCsv) {
  std::mt19937_64 random(4);
  constexpr std::string_view kBytes = "abc ,\n\r\"";
  for (int i = 0; i < 3000; ++i) {
    std::string text = random() % 8 == 0 ? "\xEF\xBB\xBF" : "";
    std::vector<std::vector<std::string>> source;
    for (auto rows = 1 + random() % 8; rows > 0; --rows) {
      auto& row = source.emplace_back();
      for (auto fields = 1 + random() % 6; fields > 0; --fields) {
        std::string field(random() % (random() % 8 == 0 ? 200 : 8), 'x');
        for (char& c : field) c = kBytes[random() % kBytes.size()];
        if (!row.empty()) text += ',';
        row.push_back(field);
        const bool must = field.find_first_of(",\n\r\"") != std::string::npos || fields == 1;
        if (must || random() % 2 == 0) {
          text += '"';
          for (const char c : field) text += c == '"' ? "\"\"" : std::string(1, c);
          text += '"';
        } else {
          text += field;
        }
      }
      if (rows > 1 || random() % 2 == 0) text += random() % 2 == 0 ? "\n" : "\r\n";
      if (rows > 1 && random() % 8 == 0) text += random() % 2 == 0 ? "\n" : "\r\n";  // blank
    }
    const std::size_t piece = any_piece(random);
    const Table table = read(text, piece);
    ASSERT_EQ(table.error, "");
    ASSERT_EQ(table, PlainCsv(text).read());
    std::vector<std::vector<std::string>> found;
    for (const auto& row : table.rows) {
      auto& out = found.emplace_back();
      for (const Cell& cell : row) out.push_back(cell.text);
    }
    ASSERT_EQ(found, source) << testing::PrintToString(text) << " piece " << piece;
  }
}

}  // namespace
}  // namespace berth::test
