#include "sim/experiment/run.hpp"

#include <future>

#include "sim/core/digest.hpp"
#include "sim/engine/engine.hpp"
#include "sim/experiment/result_folder.hpp"
#include "sim/metrics/digest_sink.hpp"
#include "sim/metrics/events_jsonl.hpp"
#include "sim/metrics/job_outcomes.hpp"
#include "sim/metrics/jobs_csv.hpp"
#include "sim/metrics/output_file.hpp"
#include "sim/metrics/perfetto_trace.hpp"
#include "sim/metrics/summary_json.hpp"
#include "sim/metrics/timeline_csv.hpp"

namespace berth {
namespace {

// Refused before the run where the submissions alone already make too many rows.
void check_timeline(const RunSpec& spec, const JobTable& jobs) {
  if (!spec.output.timeline || jobs.size() == 0) return;
  const Duration span = jobs.jobs().back().submit.time_since_epoch();
  const Duration shortest = span / TimelineCsv::kMostRows;
  if (*spec.output.timeline > shortest) return;
  throw ConfigError("output.timeline: " + format_duration(*spec.output.timeline) +
                    " makes too many rows for submissions over " + describe(span) +
                    "; choose a longer interval, or off");
}

void write_config(const std::filesystem::path& path, const RunSpec& spec) {
  OutputFile file(path);
  file.buffer() = spec.resolved_yaml();
  file.close();
}

}  // namespace

std::string version() { return BERTH_VERSION; }

RunResult run(RunSpec& spec, const Workload& workload, const RunOptions& options) {
  const JobTable& jobs = *workload.jobs;
  check_timeline(spec, jobs);
  const std::string config_hash = spec.config_hash(workload.report.hash);
  ResultFolder folder(options.out.value_or(std::filesystem::path("results") /
                                           (spec.name + "-" + config_hash.substr(0, 8))),
                      spec.input_files(), spec.resolved_yaml());

  JobOutcomes outcomes(jobs.size());
  DigestSink digest;
  std::optional<TimelineCsv> timeline;
  std::optional<EventsJsonl> events;
  std::optional<PerfettoTrace> perfetto;
  std::vector<RecordSink*> sinks{&outcomes, &digest};
  const auto attach = [&](auto& sink, bool wanted, auto&&... arguments) {
    if (!wanted) return;
    sinks.push_back(&sink.emplace(std::forward<decltype(arguments)>(arguments)...));
  };
  attach(timeline, spec.output.timeline.has_value(), folder.staged("timeline.csv"), jobs,
         spec.cluster, spec.output.timeline.value_or(Duration(1)));
  attach(events, spec.output.events, folder.staged("events.jsonl"), jobs, spec.cluster);
  attach(perfetto, spec.output.perfetto, folder.staged("trace.perfetto.json"), jobs, spec.cluster);
  if (options.observer != nullptr) sinks.push_back(options.observer);

  EngineResult engine_result;
  {
    PolicyParts& parts = spec.parts();
    Engine engine(workload.shaped, {*parts.scheduler, *parts.placement, *parts.estimates, sinks,
                                    options.stop, workload.chains.get()});
    engine_result = engine.run();
  }
  if (timeline) timeline->finish(engine_result.end);
  if (events) events->finish();
  if (perfetto) perfetto->finish();

  RunResult result;
  // The metrics are summed while jobs.csv is written; both only read.
  std::future<Summary> summary = std::async(std::launch::async, [&] {
    return summarize(workload.shaped, outcomes, spec.replays_recorded_schedule);
  });
  result.digest = hex(digest.value());
  write_config(folder.staged("config.yaml"), spec);
  if (spec.output.per_job) {
    write_jobs_csv(folder.staged("jobs.csv"), workload.shaped, outcomes);
  }
  result.summary = summary.get();
  const RunIdentity identity{spec.name, version(), spec.seed, config_hash, result.digest};
  write_summary_json(folder.staged("summary.json"), identity,
                     {workload.report, workload.days ? &*workload.days : nullptr,
                      workload.transforms, workload.feedback},
                     spec.cluster, result.summary);
  if (options.stop != nullptr && options.stop->load()) throw Interrupted("interrupted at the end");
  folder.commit();
  result.folder = folder.path();
  return result;
}

}  // namespace berth
