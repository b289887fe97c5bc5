// What must hold for every combination of what is registered, on random traces. It goes through the
// registries, so that a new policy is tested the day it is added; combinations without meaning must
// be refused.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/experiment/builtin_registries.hpp"
#include "tests/differential/random_trace.hpp"
#include "tests/property/checking_sink.hpp"
#include "tests/support/simulation.hpp"

namespace berth::test {
namespace {

// ---- Combinations -------------------------------------------------------------------------------

struct Combination {
  std::string order;
  std::string backfill;
  bool whole_scheduler = false;  // `order` is a scheduler of its own
};

void PrintTo(const Combination& one, std::ostream* out) {
  *out << one.order << ' ' << one.backfill;
}

struct Rest {
  std::string estimates;
  std::string placement;
  Packing packing = Packing::kGang;
  std::string constrain;  // gpus; gpus, cpus; ...
};

std::vector<Combination> all_combinations() {
  const Registries registries = builtin_registries();
  std::vector<Combination> out;
  for (const std::string& backfill : registries.backfills.names()) {
    for (const std::string& order : registries.orders.names()) out.push_back({order, backfill});
    for (const std::string& scheduler : registries.schedulers.names()) {
      out.push_back({scheduler, backfill, true});
    }
  }
  return out;
}

std::vector<Rest> all_rests() {
  const Registries registries = builtin_registries();
  std::vector<Rest> out;
  for (const std::string& estimates : registries.estimates.names()) {
    for (const std::string& placement : registries.placements.names()) {
      for (const Packing packing : {Packing::kGang, Packing::kPool}) {
        for (const char* constrain : {"gpus", "gpus, cpus", "gpus, cpus, memory"}) {
          out.push_back({estimates, placement, packing, constrain});
        }
      }
    }
  }
  return out;
}

// As `berth list policies` says. Whatever is not named here must run.
bool must_be_refused(const Combination& policy, const Rest& rest) {
  const bool gpus_only = rest.constrain == "gpus";
  const bool pool = rest.packing == Packing::kPool;
  if (policy.order == "srtf") {
    const bool greedy = policy.backfill == "none" || policy.backfill == "greedy";
    return !greedy || rest.placement != "packed" || !gpus_only;
  }
  if (policy.order == "recorded") return policy.backfill != "none";
  if (policy.backfill == "conservative") return !pool || !gpus_only;
  return false;
}

std::string estimates_options(const std::string& mode) {
  if (mode == "factor") return ", factor: 0.7";
  if (mode == "lognormal") return ", sigma: 1";
  if (mode == "limit") return ", limits: {default: 10s}";
  return "";
}

constexpr ClusterSize kSize{4, 4};
constexpr std::uint32_t kCpusPerNode = 16;
constexpr std::uint32_t kMemoryPerNode = 64;  // MiB

ClusterSpec spec_of(const Rest& rest) {
  ClusterSpec out;
  out.groups[0].nodes = static_cast<std::uint32_t>(kSize.nodes);
  out.groups[0].gpus_per_node = static_cast<std::uint32_t>(kSize.gpus_per_node);
  out.groups[0].cpus_per_node = kCpusPerNode;
  out.groups[0].memory_mib_per_node = kMemoryPerNode;
  out.packing = rest.packing;
  out.constrain_cpus = rest.constrain.find("cpus") != std::string::npos;
  out.constrain_memory = rest.constrain.find("memory") != std::string::npos;
  return out;
}

std::string yaml_of(const Combination& policy, const Rest& rest, int seed = 1) {
  return "{seed: " + std::to_string(seed) + ", cluster: {nodes: " + std::to_string(kSize.nodes) +
         ", gpus_per_node: " + std::to_string(kSize.gpus_per_node) +
         ", cpus_per_node: " + std::to_string(kCpusPerNode) +
         ", memory_per_node: " + std::to_string(kMemoryPerNode) + "MiB" +
         ", packing: " + (rest.packing == Packing::kPool ? "pool" : "gang") + ", constrain: [" +
         rest.constrain + "]}, policy: {order: " + policy.order + ", backfill: " + policy.backfill +
         ", estimates: {mode: " + rest.estimates + estimates_options(rest.estimates) +
         "}}, placement: " + rest.placement + "}";
}

// ---- Traces -------------------------------------------------------------------------------------

struct Row {
  std::int64_t submit_ms = 0;
  std::int64_t run_ms = 0;
  std::int64_t recorded_wait_ms = 0;
  std::uint32_t gpus = 0;
  std::uint32_t cpus = 0;
  std::uint32_t memory_mib = 0;
};

JobTable table_of(const std::vector<Row>& rows) {
  JobTableBuilder builder;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string id = std::to_string(i);
    JobRow row;
    row.id = id;
    row.user = "u";
    row.type = "Other";
    row.submit_unix_ms = rows[i].submit_ms;
    row.start_unix_ms = rows[i].submit_ms + rows[i].recorded_wait_ms;
    row.run = Duration(rows[i].run_ms);
    row.gpu_parts = rows[i].gpus;
    row.cpus = rows[i].cpus;
    row.memory_mib = rows[i].memory_mib;
    row.line = i + 2;
    builder.add(row);
  }
  return builder.finish();
}

// What a job asks of one node is at most what a node has; of several, GPU by GPU its share of it.
std::vector<Row> random_rows(Dice& dice, std::int64_t jobs) {
  std::vector<Row> out;
  for (const twin::PlainJob& job : random_trace(dice, kSize, jobs)) {
    Row row;
    row.submit_ms = job.submit_ms;
    row.run_ms = job.run_ms;
    row.recorded_wait_ms = dice.one_in(2) ? 0 : 1000 * dice.between(0, 20);
    row.gpus = static_cast<std::uint32_t>(job.gpus);
    const std::int64_t shares = job.gpus > kSize.gpus_per_node ? job.gpus : kSize.gpus_per_node;
    row.cpus =
        static_cast<std::uint32_t>(dice.between(0, shares * kCpusPerNode / kSize.gpus_per_node));
    row.memory_mib =
        static_cast<std::uint32_t>(dice.between(0, shares * kMemoryPerNode / kSize.gpus_per_node));
    out.push_back(row);
  }
  return out;
}

// ---- The properties -----------------------------------------------------------------------------

class Property : public testing::TestWithParam<Combination> {
 protected:
  // Calls body(rest) for whatever goes with this test's order and backfill and has a meaning.
  template <class Body>
  void for_each_meaningful(const Body& body) {
    for (const Rest& rest : all_rests()) {
      if (must_be_refused(GetParam(), rest)) continue;
      SCOPED_TRACE(yaml_of(GetParam(), rest));
      body(rest);
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
};

TEST_P(Property, CombinationsWithoutMeaningAreRefused) {
  const JobTable jobs = table_of({{}});
  for (const Rest& rest : all_rests()) {
    SCOPED_TRACE(yaml_of(GetParam(), rest));
    if (must_be_refused(GetParam(), rest)) {
      EXPECT_THROW(simulate(jobs, yaml_of(GetParam(), rest)), ConfigError);
    } else {
      EXPECT_NO_THROW(simulate(jobs, yaml_of(GetParam(), rest)));
    }
  }
}

TEST_P(Property, RecordsKeepTheLaws) {
  Dice dice(11);
  for_each_meaningful([&](const Rest& rest) {
    for (int trace = 0; trace < 4; ++trace) {
      std::vector<Row> rows = random_rows(dice, dice.between(20, 60));
      rows.push_back({.submit_ms = 500, .run_ms = 1000, .gpus = 17});  // can never run
      const JobTable jobs = table_of(rows);
      CheckingSink sink(jobs, spec_of(rest));
      const Simulated result = simulate(jobs, yaml_of(GetParam(), rest), {&sink});
      if (HasFatalFailure()) return;
      sink.expect_all_done();
      EXPECT_EQ(result.engine.rejected, 1u);
      EXPECT_EQ(result.engine.left, 0u);
    }
  });
}

TEST_P(Property, SameSeedSameDigestAndSinksDoNotMatter) {
  Dice dice(12);
  for_each_meaningful([&](const Rest& rest) {
    const JobTable jobs = table_of(random_rows(dice, 40));
    const std::string yaml = yaml_of(GetParam(), rest);
    const Simulated first = simulate(jobs, yaml);
    const Simulated second = simulate(jobs, yaml);
    EXPECT_EQ(first.digest, second.digest);
    EXPECT_EQ(first.jobs, second.jobs);
    CheckingSink one(jobs, spec_of(rest));  // asks for placements
    CheckingSink another(jobs, spec_of(rest));
    const Simulated watched = simulate(jobs, yaml, {&one, &another});
    EXPECT_EQ(first.digest, watched.digest);
    EXPECT_EQ(first.jobs, watched.jobs);
  });
}

// With different submissions the rows of the trace may lie in any order.
TEST_P(Property, OrderOfRowsDoesNotMatter) {
  Dice dice(13);
  for_each_meaningful([&](const Rest& rest) {
    std::vector<Row> rows = random_rows(dice, 40);
    std::ranges::stable_sort(rows, {}, &Row::submit_ms);
    std::int64_t last_ms = -1;
    for (Row& row : rows) {
      row.submit_ms = std::max(row.submit_ms, last_ms + 1);
      last_ms = row.submit_ms;
    }
    const std::string yaml = yaml_of(GetParam(), rest);
    const Simulated sorted = simulate(table_of(rows), yaml);
    for (std::size_t i = rows.size(); i > 1; --i) {
      std::swap(rows[i - 1],
                rows[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(i)))]);
    }
    const Simulated shuffled = simulate(table_of(rows), yaml);
    EXPECT_EQ(sorted.digest, shuffled.digest);
    EXPECT_EQ(sorted.jobs, shuffled.jobs);
  });
}

INSTANTIATE_TEST_SUITE_P(All, Property, testing::ValuesIn(all_combinations()),
                         [](const testing::TestParamInfo<Combination>& it) {
                           return it.param.order + "_" + it.param.backfill;
                         });

// Random estimates come from the seed; what is decided without them does not.
TEST(Seed, MovesWhatIsRandomAndNothingElse) {
  Dice dice(14);
  std::vector<Row> rows;
  for (int i = 0; i < 400; ++i) {
    rows.push_back({.submit_ms = 1000 * i,
                    .run_ms = 1000 * dice.between(1, 60),
                    .gpus = static_cast<std::uint32_t>(dice.between(1, 8))});
  }
  const JobTable jobs = table_of(rows);
  const auto digest = [&](const Combination& policy, const std::string& estimates, int seed) {
    const Packing packing = policy.backfill == "conservative" ? Packing::kPool : Packing::kGang;
    return simulate(jobs, yaml_of(policy, {estimates, "packed", packing, "gpus"}, seed)).digest;
  };
  for (const Combination& policy :
       {Combination{"sjf", "none"}, Combination{"fifo", "easy"},
        Combination{"fifo", "conservative"}, Combination{"srtf", "none", true}}) {
    SCOPED_TRACE(policy.order + " " + policy.backfill);
    EXPECT_EQ(digest(policy, "lognormal", 1), digest(policy, "lognormal", 1));
    EXPECT_NE(digest(policy, "lognormal", 1), digest(policy, "lognormal", 2));
    EXPECT_NE(digest(policy, "lognormal", 1), digest(policy, "exact", 1));
    EXPECT_EQ(digest(policy, "exact", 1), digest(policy, "exact", 2));
  }
  const Combination blind{"fifo", "greedy"};  // looks at no estimate
  EXPECT_EQ(digest(blind, "lognormal", 1), digest(blind, "lognormal", 2));
}

// ---- The checker is checked: what it must not let pass ------------------------------------------

// Two jobs of 3 GPUs, submitted at 1 s; nodes of 4 GPUs. `records` follow the two submissions.
void feed(std::vector<Record> records) {
  const JobTable jobs = table_of({{.submit_ms = 0, .run_ms = 0},
                                  {.submit_ms = 1000, .run_ms = 2000, .gpus = 3},
                                  {.submit_ms = 1000, .run_ms = 2000, .gpus = 3}});
  CheckingSink sink(jobs, spec_of({"exact", "packed", Packing::kGang, "gpus"}));
  const SimTime submit{std::chrono::seconds(1)};
  sink.consume(std::vector<Record>{{.time = submit, .subject = 1, .kind = RecordKind::kSubmitted}});
  sink.consume(std::vector<Record>{{.time = submit, .subject = 2, .kind = RecordKind::kSubmitted}});
  sink.consume(records);
}

Record record(std::int64_t second, std::uint32_t job, RecordKind kind, std::int64_t a = 0,
              std::uint32_t gpus = 0) {
  return {SimTime(std::chrono::seconds(second)), a, gpus, job, 1, kind};
}

TEST(CheckingSinkTest, SeesWhatIsWrong) {
  using enum RecordKind;
  // All well, up to the end of the first.
  feed({record(1, 1, kStarted), record(1, 1, kTaken, 2, 3), record(3, 1, kGiven, 2, 3),
        record(3, 1, kFinished, 1000)});
  EXPECT_FATAL_FAILURE(feed({record(0, 1, kStarted)}), "order of time");
  EXPECT_FATAL_FAILURE(feed({record(1, 1, kSubmitted)}), "submitted once");
  EXPECT_FATAL_FAILURE(feed({record(1, 0, kStarted)}), "only what waits starts");
  EXPECT_FATAL_FAILURE(feed({record(1, 1, kStarted), record(1, 1, kStarted)}),
                       "only what waits starts");
  EXPECT_FATAL_FAILURE(feed({record(1, 1, kStarted), record(1, 1, kTaken, 2, 3),
                             record(1, 2, kStarted), record(1, 2, kTaken, 2, 3)}),
                       "GPUs of node 2");
  EXPECT_FATAL_FAILURE(feed({record(1, 1, kFinished)}), "only what runs stops");
  EXPECT_NONFATAL_FAILURE(feed({record(1, 1, kStarted), record(1, 1, kTaken, 2, 3),
                                record(2, 1, kGiven, 2, 3), record(2, 1, kFinished, 1000)}),
                          "useful work is conserved");
  EXPECT_NONFATAL_FAILURE(
      feed({record(1, 1, kStarted), record(1, 1, kTaken, 2, 3), record(3, 1, kFinished, 1000)}),
      "gives back all it took");
}

// Without preemption the tests of srtf would be half empty.
TEST(CheckingSinkTest, SeesPreemptions) {
  const JobTable jobs = table_of({{.submit_ms = 0, .run_ms = 10000, .gpus = 16},
                                  {.submit_ms = 1000, .run_ms = 1000, .gpus = 16}});
  const Rest rest{"exact", "packed", Packing::kGang, "gpus"};
  CheckingSink sink(jobs, spec_of(rest));
  simulate(jobs, yaml_of({"srtf", "none", true}, rest), {&sink});
  sink.expect_all_done();
  EXPECT_EQ(sink.preemptions(), 1u);
}

}  // namespace
}  // namespace berth::test
