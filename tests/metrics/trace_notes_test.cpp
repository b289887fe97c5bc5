// What a trace report says in words, and as JSON.
#include "sim/metrics/trace_notes.hpp"

#include <gtest/gtest.h>

#include "sim/metrics/trace_json.hpp"

namespace berth::test {
namespace {

TraceReport::ColumnTest duration_test(std::uint64_t run, std::uint64_t whole, std::uint64_t either,
                                      std::uint64_t neither) {
  return {"duration",
          {{"end - start", run, {}},
           {"end - submit", whole, {}},
           {"either: there was no wait", either, {}},
           {"neither", neither, {}}}};
}

TEST(TraceNotesTest, SeparatesThousands) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(1031550), "1,031,550");
  EXPECT_EQ(with_commas(18446744073709551615U), "18,446,744,073,709,551,615");
}

TEST(TraceNotesTest, AVerdictNamesItsRowsAndTheFirst) {
  EXPECT_EQ(verdict_text({"no end", 1, "a.csv:4:7"}), "1 row: no end (a.csv:4:7)");
  EXPECT_EQ(verdict_text({"no end", 1200, "a.csv:4:7"}),
            "1,200 rows: no end (the first: a.csv:4:7)");
  EXPECT_EQ(verdict_text({"no end", 2, ""}), "2 rows: no end");
}

TEST(TraceNotesTest, AColumnIsWhatItsNameSaysOrNot) {
  const ColumnMeaning plain = column_meaning(duration_test(7, 0, 3, 0));
  EXPECT_TRUE(plain.plain);
  EXPECT_EQ(plain.text,
            "column duration is end - start in all 10 rows (in 3 of them without a wait: either "
            "way)");
  // As in Kalos.
  const ColumnMeaning kalos = column_meaning(duration_test(0, 62'410, 0, 0));
  EXPECT_FALSE(kalos.plain);
  EXPECT_EQ(kalos.text, "column duration is end - submit in all 62,410 rows");
  const ColumnMeaning mixed = column_meaning(duration_test(5, 2, 0, 1));
  EXPECT_FALSE(mixed.plain);
  EXPECT_EQ(mixed.text,
            "column duration is end - start in 5 of 8 rows, end - submit in 2, neither in 1");
  const ColumnMeaning none = column_meaning(duration_test(0, 0, 0, 4));
  EXPECT_FALSE(none.plain);
  EXPECT_EQ(none.text, "column duration is nothing that was tried, in all 4 rows");
  EXPECT_TRUE(column_meaning(duration_test(0, 0, 4, 0)).plain);
}

TEST(TraceJsonTest, HoldsEveryVerdict) {
  TraceReport report;
  report.format = "helios";
  report.files = {{"a.csv", 12, 0xabc}, {"b.csv", 3, 1}};
  report.rows = 5;
  report.kept = 3;
  report.dropped = {{"duplicate", 2, "a.csv:4"}};
  report.fixed = {{"no end", 1, "a.csv:2:1"}};
  report.column_tests = {duration_test(0, 3, 0, 0)};
  report.zone_source = "option timezone";
  const nlohmann::ordered_json json = trace_json(report);
  EXPECT_EQ(json["verdicts"].dump(),
            R"({"kept":3,"fixed":[{"reason":"no end","rows":1,"example":"a.csv:2:1"}],)"
            R"("dropped":[{"reason":"duplicate","rows":2,"example":"a.csv:4"}]})");
  EXPECT_EQ(json["files"].dump(), R"([{"name":"a.csv","bytes":12,"xxh3_64":"0000000000000abc"},)"
                                  R"({"name":"b.csv","bytes":3,"xxh3_64":"0000000000000001"}])");
  EXPECT_EQ(json["column_tests"][0]["found"], "column duration is end - submit in all 3 rows");
  EXPECT_EQ(json["column_tests"][0]["agreements"].size(), 4U);
  EXPECT_EQ(json["timezone"], "UTC");
  EXPECT_EQ(json["timezone_source"], "option timezone");
}

TEST(TraceJsonTest, DaysAreNullWhereATraceHasNoDates) {
  TraceReport report;
  SubmissionDays days;
  days.first_unix_ms = 1'677'628'800'000;  // 2023-03-01 00:00 UTC
  days.first_civil_ms = days.first_unix_ms + 8 * 3'600'000;
  days.last_unix_ms = days.first_unix_ms + 3'600'000;
  days.last_civil_ms = days.first_civil_ms + 3'600'000;
  days.first_day = 19'417;
  days.jobs = {1, 0, 0, 1};
  days.days_covered = 2;
  days.holes = {{19'418, 19'419}};
  nlohmann::ordered_json json;
  put_submissions(json, report, &days);
  EXPECT_EQ(json["first_submit_utc"], "2023-03-01 00:00:00Z");
  EXPECT_EQ(json["first_submit_local"], "2023-03-01 08:00:00");
  EXPECT_EQ(json["last_submit_utc"], "2023-03-01 01:00:00Z");
  EXPECT_EQ(json["last_submit_local"], "2023-03-01 09:00:00");
  EXPECT_EQ(json["days_spanned"], 4);
  EXPECT_EQ(json["days_covered"], 2);
  EXPECT_EQ(json["days_without_jobs"].dump(),
            R"([{"from":"2023-03-02","to":"2023-03-03","days":2}])");
  report.has_dates = false;
  put_submissions(json, report, &days);
  EXPECT_TRUE(json["first_submit_utc"].is_null());
  EXPECT_TRUE(json["days_covered"].is_null());
}

}  // namespace
}  // namespace berth::test
