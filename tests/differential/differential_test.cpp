// Berth's policies, which keep indices and increments, against the plain twin of tests/twin: every
// first start, every end and every job's preemptions, on thousands of small random traces and a few
// larger ones. On a difference the trace is shrunk and printed, ready for a test of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "tests/differential/random_trace.hpp"
#include "tests/support/simulation.hpp"
#include "tests/twin/plain_simulator.hpp"

namespace berth::twin {
void PrintTo(const PlainSetup& setup, std::ostream* out);
}  // namespace berth::twin

namespace berth::test {
namespace {

using twin::Backfill;
using twin::Order;
using twin::PlainJob;
using twin::PlainOutcome;
using twin::PlainSetup;

// ---- One configuration, for both --------------------------------------------------------------

std::string name_of(Order order) {
  switch (order) {
    case Order::kFifo:
      return "fifo";
    case Order::kSjf:
      return "sjf";
    case Order::kSrtf:
      return "srtf";
  }
  return "";
}

std::string name_of(Backfill backfill) {
  switch (backfill) {
    case Backfill::kNone:
      return "none";
    case Backfill::kGreedy:
      return "greedy";
    case Backfill::kEasy:
      return "easy";
    case Backfill::kReplan:
      return "replan";
    case Backfill::kCompress:
      return "compress";
  }
  return "";
}

std::string factor_text(double factor) {
  std::ostringstream out;
  out << factor;
  return out.str();
}

std::string yaml_of(const PlainSetup& setup) {
  std::ostringstream out;
  out << "{cluster: {";
  if (setup.groups.empty()) {
    out << "nodes: " << setup.nodes << ", gpus_per_node: " << setup.gpus_per_node;
  } else {
    out << "groups: [";
    for (std::size_t i = 0; i < setup.groups.size(); ++i) {
      const twin::PlainGroup& group = setup.groups[i];
      out << (i == 0 ? "" : ", ") << "{name: g" << i << ", gpu_model: m" << group.model
          << ", nodes: " << group.nodes << ", gpus_per_node: " << group.gpus_per_node << "}";
    }
    out << "]";
  }
  out << ", packing: " << (setup.gang ? "gang" : "pool")
      << "}, policy: {order: " << name_of(setup.order);
  if (setup.order == Order::kSrtf) {
    out << ", backfill: greedy";
  } else if (setup.backfill == Backfill::kReplan || setup.backfill == Backfill::kCompress) {
    out << ", backfill: conservative, conservative: " << name_of(setup.backfill);
    if (setup.reservation_depth > 0) out << ", reservation_depth: " << setup.reservation_depth;
  } else {
    out << ", backfill: " << name_of(setup.backfill);
  }
  if (setup.estimate_factor != 1) {
    out << ", estimates: {mode: factor, factor: " << factor_text(setup.estimate_factor) << "}";
  }
  out << "}}";
  return out.str();
}

// "m0|m2"; of a job that may run anywhere: nothing.
std::string models_text(const PlainJob& job) {
  std::string out;
  for (const int model : job.models) out += (out.empty() ? "m" : "|m") + std::to_string(model);
  return out;
}

// ---- The comparison ---------------------------------------------------------------------------

std::vector<std::size_t> queue_order(const std::vector<PlainJob>& jobs) {
  std::vector<std::size_t> rows(jobs.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return jobs[row].submit_ms; });
  return rows;
}

// In the order of the rows.
std::vector<PlainOutcome> berth_simulate(const std::vector<PlainJob>& jobs,
                                         const PlainSetup& setup) {
  JobTableBuilder builder;
  for (std::size_t row = 0; row < jobs.size(); ++row) {
    const std::string id = std::to_string(row);
    JobRow out;
    out.id = id;
    out.user = "u";
    out.type = "Other";
    out.submit_unix_ms = jobs[row].submit_ms;
    out.start_unix_ms = jobs[row].submit_ms;
    out.run = Duration(jobs[row].run_ms);
    out.gpu_parts = static_cast<std::uint32_t>(jobs[row].gpus);
    out.line = row + 2;
    const std::string models = models_text(jobs[row]);
    out.gpu_model = models;
    builder.add(out);
  }
  const Simulated result = simulate(builder.finish(), yaml_of(setup));
  const std::vector<std::size_t> rows = queue_order(jobs);
  std::vector<PlainOutcome> out(jobs.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out[rows[i]] = {result.jobs[i].start_ms, result.jobs[i].end_ms, result.jobs[i].preemptions};
  }
  return out;
}

bool agree(const std::vector<PlainOutcome>& a, const std::vector<PlainOutcome>& b) {
  return std::ranges::equal(a, b, [](const PlainOutcome& x, const PlainOutcome& y) {
    return x.start_ms == y.start_ms && x.end_ms == y.end_ms && x.preemptions == y.preemptions;
  });
}

// Time zero is the earliest submission, for both.
std::vector<PlainJob> from_zero(std::vector<PlainJob> jobs) {
  if (jobs.empty()) return jobs;
  const std::int64_t first = std::ranges::min(jobs, {}, &PlainJob::submit_ms).submit_ms;
  for (PlainJob& job : jobs) job.submit_ms -= first;
  return jobs;
}

// Empty if Berth ran it and agrees.
std::string difference(const std::vector<PlainJob>& jobs, const PlainSetup& setup) {
  const std::vector<PlainOutcome> plain = plain_simulate(jobs, setup);
  std::vector<PlainOutcome> berth(jobs.size());
  std::string fault;
  try {
    berth = berth_simulate(jobs, setup);
  } catch (const std::exception& e) {
    fault = e.what();
  }
  if (fault.empty() && agree(plain, berth)) return "";
  std::ostringstream out;
  out << yaml_of(setup) << "\n"
      << fault << (fault.empty() ? "" : "\n")
      << "submit_ms run_ms gpus | twin start end | berth start end (preemptions)\n";
  for (const std::size_t i : queue_order(jobs)) {
    const bool equal = agree({plain[i]}, {berth[i]});
    out << "  {" << jobs[i].submit_ms << ", " << jobs[i].run_ms << ", " << jobs[i].gpus << "},  // "
        << plain[i].start_ms << " " << plain[i].end_ms << " | " << berth[i].start_ms << " "
        << berth[i].end_ms << " " << models_text(jobs[i]);
    if (plain[i].preemptions != 0 || berth[i].preemptions != 0) {
      out << " (" << plain[i].preemptions << " | " << berth[i].preemptions << ")";
    }
    out << (equal ? "\n" : "  <--\n");
  }
  return out.str();
}

// Drops jobs, in ever smaller runs of the queue, as long as the two still differ.
std::string smallest_difference(std::vector<PlainJob> jobs, const PlainSetup& setup) {
  std::vector<PlainJob> sorted;
  for (const std::size_t row : queue_order(jobs)) sorted.push_back(jobs[row]);
  if (!difference(sorted, setup).empty()) jobs = sorted;
  for (std::size_t chunk = std::max<std::size_t>(1, jobs.size() / 2);;) {
    bool dropped = false;
    for (std::size_t from = 0; from < jobs.size() && jobs.size() > 1;) {
      const std::size_t to = std::min(jobs.size(), from + chunk);
      std::vector<PlainJob> fewer(jobs.begin(), jobs.begin() + static_cast<std::ptrdiff_t>(from));
      fewer.insert(fewer.end(), jobs.begin() + static_cast<std::ptrdiff_t>(to), jobs.end());
      fewer = from_zero(fewer);
      if (!fewer.empty() && !difference(fewer, setup).empty()) {
        jobs = fewer;
        dropped = true;
      } else {
        from = to;
      }
    }
    if (chunk == 1 && !dropped) break;
    if (chunk > 1) chunk /= 2;
  }
  return difference(jobs, setup);
}

void expect_no_difference(const std::vector<PlainJob>& jobs, const PlainSetup& setup) {
  const std::vector<PlainJob> normal = from_zero(jobs);
  const std::string found = difference(normal, setup);
  if (!found.empty()) FAIL() << "smallest trace:\n" << smallest_difference(normal, setup);
}

// ---- What is compared -------------------------------------------------------------------------

std::vector<PlainSetup> all_setups() {
  std::vector<PlainSetup> out;
  for (const double factor : {1.0, 2.0, 0.5, 1.5}) {
    for (const bool gang : {true, false}) {
      for (const Order order : {Order::kFifo, Order::kSjf}) {
        for (const Backfill backfill : {Backfill::kNone, Backfill::kGreedy, Backfill::kEasy}) {
          out.push_back(
              {.gang = gang, .order = order, .backfill = backfill, .estimate_factor = factor});
        }
      }
      out.push_back({.gang = gang, .order = Order::kSrtf, .estimate_factor = factor});
    }
    for (const Backfill backfill : {Backfill::kReplan, Backfill::kCompress}) {
      for (const Order order : {Order::kFifo, Order::kSjf}) {
        out.push_back(
            {.gang = false, .order = order, .backfill = backfill, .estimate_factor = factor});
      }
      // How many places there are is defined for the order of submission only.
      for (const std::int64_t depth : {1, 2, 5}) {
        out.push_back({.gang = false,
                       .order = Order::kFifo,
                       .backfill = backfill,
                       .estimate_factor = factor,
                       .reservation_depth = depth});
      }
    }
  }
  return out;
}

std::string name_of(const PlainSetup& setup) {
  std::string name = name_of(setup.order);
  if (setup.order != Order::kSrtf) name += "_" + name_of(setup.backfill);
  if (setup.reservation_depth > 0) name += std::to_string(setup.reservation_depth);
  name += setup.gang ? "_gang_x" : "_pool_x";
  for (const char c : factor_text(setup.estimate_factor)) name += c == '.' ? '_' : c;
  return name;
}

std::string test_name(const testing::TestParamInfo<PlainSetup>& it) { return name_of(it.param); }

// Other traces for who wants to search on: BERTH_TEST_SEED=2 differential_test.
std::uint64_t seed() {
  const char* text = std::getenv("BERTH_TEST_SEED");
  return text == nullptr ? 1 : std::stoull(text);
}

class Differential : public testing::TestWithParam<PlainSetup> {};

// 48 clusters x 25 traces: 1,200 traces a configuration.
TEST_P(Differential, SmallTraces) {
  PlainSetup setup = GetParam();
  Dice dice(seed());
  for (std::int64_t nodes = 1; nodes <= 6; ++nodes) {
    for (std::int64_t gpus = 1; gpus <= 8; ++gpus) {
      setup.nodes = nodes;
      setup.gpus_per_node = gpus;
      expect_no_difference(random_batch(dice, {nodes, gpus}, 25), setup);
      if (HasFatalFailure()) return;
    }
  }
}

// Each on its own, from a fresh start.
TEST_P(Differential, SingleTraces) {
  PlainSetup setup = GetParam();
  Dice dice(1000 + seed());
  for (int i = 0; i < 30; ++i) {
    setup.nodes = dice.between(1, 6);
    setup.gpus_per_node = dice.between(1, 8);
    const ClusterSize cluster{setup.nodes, setup.gpus_per_node};
    expect_no_difference(random_trace(dice, cluster, dice.between(2, 30)), setup);
    if (HasFatalFailure()) return;
  }
}

// 2,000 jobs, half as much again as the cluster can do: a long queue.
TEST_P(Differential, OverloadedTrace) {
  PlainSetup setup = GetParam();
  setup.nodes = 6;
  setup.gpus_per_node = 8;
  // Anew at every pass, with reservations that fall due in vain: 600 take what 2,000 take else.
  const bool costly = setup.backfill == Backfill::kReplan && setup.estimate_factor < 1;
  const int count = costly ? 600 : 2000;
  Dice dice(2000 + seed());
  std::vector<PlainJob> jobs;
  std::int64_t now_ms = 0;
  for (int i = 0; i < count; ++i) {
    PlainJob job;
    constexpr std::int64_t kSizes[] = {0, 1, 1, 1, 2, 2, 4, 8, 8, 12, 20, 48};
    job.gpus = kSizes[dice.below(12)];
    job.run_ms = 1000 * (dice.one_in(3) ? dice.between(0, 30) : dice.between(0, 2000));
    if (dice.one_in(2)) now_ms += 1000 * dice.between(0, 350);
    job.submit_ms = now_ms;
    jobs.push_back(job);
  }
  expect_no_difference(jobs, setup);
}

INSTANTIATE_TEST_SUITE_P(All, Differential, testing::ValuesIn(all_setups()), test_name);

// ---- Groups of nodes ----------------------------------------------------------------------------

// Conservative backfill plans on one group only.
std::vector<PlainSetup> group_setups() {
  std::vector<PlainSetup> out;
  for (const PlainSetup& setup : all_setups()) {
    const bool plans = setup.backfill == Backfill::kReplan || setup.backfill == Backfill::kCompress;
    if (!plans && setup.estimate_factor != 2) out.push_back(setup);
  }
  return out;
}

class DifferentialGroups : public testing::TestWithParam<PlainSetup> {};

std::vector<int> random_models(Dice& dice) {
  std::vector<int> out;
  if (dice.one_in(3)) return out;
  for (int model = 0; model < 3; ++model) {
    if (dice.one_in(2)) out.push_back(model);
  }
  return out;
}

// A size that some placement on the empty cluster can hold: on one node of an eligible group, or on
// all nodes of one size.
std::int64_t random_gpus(Dice& dice, const PlainSetup& setup, const std::vector<int>& models) {
  std::int64_t most = 0;
  for (const twin::PlainGroup& of_size : setup.groups) {
    std::int64_t all = 0;
    for (const twin::PlainGroup& group : setup.groups) {
      const bool may = models.empty() || std::ranges::find(models, group.model) != models.end();
      const bool same =
          setup.gang ? group.gpus_per_node == of_size.gpus_per_node : &group == &of_size;
      if (may && same) all += group.nodes * group.gpus_per_node;
    }
    most = std::max(most, all);
  }
  if (most == 0 || dice.one_in(12)) return 0;
  return dice.one_in(3) ? dice.between(1, most) : dice.between(1, std::min<std::int64_t>(most, 4));
}

// 400 clusters of one to four groups, three models among them, 2 to 60 jobs each.
TEST_P(DifferentialGroups, SmallTraces) {
  PlainSetup setup = GetParam();
  Dice dice(3000 + seed());
  for (int i = 0; i < 400; ++i) {
    setup.groups.assign(static_cast<std::size_t>(dice.between(1, 4)), {});
    for (twin::PlainGroup& group : setup.groups) {
      group.nodes = dice.between(1, 4);
      group.gpus_per_node = dice.one_in(2) ? dice.between(1, 8) : 4;
      group.model = static_cast<int>(dice.below(3));
    }
    std::vector<PlainJob> jobs = random_trace(dice, {2, 4}, dice.between(2, 60));
    for (PlainJob& job : jobs) {
      job.models = random_models(dice);
      job.gpus = random_gpus(dice, setup, job.models);
      // A model that the cluster lacks is no part of the question here.
      if (job.gpus == 0) job.models.clear();
    }
    expect_no_difference(jobs, setup);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(All, DifferentialGroups, testing::ValuesIn(group_setups()), test_name);

// A cluster cut into groups of one model and one size is the cluster that was cut.
TEST(DifferentialGroups, EqualGroupsAreOneCluster) {
  Dice dice(4000 + seed());
  for (const PlainSetup& whole : all_setups()) {
    const bool plans = whole.backfill == Backfill::kReplan || whole.backfill == Backfill::kCompress;
    if (plans || !whole.gang) continue;  // a pool is one per group
    PlainSetup setup = whole;
    setup.nodes = 6;
    setup.gpus_per_node = 4;
    PlainSetup cut = setup;
    cut.groups = {{.nodes = 1, .gpus_per_node = 4},
                  {.nodes = 3, .gpus_per_node = 4},
                  {.nodes = 2, .gpus_per_node = 4}};
    const std::vector<PlainJob> jobs = from_zero(random_batch(dice, {6, 4}, 20));
    EXPECT_TRUE(agree(berth_simulate(jobs, setup), berth_simulate(jobs, cut))) << yaml_of(cut);
  }
}

// ---- What this test has found, in its smallest form ---------------------------------------------

std::int64_t start_s_of_last(const std::vector<PlainJob>& jobs, const PlainSetup& setup) {
  expect_no_difference(jobs, setup);
  return plain_simulate(jobs, setup).back().start_ms / 1000;
}

// The fifth job's best fit would be node 1, which the head (the fourth) needs at 100 s. At 10 s a
// newcomer that is gone by then takes that place, and with it the fifth fits node 2, which the head
// can spare: it starts in the same pass.
TEST(DifferentialFound, StartOfANewcomerMovesWhereTheOthersWouldGo) {
  EXPECT_EQ(
      start_s_of_last(
          {{0, 100000, 4},
           {0, 100000, 3},
           {0, 1000000, 2},
           {5000, 50000, 8},
           {10000, 60000, 1},
           {5000, 500000, 1}},
          {.nodes = 3, .gpus_per_node = 4, .order = Order::kSjf, .backfill = Backfill::kEasy}),
      10);
}

// The first job outran its estimate: at 2 s the shadow lies in the past, at 1.5 s, and the second
// job, which ends at its estimated end, adds to what the head (the third) finds there.
TEST(DifferentialFound, EndAfterAShadowInThePastAddsToTheFuture) {
  EXPECT_EQ(start_s_of_last({{0, 3000, 2}, {1000, 1000, 1}, {1000, 1000, 3}, {2000, 5000, 1}},
                            {.nodes = 1,
                             .gpus_per_node = 4,
                             .gang = false,
                             .backfill = Backfill::kEasy,
                             .estimate_factor = 0.5}),
            2);
}

// At 6 s the third job ends, at its estimated end, which was the shadow. But the first two outran
// their estimates, and the first alone is now enough for the head (the fourth): the shadow found
// anew lies at 4.5 s, with nothing to spare for the last.
TEST(DifferentialFound, ShadowThatHasComeIsFoundAnew) {
  EXPECT_EQ(start_s_of_last(
                {{0, 9000, 1}, {0, 10000, 1}, {5000, 1000, 2}, {5000, 1000, 3}, {5000, 4000, 1}},
                {.nodes = 1,
                 .gpus_per_node = 4,
                 .gang = false,
                 .backfill = Backfill::kEasy,
                 .estimate_factor = 0.5}),
            10);
}

// Jobs that outrun their estimates hold GPUs that later jobs have reserved; a job of no GPUs does
// not wait for either.
TEST(DifferentialFound, CpuJobFitsWhereMoreIsReservedThanThereIs) {
  EXPECT_EQ(start_s_of_last(
                {{0, 6000, 1}, {2000, 8000, 1}, {4000, 4000, 1}, {4000, 2000, 1}, {9000, 5000, 0}},
                {.nodes = 1,
                 .gpus_per_node = 1,
                 .gang = false,
                 .backfill = Backfill::kCompress,
                 .estimate_factor = 0.5}),
            9);
}

}  // namespace
}  // namespace berth::test

void berth::twin::PrintTo(const PlainSetup& setup, std::ostream* out) {
  *out << berth::test::name_of(setup);
}
