// What was read, as it stands in summary.json and in inspect.json.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/api/trace_reader.hpp"
#include "sim/metrics/submission_days.hpp"

namespace berth {

// Format, hashes, a verdict for every row, what the columns were found to mean, the clock.
nlohmann::ordered_json trace_json(const TraceReport& trace);

// Adds first and last submission, in UTC and local, and the days between to `out`. Null where the
// trace has no dates, or `days` is null.
void put_submissions(nlohmann::ordered_json& out, const TraceReport& trace,
                     const SubmissionDays* days);

}  // namespace berth
