#include "sim/metrics/jobs_csv.hpp"

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

}  // namespace

void write_jobs_csv(const std::filesystem::path& path, const ShapedJobs& workload,
                    const JobOutcomes& outcomes) {
  const JobTable& jobs = workload.jobs();
  const std::uint32_t parts_per_node = workload.spec().parts_per_node();
  const std::vector<std::string> users = as_csv(jobs.users().names());
  const std::vector<std::string> types = as_csv(jobs.types().names());
  OutputFile file(path);
  std::string& out = file.buffer();
  out +=
      "job_id,user,type,gpus,nodes,submit_s,start_s,end_s,queue_s,jct_s,state,attempts,preemptions,"
      "lost_gpu_s\n";
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    if (!workload.can_run(JobId(i))) continue;
    const Job& job = jobs[JobId(i)];
    const JobOutcome& outcome = outcomes[JobId(i)];
    append_csv_text(out, jobs.id_of(job));
    out += ',';
    out += users[index(job.user)];
    out += ',';
    out += types[index(job.type)];
    Numbers()
        .gpus(job.gpu_parts, jobs.parts_per_gpu())
        .integer((job.gpu_parts + parts_per_node - 1) / parts_per_node)
        .seconds(true, job.submit.time_since_epoch())
        .seconds(outcome.started(), outcome.first_start.time_since_epoch())
        .seconds(outcome.finished(), outcome.end.time_since_epoch())
        .seconds(outcome.started(), outcome.first_start - job.submit)
        .seconds(outcome.finished(), outcome.end - job.submit)
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
