// A condition on the columns of a job, as people write one:
//
//   gpus >= 8 && type == 'Eval'
//   !(user == "u1082") || run_s / 3600 > 2
//
// Operators, from what binds tightest: ! and a sign; * /; + -; < <= > >=; == !=; &&; ||. Both sides
// of && and || are true or false, and the right one is looked at only if it matters. Texts stand in
// single or double quotes, without escapes, and are compared by == and != only. Numbers are
// doubles.
//
// gpus cpus memory_gib   asked for; cpus and memory_gib are 0 where the trace does not say
// run_s                  recorded run time in seconds
// submit_s               since the first submission, of the workload as this transform finds it
// queue_s limit_s        recorded wait and requested time limit; where the trace has none (a job
//                        that never started, no limit) no number: of the comparisons only != holds
// user type state vc account priority gpu_model name
//                        texts; empty where the trace does not say
//
// Parsed by muparserX, with operators of our own: its own ones compare a text with a number as
// unequal, divide by zero, and assign where `=` is written for `==`.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "sim/workload/job_table.hpp"

namespace berth {

// Why an expression cannot be read, or has no value for a job; for people.
class ExpressionFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class JobExpression {
 public:
  // Throws ExpressionFault unless `text` is a condition, whatever the job.
  explicit JobExpression(const std::string& text);
  ~JobExpression();
  JobExpression(const JobExpression&) = delete;
  JobExpression& operator=(const JobExpression&) = delete;

  // `first`: the earliest submission. Throws ExpressionFault on a division by zero.
  bool holds(const JobTable& names, const Job& job, SimTime first);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace berth
