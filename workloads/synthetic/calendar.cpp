#include "workloads/synthetic/calendar.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace berth::synthetic {
namespace {

constexpr std::int64_t kHour = 3600, kDay = 86'400;

}  // namespace

Calendar::Calendar(const Profile& profile) : span_s_(profile.span_s()) {
  const std::int64_t shift = profile.local_offset_s - profile.stamp_offset_s;
  const std::int64_t start = profile.first_s + shift, end = profile.last_s + shift;
  edges_.push_back(0);
  cumulative_.push_back(0);
  for (std::int64_t from = start; from < end;) {
    const std::int64_t to = std::min(end, (from / kHour + 1) * kHour);
    const auto hour = static_cast<std::size_t>(from % kDay / kHour);
    const auto weekday = static_cast<std::size_t>((from / kDay + 3) % 7);  // 1970 began a Thursday
    const double rate = profile.by_hour[hour] * profile.by_weekday[weekday];
    edges_.push_back(static_cast<double>(to - start));
    cumulative_.push_back(cumulative_.back() + rate * static_cast<double>(to - from));
    from = to;
  }
  const double whole = cumulative_.back();
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    // A period without a working hour has even time.
    cumulative_[i] = whole > 0 ? cumulative_[i] / whole * span_s_ : edges_[i];
  }
  cumulative_.back() = span_s_;
}

double Calendar::working(double at_s) const {
  if (at_s >= span_s_) return at_s;
  const auto above =
      static_cast<std::size_t>(std::ranges::upper_bound(edges_, at_s) - edges_.begin());
  const double part = (at_s - edges_[above - 1]) / (edges_[above] - edges_[above - 1]);
  return cumulative_[above - 1] + part * (cumulative_[above] - cumulative_[above - 1]);
}

double Calendar::at(double working_s) const {
  if (working_s >= span_s_) return working_s;
  const auto above = static_cast<std::size_t>(std::ranges::upper_bound(cumulative_, working_s) -
                                              cumulative_.begin());
  const double part =
      (working_s - cumulative_[above - 1]) / (cumulative_[above] - cumulative_[above - 1]);
  return edges_[above - 1] + part * (edges_[above] - edges_[above - 1]);
}

}  // namespace berth::synthetic
