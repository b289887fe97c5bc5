// Small random traces that are rich in what goes wrong: ties everywhere, zero lengths, jobs as
// large as the cluster, remainders, CPU-only jobs, rows out of order.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/twin/plain_simulator.hpp"

namespace berth::test {

// The same numbers with every standard library: only the engine of <random>, no distributions.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  // Uniform enough in [0, bound).
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(bound));
  }
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool one_in(std::int64_t n) { return below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

struct ClusterSize {
  std::int64_t nodes = 1;
  std::int64_t gpus_per_node = 1;
  std::int64_t gpus() const { return nodes * gpus_per_node; }
};

// A trace of `jobs` jobs. Times lie on one grid of 0.25, 1 or 5 s; some traces are submitted at
// once, some in bursts, some thinly. In the order of its rows, which is not that of submission.
std::vector<twin::PlainJob> random_trace(Dice& dice, const ClusterSize& cluster, std::int64_t jobs);

// `count` traces of 2 to 60 jobs one after the other, far enough apart that the cluster is empty in
// between: a policy that leaves something behind is found out, and one run checks many traces.
std::vector<twin::PlainJob> random_batch(Dice& dice, const ClusterSize& cluster,
                                         std::int64_t count);

}  // namespace berth::test
