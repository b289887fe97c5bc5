// What a trace report says, in lines for people: shown by `berth run`, `check` and `inspect`.
#pragma once

#include <string>
#include <vector>

#include "sim/api/trace_reader.hpp"

namespace berth {

// 1031550 as "1,031,550".
std::string with_commas(std::uint64_t number);

// "12 rows: asks for a part of a GPU: rounded up (the first: jobs.csv:4:7)".
std::string verdict_text(const TraceReport::Verdict& verdict);

// What the values of a tested column turned out to be: "duration is end - submit in all 62,410
// rows". `plain`: they are what the name says in every row (end - start, start - submit), so that
// nobody needs to be told.
struct ColumnMeaning {
  std::string text;
  bool plain = true;
};
ColumnMeaning column_meaning(const TraceReport::ColumnTest& test);

}  // namespace berth
