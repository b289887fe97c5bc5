#include "sim/metrics/jobs_csv.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "sim/metrics/output_file.hpp"

namespace berth {
namespace {

std::string_view final_state(const Job& job, const JobOutcome& outcome) {
  if (job.never_started || outcome.finished()) return name(job.state);
  return outcome.started() ? "UNFINISHED" : "PENDING";
}

std::vector<std::string> as_csv(const std::vector<std::string>& names) {
  std::vector<std::string> out(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) append_csv_text(out[i], names[i]);
  return out;
}

// The numbers of a line are put together here and appended at once: a line has a dozen, and there
// may be millions of lines.
class Numbers {
 public:
  Numbers& integer(std::int64_t value) {
    *at_++ = ',';
    at_ = std::to_chars(at_, text_ + sizeof text_, value).ptr;
    return *this;
  }
  Numbers& gpus(std::uint32_t parts, std::uint32_t parts_per_gpu) {
    *at_++ = ',';
    at_ = put_gpus(at_, parts, parts_per_gpu);
    return *this;
  }
  Numbers& seconds(bool known, Duration value) {
    *at_++ = ',';
    if (known) at_ = put_seconds(at_, value);
    return *this;
  }
  void append_to(std::string& out) const {
    out.append(static_cast<const char*>(text_), static_cast<const char*>(at_));
  }

 private:
  char text_[8 * (kSecondsText + 1)];
  char* at_ = text_;
};

// A pool has no nodes to name: so many (of the largest) as the GPUs would fill.
std::uint32_t nodes_of(const ShapedJobs& workload, JobId job) {
  if (workload.spec().packing == Packing::kGang) {
    return workload.shapes()[workload.shape(job)].nodes;
  }
  const std::uint32_t parts_per_node = workload.spec().most_parts_per_node();
  return (workload.jobs()[job].gpu_parts + parts_per_node - 1) / parts_per_node;
}

// When the job was submitted; if it was not, when the trace says that it was.
SimTime submission(const Job& job, const JobOutcome& outcome) {
  return outcome.submit == kNever ? job.submit : outcome.submit;
}

// The jobs in order of submission, ties in the order of the trace.
std::vector<JobId> in_order_of_submission(const JobTable& jobs, const JobOutcomes& outcomes) {
  std::vector<JobId> order(jobs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = JobId(static_cast<std::uint32_t>(i));
  const auto at = [&](JobId job) { return submission(jobs[job], outcomes[job]); };
  const auto earlier = [&](JobId a, JobId b) { return at(a) < at(b); };
  if (!std::is_sorted(order.begin(), order.end(), earlier)) {
    std::stable_sort(order.begin(), order.end(), earlier);
  }
  return order;
}

}  // namespace

void write_jobs_csv(const std::filesystem::path& path, const ShapedJobs& workload,
                    const JobOutcomes& outcomes) {
  const JobTable& jobs = workload.jobs();
  const std::vector<std::string> users = as_csv(jobs.users().names());
  const std::vector<std::string> types = as_csv(jobs.types().names());
  OutputFile file(path);
  std::string& out = file.buffer();
  out +=
      "job_id,user,type,gpus,nodes,submit_s,start_s,end_s,queue_s,jct_s,state,attempts,preemptions,"
      "lost_gpu_s\n";
  for (const JobId id : in_order_of_submission(jobs, outcomes)) {
    if (!workload.can_run(id)) continue;
    const Job& job = jobs[id];
    const JobOutcome& outcome = outcomes[id];
    const SimTime submit = submission(job, outcome);
    append_csv_text(out, jobs.id_of(job));
    out += ',';
    out += users[index(job.user)];
    out += ',';
    out += types[index(job.type)];
    Numbers()
        .gpus(job.gpu_parts, jobs.parts_per_gpu())
        .integer(nodes_of(workload, id))
        .seconds(true, submit.time_since_epoch())
        .seconds(outcome.started(), outcome.first_start.time_since_epoch())
        .seconds(outcome.finished(), outcome.end.time_since_epoch())
        .seconds(outcome.started(), outcome.first_start - submit)
        .seconds(outcome.finished(), outcome.end - submit)
        .append_to(out);
    out += ',';
    out += final_state(job, outcome);
    // Nothing is lost: preempted work is kept, and nothing fails yet.
    Numbers().integer(outcome.attempts).integer(outcome.preemptions).integer(0).append_to(out);
    out += '\n';
    file.flush_if_large();
  }
  file.close();
}

}  // namespace berth
