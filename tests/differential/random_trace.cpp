#include "tests/differential/random_trace.hpp"

#include <algorithm>
#include <utility>

namespace berth::test {
namespace {

// How the jobs of one trace are drawn.
struct Style {
  std::int64_t grid_ms;
  std::int64_t submissions;    // distinct instants, in steps of the grid
  std::int64_t longest;        // in steps of the grid
  std::int64_t zero_lengths;   // one in so many
  std::int64_t cpu_jobs;       // one in so many
  std::int64_t whole_cluster;  // one in so many
  std::int64_t large;          // one in so many is larger than a node where there are several
  bool all_small;
  bool two_lengths;  // short ones among very long ones: what overtaking is about
};

Style random_style(Dice& dice, std::int64_t jobs) {
  constexpr std::int64_t kGrids[] = {250, 1000, 1000, 5000};
  Style out{};
  out.grid_ms = kGrids[dice.below(4)];
  switch (dice.below(4)) {
    case 0:
      out.submissions = 1;
      break;
    case 1:
      out.submissions = dice.between(1, 4);
      break;
    case 2:
      out.submissions = jobs;
      break;
    default:
      out.submissions = 4 * jobs;
      break;
  }
  out.longest = dice.one_in(3) ? dice.between(1, 3) : dice.between(2, 20);
  out.zero_lengths = dice.one_in(3) ? 3 : 12;
  out.cpu_jobs = dice.one_in(3) ? 4 : 12;
  out.whole_cluster = dice.one_in(4) ? 4 : 15;
  out.large = dice.between(2, 5);
  out.all_small = dice.one_in(6);
  out.two_lengths = dice.one_in(3);
  return out;
}

std::int64_t random_gpus(Dice& dice, const Style& style, const ClusterSize& cluster) {
  if (dice.one_in(style.cpu_jobs)) return 0;
  if (style.all_small) return 1;
  if (dice.one_in(style.whole_cluster)) return cluster.gpus();
  if (cluster.nodes > 1 && dice.one_in(style.large)) {
    return dice.between(cluster.gpus_per_node + 1, cluster.gpus());
  }
  if (dice.one_in(4)) return cluster.gpus_per_node;
  return dice.between(1, cluster.gpus_per_node);
}

std::int64_t random_run(Dice& dice, const Style& style) {
  if (dice.one_in(style.zero_lengths)) return 0;
  const std::int64_t steps = dice.between(1, style.longest);
  const bool stretched = style.two_lengths && dice.one_in(2);
  return style.grid_ms * (stretched ? steps * dice.between(5, 20) : steps);
}

}  // namespace

std::vector<twin::PlainJob> random_trace(Dice& dice, const ClusterSize& cluster,
                                         std::int64_t jobs) {
  const Style style = random_style(dice, jobs);
  std::vector<twin::PlainJob> out;
  for (std::int64_t i = 0; i < jobs; ++i) {
    twin::PlainJob job;
    job.submit_ms = style.grid_ms * dice.below(style.submissions);
    job.run_ms = random_run(dice, style);
    job.gpus = random_gpus(dice, style, cluster);
    out.push_back(job);
  }
  return out;
}

std::vector<twin::PlainJob> random_batch(Dice& dice, const ClusterSize& cluster,
                                         std::int64_t count) {
  std::vector<twin::PlainJob> out;
  std::int64_t begin_ms = 0;
  for (std::int64_t trace = 0; trace < count; ++trace) {
    // Most traces are short: a short one that fails is worth more.
    const std::int64_t jobs = dice.one_in(3) ? dice.between(2, 60) : dice.between(2, 20);
    std::int64_t last_ms = 0;
    std::int64_t work_ms = 0;
    for (twin::PlainJob job : random_trace(dice, cluster, jobs)) {
      last_ms = std::max(last_ms, job.submit_ms);
      work_ms += job.run_ms;
      job.submit_ms += begin_ms;
      out.push_back(job);
    }
    // One after the other they would take work_ms; no estimate is more than twice a run time, or a
    // second.
    begin_ms += last_ms + 2 * work_ms + 1000 * (jobs + 1);
  }
  for (std::size_t i = out.size(); i > 1; --i) {
    std::swap(out[i - 1], out[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(i)))]);
  }
  return out;
}

}  // namespace berth::test
