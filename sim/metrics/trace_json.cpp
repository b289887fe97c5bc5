#include "sim/metrics/trace_json.hpp"

#include "sim/core/digest.hpp"
#include "sim/metrics/trace_notes.hpp"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

Json verdicts_json(const std::vector<TraceReport::Verdict>& verdicts) {
  Json out = Json::array();
  for (const TraceReport::Verdict& verdict : verdicts) {
    out.push_back(
        {{"reason", verdict.reason}, {"rows", verdict.rows}, {"example", verdict.example}});
  }
  return out;
}

Json column_tests_json(const std::vector<TraceReport::ColumnTest>& tests) {
  Json out = Json::array();
  for (const TraceReport::ColumnTest& test : tests) {
    Json agreements = Json::array();
    for (const TraceReport::Verdict& agreement : test.agreements) {
      agreements.push_back({{"meaning", agreement.reason}, {"rows", agreement.rows}});
    }
    out.push_back({{"column", test.column},
                   {"found", column_meaning(test).text},
                   {"agreements", std::move(agreements)}});
  }
  return out;
}

}  // namespace

Json trace_json(const TraceReport& trace) {
  Json out = {{"format", trace.format},
              {"bytes", trace.bytes},
              {"xxh3_64", hex(trace.hash)},
              {"rows", trace.rows},
              {"bad_rows_skipped", trace.bad_rows},
              {"never_started", trace.never_started},
              {"still_running", trace.still_running},
              {"duration_differs", trace.duration_differs}};
  out["files"] = Json::array();
  for (const TraceReport::File& file : trace.files) {
    out["files"].push_back(
        {{"name", file.name}, {"bytes", file.bytes}, {"xxh3_64", hex(file.hash)}});
  }
  out["verdicts"] = {{"kept", trace.kept},
                     {"fixed", verdicts_json(trace.fixed)},
                     {"dropped", verdicts_json(trace.dropped)}};
  out["column_tests"] = column_tests_json(trace.column_tests);
  out["timezone"] = trace.zone.name();
  out["timezone_source"] = trace.zone_source;
  return out;
}

void put_submissions(Json& out, const TraceReport& trace, const SubmissionDays* days) {
  if (!trace.has_dates || days == nullptr) {
    for (const char* key :
         {"first_submit_utc", "last_submit_utc", "first_submit_local", "last_submit_local",
          "days_spanned", "days_covered", "days_without_jobs"}) {
      out[key] = nullptr;
    }
    return;
  }
  out["first_submit_utc"] = civil_text(days->first_unix_ms) + "Z";
  out["last_submit_utc"] = civil_text(days->last_unix_ms) + "Z";
  out["first_submit_local"] = civil_text(days->first_civil_ms);
  out["last_submit_local"] = civil_text(days->last_civil_ms);
  out["days_spanned"] = days->jobs.size();
  out["days_covered"] = days->days_covered;
  out["days_without_jobs"] = Json::array();
  for (const SubmissionDays::Hole& hole : days->holes) {
    out["days_without_jobs"].push_back({{"from", date_text(hole.first_day)},
                                        {"to", date_text(hole.last_day)},
                                        {"days", hole.last_day - hole.first_day + 1}});
  }
}

}  // namespace berth
