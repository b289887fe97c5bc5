#include "tests/support/simulation.hpp"

#include <fstream>

#include "sim/metrics/digest_sink.hpp"
#include "tests/support/temp_folder.hpp"

namespace berth::test {

JobTable make_jobs(const std::vector<TestJob>& jobs) {
  JobTableBuilder builder;
  std::uint64_t line = 2;
  for (const TestJob& job : jobs) {
    const std::string id = std::to_string(line - 2);
    JobRow row;
    row.id = id;
    row.user = "u";
    row.type = job.type;
    row.submit_unix_ms = job.submit_s * 1000;
    row.run = std::chrono::seconds(job.run_s);
    row.start_unix_ms = (job.recorded_start_s < 0 ? job.submit_s : job.recorded_start_s) * 1000;
    row.gpu_parts = job.gpus;
    row.cpus = job.cpus;
    row.preceding = job.preceding;
    row.think = std::chrono::seconds(job.think_s);
    row.line = line++;
    builder.add(row);
  }
  return builder.finish();
}

Simulated simulate(const JobTable& jobs, const std::string& yaml,
                   const std::vector<RecordSink*>& sinks, const FeedbackChains* chains) {
  const TempFolder folder;
  const auto file = folder.path() / "test.yaml";
  std::ofstream(file) << yaml << "\n";
  // The workload is given; the path only satisfies the reader.
  RunSpec spec({file, {"workload.trace={format: acme, path: unused.csv}"}});
  JobOutcomes outcomes(jobs.size());
  DigestSink digest;
  std::vector<RecordSink*> all{&outcomes, &digest};
  all.insert(all.end(), sinks.begin(), sinks.end());
  PolicyParts& parts = spec.parts();
  const ShapedJobs workload(jobs, spec.cluster);
  Engine engine(workload,
                {*parts.scheduler, *parts.placement, *parts.estimates, all, nullptr, chains});
  Simulated out;
  out.engine = engine.run();
  out.digest = digest.value();
  for (const JobOutcome& job : outcomes.all()) {
    out.jobs.push_back({job.started() ? to_ms(job.first_start) : -1,
                        job.finished() ? to_ms(job.end) : -1,
                        job.submit == kNever ? -1 : to_ms(job.submit), job.preemptions});
  }
  return out;
}

}  // namespace berth::test
