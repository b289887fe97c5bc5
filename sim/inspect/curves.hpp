// Cumulative distributions, at the knots of the Acme study's figures, and quartiles.
#pragma once

#include <string>
#include <vector>

#include "sim/inspect/quartiles.hpp"
#include "sim/workload/job_table.hpp"

namespace berth {

struct CurvePoint {
  double at = 0;
  double cdf_pct = 0;  // what of all is at most `at`
};

// Of the jobs of one type, of all GPU jobs ("GPU jobs"), or of those without ("CPU jobs"). Only
// jobs that ran are in.
struct TypeCurves {
  std::string type;
  Quartiles run_s;
  Quartiles queue_s;  // recorded start - submission; count 0 where the trace tells no starts
  Quartiles gpus;
  Quartiles gpu_time_s;
  std::vector<CurvePoint> run_cdf;    // at 1, 2, 4 ... s, at least to 2^21 (Fig. 6 a, c)
  std::vector<CurvePoint> queue_cdf;  // the same, at least to 2^15 (Fig. 6 b, d)
};

struct Curves {
  std::vector<TypeCurves> types;  // "GPU jobs", types in order of first appearance, "CPU jobs"
  // Of GPU jobs, at every size that occurs: jobs, and GPU time (Fig. 3).
  std::vector<CurvePoint> size_cdf;
  std::vector<CurvePoint> gpu_time_cdf;
  // Of GPU jobs: variance over squared mean of the run time, and the lag-1 autocorrelation of
  // log(1 s + run time) in order of submission, which tells campaigns of like jobs (the Kalos log
  // has 0.69, data/README). NaN for fewer than two jobs, or where all run equally long.
  double run_scv = 0;
  double run_log_lag1 = 0;
};

Curves curves_of(const JobTable& jobs, bool has_starts);

}  // namespace berth
