// Working time: the clock that runs at the relative rate of the hour and weekday, so that people's
// habits become even. Submissions are spread evenly over it, and pauses of thought are measured in
// it: what ends at night is followed up in the morning.
#pragma once

#include <vector>

#include "workloads/synthetic/profile.hpp"

namespace berth::synthetic {

class Calendar {
 public:
  explicit Calendar(const Profile& profile);

  // Working seconds from the start of the period to `at_s` seconds after it. The whole period has
  // as many working seconds as seconds; beyond it both clocks run alike.
  double working(double at_s) const;
  // The other way round.
  double at(double working_s) const;

 private:
  double span_s_;
  std::vector<double> edges_;       // seconds: start, every local full hour, end
  std::vector<double> cumulative_;  // working seconds at each edge
};

}  // namespace berth::synthetic
