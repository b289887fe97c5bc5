// window: the jobs submitted in a stretch of time, optionally with what was going on at its start.
//
//   - window: {from: 7d, to: 14d}                    # from the first submission of the workload
//   - window: {from: 2023-04-01, to: 2023-05-01, timezone: Asia/Shanghai, running: keep}
//
// from, to   half-open, [from, to); one of them may be left out. See instant.hpp for dates.
// running    keep: jobs that by the trace had started before `from` and still ran then are
//            submitted at `from`, ahead of all others, with the run time (and time limit) that was
//            left: a warm start. Default: drop.
// waiting    keep: jobs that were submitted before `from` and started at or after it are submitted
//            at `from`, behind the running ones. Their queue time counts from there. Jobs that
//            never started are dropped: the trace does not say when they gave up. Default: drop.
//
// Time zero of the run is the first submission that is kept, not `from`.
#include <algorithm>
#include <optional>

#include "sim/api/workload_transform.hpp"
#include "sim/core/time_zone.hpp"
#include "workloads/builtin.hpp"
#include "workloads/transforms/instant.hpp"
#include "workloads/transforms/option_place.hpp"

namespace berth {
namespace {

std::string utc_text(SimTime time) { return civil_text(to_ms(time)) + " UTC"; }

class Window final : public WorkloadTransform {
 public:
  explicit Window(ConfigNode& node) : place_(place_of(node)) {
    const bool has_from = node.has("from");
    if (has_from) from_ = read_instant(node, "from");
    if (node.has("to")) to_ = read_instant(node, "to");
    if (!has_from && !node.has("to")) node.error("", "from, to or both are expected");
    if (from_ && to_ && from_->is_date == to_->is_date && from_->ms >= to_->ms) {
      node.error("to", "a window ends after it begins; from is not before to");
    }
    if (!has_from) {
      for (const char* key : {"running", "waiting"}) {
        if (node.has(key)) node.error(key, "has no meaning without from: nothing went on before");
      }
      return;
    }
    keeps_running_ = node.choice("running", {"drop", "keep"}, "drop") == "keep";
    keeps_waiting_ = node.choice("waiting", {"drop", "keep"}, "drop") == "keep";
  }

  std::string apply(JobTableBuilder& rows) const override {
    JobVector<Job>& jobs = rows.jobs();
    const std::size_t before = jobs.size();
    if (before == 0) return "window: there is no job";
    const SimTime first = jobs.front().submit;
    const SimTime last = jobs.back().submit;
    const SimTime from = from_ ? from_->at(first) : first;
    const SimTime to = to_ ? to_->at(first) : last + Duration(1);
    if (from_ && to_ && from >= to) {
      throw place_.fault("the window ends at " + utc_text(to) + ", before it begins at " +
                         utc_text(from));
    }

    JobVector<Job> running;
    JobVector<Job> waiting;
    JobVector<Job> inside;
    for (const Job& job : jobs) {
      if (job.submit >= from) {
        if (job.submit < to) inside.push_back(job);
      } else if (job.never_started) {
        continue;
      } else if (job.recorded_start >= from) {
        if (keeps_waiting_) waiting.push_back(submitted_at(from, job));
      } else if (job.recorded_start + job.run > from) {
        if (keeps_running_) running.push_back(rest_of(submitted_at(from, job), from));
      }
    }
    std::string line = "window: kept " + std::to_string(inside.size()) + " of " +
                       std::to_string(before) + " jobs, those submitted from " + utc_text(from) +
                       (to_ ? " until before " + utc_text(to) : " on");
    if (keeps_running_) {
      line +=
          "; " + std::to_string(running.size()) + " that ran at its start have their rest to run";
    }
    if (keeps_waiting_) {
      line +=
          "; " + std::to_string(waiting.size()) + " that waited at its start are submitted then";
    }
    if (inside.empty() && running.empty() && waiting.empty()) {
      line += "; the workload's were from " + utc_text(first) + " to " + utc_text(last);
    }
    // The order of these three is the queue order at `from`: sorting by submission is stable.
    jobs = std::move(running);
    jobs.insert(jobs.end(), waiting.begin(), waiting.end());
    jobs.insert(jobs.end(), inside.begin(), inside.end());
    return line;
  }

 private:
  static Job submitted_at(SimTime from, Job job) {
    job.submit = from;
    return job;
  }
  static Job rest_of(Job job, SimTime from) {
    const Duration done = from - job.recorded_start;
    job.recorded_start = from;
    job.run -= done;
    if (job.time_limit >= Duration(0))
      job.time_limit = std::max(Duration(0), job.time_limit - done);
    return job;
  }

  OptionPlace place_;
  std::optional<Instant> from_;
  std::optional<Instant> to_;
  bool keeps_running_ = false;
  bool keeps_waiting_ = false;
};

}  // namespace

void register_window(TransformRegistry& transforms) {
  transforms.add(
      "window", "only the jobs submitted in a stretch of time",
      {{"from", "after the first submission (7d) or a date; default: the first submission"},
       {"to", "the same, not included; default: the last submission, included"},
       {"timezone", "of dates without an offset from UTC"},
       {"running", "drop | keep: jobs that ran at `from` go on with what was left; default drop"},
       {"waiting", "drop | keep: jobs that waited at `from` are submitted then; default drop"}},
      [](ConfigNode& node, const TransformContext&) { return std::make_unique<Window>(node); });
}

}  // namespace berth
