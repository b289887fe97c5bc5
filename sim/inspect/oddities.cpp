#include "sim/inspect/oddities.hpp"

#include "sim/api/shaped_jobs.hpp"
#include "sim/metrics/output_file.hpp"

namespace berth {
namespace {

constexpr Duration kLongGap = std::chrono::hours(6);

class Findings {
 public:
  explicit Findings(const JobTable& jobs) : jobs_(jobs) {}

  // Counts every job for which `odd` holds.
  template <class Odd>
  void count(const char* what, Odd odd) {
    Oddity found{what, 0, {}};
    for (const Job& job : jobs_.jobs()) {
      if (!odd(job)) continue;
      if (found.count++ == 0) found.example = name_of(job);
    }
    add(std::move(found));
  }
  void add(Oddity found) {
    if (found.count != 0) out_.push_back(std::move(found));
  }
  std::string name_of(const Job& job) const {
    std::string text = "job " + std::string(jobs_.id_of(job));
    if (job.line != 0) text += ", line " + std::to_string(job.line);
    return text;
  }
  std::vector<Oddity> take() { return std::move(out_); }

 private:
  const JobTable& jobs_;
  std::vector<Oddity> out_;
};

Oddity gaps_of(const JobTable& jobs) {
  Oddity found{"gaps of more than 6 h without a submission", 0, {}};
  Duration longest{};
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    const Duration gap = jobs.jobs()[i].submit - jobs.jobs()[i - 1].submit;
    if (gap <= kLongGap) continue;
    ++found.count;
    if (gap <= longest) continue;
    longest = gap;
    found.example =
        "the longest: " + describe(gap) + " before job " + std::string(jobs.id_of(jobs.jobs()[i]));
  }
  return found;
}

Oddity holes_of(const SubmissionDays& days) {
  Oddity found{"days without a submission", 0, {}};
  for (const SubmissionDays::Hole& hole : days.holes) {
    found.count += static_cast<std::uint64_t>(hole.last_day - hole.first_day + 1);
  }
  if (found.count != 0) {
    found.example = date_text(days.holes.front().first_day);
    if (days.holes.front().last_day != days.holes.front().first_day) {
      found.example += " to " + date_text(days.holes.front().last_day);
    }
  }
  return found;
}

}  // namespace

std::vector<Oddity> oddities_of(const JobTable& jobs, const TraceReport& report,
                                const SubmissionDays* days, const ClusterSpec* cluster) {
  Findings findings(jobs);
  findings.count("jobs that never started", [](const Job& job) { return job.never_started; });
  findings.add({"jobs that still ran when the trace ended", report.still_running, {}});
  findings.count("GPU jobs of no length", [](const Job& job) {
    return job.gpu_parts != 0 && !job.never_started && job.run == Duration(0);
  });
  findings.count("CPU jobs of no length", [](const Job& job) {
    return job.gpu_parts == 0 && !job.never_started && job.run == Duration(0);
  });
  findings.add({"rows whose duration is not end - start", report.duration_differs, {}});
  findings.count("jobs that ran beyond their time limit", [](const Job& job) {
    return !job.never_started && job.time_limit > Duration(0) && job.run > job.time_limit;
  });
  findings.add(gaps_of(jobs));
  if (days != nullptr) findings.add(holes_of(*days));
  if (cluster != nullptr) {
    const ShapedJobs shaped(jobs, *cluster);
    findings.count("jobs that the empty cluster cannot hold", [&](const Job& job) {
      return !shaped.can_run(JobId(static_cast<std::uint32_t>(&job - jobs.jobs().data())));
    });
  }
  return findings.take();
}

}  // namespace berth
