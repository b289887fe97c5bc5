// The twin: a second, plain reading of the scheduling rules (event order, packing, every policy).
//
// It is the oracle of tests/differential and is itself held against tests/golden. It shares nothing
// with Berth, not even a header: whole numbers of milliseconds, vectors, loops over everything, one
// function a rule, in the order of the rules. Slow on purpose: O(waiting x running) and more a
// pass. Where it and Berth differ, the rules decide, never one of the programs.
#pragma once

#include <cstdint>
#include <vector>

namespace berth::twin {

struct PlainJob {
  std::int64_t submit_ms = 0;
  std::int64_t run_ms = 0;
  std::int64_t gpus = 0;
  std::vector<int> models = {};  // any of these; empty: any at all
};

enum class Order { kFifo, kSjf, kSrtf };
enum class Backfill { kNone, kGreedy, kEasy, kReplan, kCompress };

struct PlainGroup {
  std::int64_t nodes = 1;
  std::int64_t gpus_per_node = 8;
  int model = 0;
};

struct PlainSetup {
  std::int64_t nodes = 1;
  std::int64_t gpus_per_node = 8;
  bool gang = true;  // false: pool
  Order order = Order::kFifo;
  Backfill backfill = Backfill::kNone;  // kSrtf ignores it
  double estimate_factor = 1;           // of the true run time; 1: exact
  std::vector<PlainGroup> groups =
      {};  // in place of nodes and gpus_per_node; not kReplan, kCompress
  std::int64_t reservation_depth = -1;  // kReplan, kCompress: how many jobs hold one; -1: all
};

struct PlainOutcome {
  std::int64_t start_ms = -1;  // the first; -1: never
  std::int64_t end_ms = -1;
  std::int64_t preemptions = 0;
};

// `jobs` in the order of the trace's rows; the outcomes in the same order. Every job must fit the
// empty cluster.
std::vector<PlainOutcome> plain_simulate(const std::vector<PlainJob>& jobs,
                                         const PlainSetup& setup);

}  // namespace berth::twin
