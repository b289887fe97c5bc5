#include "sim/metrics/jobs_csv.hpp"

#include "sim/metrics/output_file.hpp"

namespace berth {
namespace {

void append_times(std::string& out, const Job& job, const JobOutcome& outcome) {
  out += ',';
  append_seconds(out, job.submit.time_since_epoch());
  out += ',';
  if (outcome.started()) append_seconds(out, outcome.first_start.time_since_epoch());
  out += ',';
  if (outcome.finished()) append_seconds(out, outcome.end.time_since_epoch());
  out += ',';
  if (outcome.started()) append_seconds(out, outcome.first_start - job.submit);
  out += ',';
  if (outcome.finished()) append_seconds(out, outcome.end - job.submit);
}

std::string_view final_state(const Job& job, const JobOutcome& outcome) {
  if (job.never_started || outcome.finished()) return name(job.state);
  return outcome.started() ? "UNFINISHED" : "PENDING";
}

}  // namespace

void write_jobs_csv(const std::filesystem::path& path, const ShapedJobs& workload,
                    const JobOutcomes& outcomes) {
  const JobTable& jobs = workload.jobs();
  const std::uint32_t gpus_per_node = workload.spec().gpus_per_node;
  OutputFile file(path);
  std::string& out = file.buffer();
  out +=
      "job_id,user,type,gpus,nodes,submit_s,start_s,end_s,queue_s,jct_s,state,attempts,preemptions,"
      "lost_gpu_s\n";
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[JobId(i)];
    const JobOutcome& outcome = outcomes[JobId(i)];
    if (!workload.can_run(JobId(i))) continue;
    append_csv_text(out, jobs.id_of(job));
    out += ',';
    append_csv_text(out, jobs.user_of(job));
    out += ',';
    append_csv_text(out, jobs.type_of(job));
    out += ',';
    append_integer(out, job.gpus);
    out += ',';
    append_integer(out, (job.gpus + gpus_per_node - 1) / gpus_per_node);
    append_times(out, job, outcome);
    out += ',';
    out += final_state(job, outcome);
    out += ',';
    append_integer(out, outcome.attempts);
    out += ',';
    append_integer(out, outcome.preemptions);
    out += ",0\n";  // nothing is lost: preempted work is kept, and nothing fails yet
    file.flush_if_large();
  }
  file.close();
}

}  // namespace berth
