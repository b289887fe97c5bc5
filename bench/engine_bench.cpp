// What the pieces of the engine cost, with Google Benchmark: pending completions, the capacity
// index, the lines of waiting tasks, and whole runs of each policy without any reading or writing.
//
//   build/release/bench/engine_bench --benchmark_filter=Policy
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "policies/planning/ordered_lines.hpp"
#include "sim/core/rng.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/experiment/spec.hpp"
#include "sim/metrics/digest_sink.hpp"

namespace berth {
namespace {

// The hold model: pop the next completion, push one that lies an exponential time behind it.
void EventQueueHold(benchmark::State& state) {
  EventQueue queue;
  Rng rng(1, "bench");
  const auto pending = static_cast<std::uint32_t>(state.range(0));
  const auto later = [&] { return Duration(1 + std::llround(rng.exponential(1e6))); };
  for (std::uint32_t i = 0; i < pending; ++i) queue.push({SimTime(later()), TaskId(i), 1});
  for (auto _ : state) {
    Completion event = queue.top();
    queue.pop();
    event.time += later();
    queue.push(event);
  }
}
BENCHMARK(EventQueueHold)->Arg(1'000)->Arg(10'000)->Arg(100'000);

// Place and remove one job on a half full cluster of n nodes; the index must not care about n.
void PlaceOnNodes(benchmark::State& state) {
  ClusterSpec spec;
  spec.groups[0].nodes = static_cast<std::uint32_t>(state.range(0));
  spec.groups[0].gpus_per_node = 8;
  Cluster cluster(spec);
  Rng rng(2, "bench");
  for (std::uint32_t n = 0; n < spec.groups[0].nodes; ++n) {
    const Shape shape = *shape_of({1 + rng.below(7), 0, 0}, spec);
    const NodeId node{n};
    cluster.take({&node, 1}, shape);
  }
  const Shape shape = *shape_of({3, 0, 0}, spec);
  for (auto _ : state) {
    const auto node = cluster.fullest_serving(shape.need);
    cluster.take({&*node, 1}, shape);
    cluster.give({&*node, 1}, shape);
  }
}
BENCHMARK(PlaceOnNodes)->Arg(100)->Arg(1'000)->Arg(10'000)->Arg(100'000);

// One task leaves a line of n and another joins it at the end.
void LineOfWaiting(benchmark::State& state) {
  OrderedLines lines;
  OrderedLines::Line line = OrderedLines::kEmpty;
  std::uint32_t next = 0;
  for (; next < state.range(0); ++next) lines.insert(line, {0, TaskId(next)}, next % 1000);
  for (auto _ : state) {
    const Place first = *lines.first(line);
    lines.erase(line, first);
    lines.insert(line, {0, TaskId(next)}, next % 1000);
    benchmark::DoNotOptimize(lines.first_after_within(line, first, 10));
    ++next;
  }
}
BENCHMARK(LineOfWaiting)->Arg(100)->Arg(10'000)->Arg(1'000'000);

// 200,000 jobs of 1 to 64 GPUs and lognormal run times, Poisson arrivals at a load of 0.95 of 64
// nodes x 8 GPUs.
const JobTable& synthetic_jobs() {
  static const JobTable table = [] {
    constexpr std::uint32_t kJobs = 200'000;
    JobTableBuilder builder;
    builder.reserve(kJobs);
    Rng rng(3, "bench");
    double submit_ms = 0;
    for (std::uint32_t i = 0; i < kJobs; ++i) {
      const std::string id = std::to_string(i);
      JobRow row;
      row.id = id;
      row.user = "u";
      row.type = "Other";
      row.gpu_parts = 1u << std::min(6u, rng.below(100) / 12);
      // Mean size 25.48 (12 % each of 1 to 32, 28 % of 64) and mean run time 300 s give the load.
      row.run = Duration(1000 * std::llround(300.0 * std::exp(rng.normal() - 0.5)));
      submit_ms += rng.exponential(300'000.0 * 25.48 / (0.95 * 512));
      row.submit_unix_ms = std::llround(submit_ms);
      row.start_unix_ms = row.submit_unix_ms;
      row.line = i + 2;
      builder.add(row);
    }
    return builder.finish();
  }();
  return table;
}

void Policy(benchmark::State& state, const char* policy, const char* packing) {
  const std::string file = std::filesystem::temp_directory_path() / "berth-engine-bench.yaml";
  std::ofstream(file) << "{cluster: {nodes: 64, gpus_per_node: 8, packing: " << packing
                      << "}, policy: " << policy << "}\n";
  const JobTable& jobs = synthetic_jobs();
  std::uint64_t digest = 0;
  for (auto _ : state) {
    RunSpec spec({file, {"workload.trace={format: acme, path: unused.csv}"}});
    const ShapedJobs workload(jobs, spec.cluster);
    DigestSink sink;
    PolicyParts& parts = spec.parts();
    Engine engine(workload, {*parts.scheduler, *parts.placement, *parts.estimates, {&sink}});
    engine.run();
    digest = sink.value();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(jobs.size()));
  state.SetLabel("digest " + hex(digest));
  std::filesystem::remove(file);
}
BENCHMARK_CAPTURE(Policy, fifo, "{order: fifo}", "gang")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Policy, sjf, "{order: sjf}", "gang")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Policy, greedy, "{backfill: greedy}", "gang")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Policy, easy, "{backfill: easy}", "gang")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Policy, easy_x2, "{backfill: easy, estimates: {mode: factor, factor: 2}}", "gang")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Policy, srtf, "{order: srtf}", "gang")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Policy, conservative, "{backfill: conservative}", "pool")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth

BENCHMARK_MAIN();
