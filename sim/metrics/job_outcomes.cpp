#include "sim/metrics/job_outcomes.hpp"

namespace berth {

void JobOutcomes::consume(std::span<const Record> records) {
  for (const Record& record : records) {
    JobOutcome& job = outcomes_[record.subject];
    switch (record.kind) {
      case RecordKind::kStarted:
        if (!job.started()) job.first_start = record.time;
        ++job.attempts;
        break;
      case RecordKind::kFinished:
        job.end = record.time;
        job.allocated += record.time - SimTime(Duration(record.a));
        break;
      case RecordKind::kPreempted:
        ++job.preemptions;
        job.allocated += record.time - SimTime(Duration(record.a));
        break;
      case RecordKind::kSubmitted:
        job.submit = record.time;
        break;
      case RecordKind::kTaken:
      case RecordKind::kGiven:
        break;
    }
  }
}

}  // namespace berth
