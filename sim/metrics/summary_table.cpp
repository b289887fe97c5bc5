#include "sim/metrics/summary_table.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>

namespace berth {
namespace {

// More types than this and the table names the rest in one line; summary.json has them all.
constexpr std::size_t kTypesShown = 16;

template <class... Args>
std::string format(const char* pattern, Args... args) {
  std::array<char, 256> line{};
  std::snprintf(line.data(), line.size(), pattern, args...);
  return line.data();
}

std::string row(const GroupMetrics& group) {
  std::string name = group.name.substr(0, 12);
  // A type is the trace's text: it must not move the cursor or colour the terminal.
  std::ranges::replace_if(
      name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  // A mean of nothing is no number, and least of all zero.
  const auto shown = [](const Distribution& of, double value, int width, int decimals) {
    return of.count == 0 ? format(" %*s", width, "-") : format(" %*.*f", width, decimals, value);
  };
  return format("%-12s %9" PRIu64, name.c_str(), group.jobs.submitted) +
         shown(group.queue, group.queue.mean, 10, 1) +
         shown(group.queue, group.queue.median, 9, 0) + shown(group.queue, group.queue.p90, 9, 0) +
         shown(group.queue, group.queue.p99, 10, 0) + shown(group.queue, group.queue.max, 11, 0) +
         shown(group.jct, group.jct.mean, 11, 1) +
         shown(group.bounded_slowdown, group.bounded_slowdown.mean, 9, 2) +
         format(" %12.1f %6.1f%%\n", group.gpu_hours, group.gpu_share_pct);
}

}  // namespace

std::string summary_table(const Summary& summary) {
  std::string out = format("%-12s %9s %10s %9s %9s %10s %11s %11s %9s %12s %7s\n", "", "",
                           "queue (s)", "", "", "", "", "jct (s)", "bounded", "", "");
  out += format("%-12s %9s %10s %9s %9s %10s %11s %11s %9s %12s %7s\n", "type", "jobs", "mean",
                "median", "p90", "p99", "max", "mean", "slowdown", "GPU-hours", "share");
  for (std::size_t i = 0; i < summary.by_type.size() && i < kTypesShown; ++i) {
    out += row(summary.by_type[i]);
  }
  if (summary.by_type.size() > kTypesShown) {
    out +=
        format("... and %zu more types, in summary.json\n", summary.by_type.size() - kTypesShown);
  }
  out += row(summary.all);
  out += format("\nmakespan %s, GPU utilization %.1f %%",
                describe(Duration(std::llround(summary.makespan_s * 1000))).c_str(),
                summary.gpu_utilization_pct);
  if (summary.offered_load_pct) out += format(", offered load %.1f %%", *summary.offered_load_pct);
  out += '\n';
  if (summary.recorded) {
    const RecordedFit& fit = *summary.recorded;
    out += format("recorded schedule: %" PRIu64 " of %" PRIu64
                  " jobs did not fit at their recorded start",
                  fit.late, summary.all.jobs.finished);
    if (fit.late != 0) {
      out += format("; they started %.1f s later on average, %.1f s at most", fit.mean_delay_s,
                    fit.max_delay_s);
    }
    out += '\n';
  }
  const JobCounts& jobs = summary.all.jobs;
  out += format("submitted %" PRIu64 " = finished %" PRIu64 " + rejected %" PRIu64
                " + never started %" PRIu64 " + unfinished %" PRIu64 "\n",
                jobs.submitted, jobs.finished, jobs.rejected, jobs.never_started, jobs.unfinished);
  return out;
}

}  // namespace berth
