// What became of each job, folded from the records. Files and metrics about jobs read this.
#pragma once

#include <span>
#include <vector>

#include "sim/api/record.hpp"
#include "sim/core/huge_pages.hpp"

namespace berth {

struct JobOutcome {
  SimTime submit = kNever;       // kNever: it was not submitted
  SimTime first_start = kNever;  // kNever: it never started
  SimTime end = kNever;          // kNever: it never finished
  Duration allocated{};          // over all attempts
  std::uint32_t attempts = 0;
  std::uint32_t preemptions = 0;

  bool started() const { return first_start != kNever; }
  bool finished() const { return end != kNever; }
};

class JobOutcomes final : public RecordSink {
 public:
  explicit JobOutcomes(std::size_t jobs) : outcomes_(jobs) {}
  void consume(std::span<const Record> records) override;

  const JobOutcome& operator[](JobId job) const { return outcomes_[index(job)]; }
  std::span<const JobOutcome> all() const { return outcomes_; }

 private:
  JobVector<JobOutcome> outcomes_;
};

}  // namespace berth
