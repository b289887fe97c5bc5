// What schedulers believe about a job's run time when it is submitted.
#pragma once

#include "sim/workload/job_table.hpp"

namespace berth {

class EstimateModel {
 public:
  virtual ~EstimateModel() = default;
  // Called once per run before the first submission. Throws ConfigError if the workload lacks what
  // the model needs.
  virtual void prepare(const JobTable&) {}
  // The predicted run time, 0 <= result <= kLongestDuration. Called once per job, at submission.
  virtual Duration predict(JobId id, const Job& job) = 0;
};

}  // namespace berth
