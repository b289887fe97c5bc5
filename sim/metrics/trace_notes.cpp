#include "sim/metrics/trace_notes.hpp"

#include <string_view>

namespace berth {
namespace {

// How intake.cpp names the rows that fit both meanings, and those that fit none.
constexpr std::string_view kEither = "either";
constexpr std::string_view kNeither = "neither";

}  // namespace

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string verdict_text(const TraceReport::Verdict& verdict) {
  std::string text = with_commas(verdict.rows) + (verdict.rows == 1 ? " row: " : " rows: ");
  text += verdict.reason;
  if (verdict.example.empty()) return text;
  return text + (verdict.rows == 1 ? " (" : " (the first: ") + verdict.example + ")";
}

ColumnMeaning column_meaning(const TraceReport::ColumnTest& test) {
  std::uint64_t rows = 0;
  std::uint64_t either = 0;
  const TraceReport::Verdict* best = nullptr;
  for (const TraceReport::Verdict& agreement : test.agreements) {
    rows += agreement.rows;
    if (agreement.reason.starts_with(kEither)) {
      either = agreement.rows;
    } else if (agreement.reason != kNeither && (best == nullptr || agreement.rows > best->rows)) {
      best = &agreement;
    }
  }
  const std::string name = "column " + test.column;
  if (best == nullptr || best->rows + either == 0) {
    return {name + " is nothing that was tried, in all " + with_commas(rows) + " rows", false};
  }
  const bool all = best->rows + either == rows;
  // Where every row fits two meanings the first, the plain one, is taken.
  const bool plain = all && best == &test.agreements.front();
  std::string text = name + " is " + best->reason + " in ";
  text += all ? "all " + with_commas(rows)
              : with_commas(best->rows + either) + " of " + with_commas(rows);
  text += " rows";
  if (either != 0) text += " (in " + with_commas(either) + " of them without a wait: either way)";
  for (const TraceReport::Verdict& agreement : test.agreements) {
    if (&agreement == best || agreement.rows == 0 || agreement.reason.starts_with(kEither))
      continue;
    text += ", ";
    text += agreement.reason == kNeither ? "neither" : agreement.reason;
    text += " in " + with_commas(agreement.rows);
  }
  return {text, plain};
}

}  // namespace berth
