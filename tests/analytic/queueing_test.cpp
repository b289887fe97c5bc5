// Against formulas: Poisson arrivals, 1-GPU jobs, a pool of c GPUs, and what queueing theory says
// of the mean wait (Kleinrock, Queueing Systems I and II; Schrage and Miller 1966 for SRPT).
//
// The mean service is S = 1000 s and the clock ticks in milliseconds, so rounding moves a mean by
// some 1e-6 of itself. Waits of jobs that follow each other are strongly correlated; hence batch
// means: 20 batches, each a mean over tens of thousands of jobs, are nearly independent, and
// mean +- t s / sqrt(20) with t = 2.093 is a 95 % interval. What is asserted:
//
//   |mean - formula| < 1.5 half-widths. A correct program misses the 95 % interval itself once in
//   20 cases, and with a dozen cases here one would fail and invite us to pick another seed. 1.5
//   half-widths are 3.1 standard errors: one false alarm in 190 a case, while a wrong rule (a lost
//   or doubled instant, a wrong order) is off by tens of per cent.
//
//   half-width < 5 % of the formula. Else the first would pass whatever came out.
//
// Seeds are fixed: a case passes for ever or fails for ever. Each case draws from streams of its
// own, so that one unlucky sample is one case's; BERTH_TEST_SEED tries others.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "sim/core/rng.hpp"
#include "tests/support/simulation.hpp"

namespace berth::test {
namespace {

constexpr double kService = 1000;  // s, the mean

struct Sample {
  std::int64_t submit_ms = 0;
  std::int64_t run_ms = 0;
};

using Law = std::function<double(Rng&)>;  // a service time, s

Law exponential() {
  return [](Rng& rng) { return rng.exponential(kService); };
}
Law constant() {
  return [](Rng&) { return kService; };
}
// Of mean S; `sigma` of the logarithm.
Law lognormal(double sigma) {
  return
      [sigma](Rng& rng) { return kService * std::exp(sigma * rng.normal() - sigma * sigma / 2); };
}

std::uint64_t seed() {
  const char* text = std::getenv("BERTH_TEST_SEED");
  return text == nullptr ? 1 : std::stoull(text);
}

// Poisson arrivals at `rate` a second, drawn for the test that runs.
std::vector<Sample> arrivals(std::size_t count, double rate, const Law& law) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = std::string(test.test_suite_name()) + "." + test.name();
  Rng gaps(seed(), name + " arrivals");
  Rng services(seed(), name + " services");
  std::vector<Sample> out;
  out.reserve(count);
  double now_s = 0;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back({std::llround(1000 * now_s), std::llround(1000 * law(services))});
    now_s += gaps.exponential(1 / rate);
  }
  return out;
}

Simulated run_on_pool(const std::vector<Sample>& samples, int servers, const std::string& policy) {
  JobTableBuilder builder;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::string id = std::to_string(i);
    JobRow row;
    row.id = id;
    row.user = "u";
    row.type = "Other";
    row.submit_unix_ms = samples[i].submit_ms;
    row.start_unix_ms = samples[i].submit_ms;
    row.run = Duration(samples[i].run_ms);
    row.gpu_parts = 1;
    row.line = i + 2;
    builder.add(row);
  }
  return simulate(builder.finish(),
                  "{cluster: {nodes: 1, gpus_per_node: " + std::to_string(servers) +
                      ", packing: pool}, policy: " + policy + "}");
}

// Mean and half-width of its 95 % interval, the first hundredth (the start from empty) left out.
struct Estimate {
  double mean = 0;
  double half_width = 0;
};

Estimate batch_means(const std::vector<double>& values) {
  constexpr std::size_t kBatches = 20;
  constexpr double kStudent = 2.093;  // 19 degrees of freedom, 97.5 %
  const std::size_t first = values.size() / 100;
  const std::size_t length = (values.size() - first) / kBatches;
  double sum = 0;
  double squares = 0;
  for (std::size_t b = 0; b < kBatches; ++b) {
    double batch = 0;
    for (std::size_t i = 0; i < length; ++i) batch += values[first + b * length + i];
    batch /= static_cast<double>(length);
    sum += batch;
    squares += batch * batch;
  }
  const double mean = sum / kBatches;
  const double variance = (squares - kBatches * mean * mean) / (kBatches - 1);
  return {mean, kStudent * std::sqrt(variance / kBatches)};
}

void expect_agrees(const Estimate& estimate, double formula, const std::string& what) {
  EXPECT_LT(std::abs(estimate.mean - formula), 1.5 * estimate.half_width)
      << what << ": " << estimate.mean << " +- " << estimate.half_width << ", not " << formula;
  EXPECT_LT(estimate.half_width, 0.05 * formula)
      << what << ": " << estimate.mean << " +- " << estimate.half_width << " says too little";
  testing::Test::RecordProperty(what, std::to_string(estimate.mean) + " +- " +
                                          std::to_string(estimate.half_width) + ", formula " +
                                          std::to_string(formula));
}

struct Waits {
  Estimate wait_s;
  Estimate waited;  // the share of jobs that waited at all
  Estimate response_s;
};

Waits measure(const std::vector<Sample>& samples, int servers, const std::string& policy) {
  const Simulated result = run_on_pool(samples, servers, policy);
  std::vector<double> wait_s(samples.size());
  std::vector<double> waited(samples.size());
  std::vector<double> response_s(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::int64_t wait_ms = result.jobs[i].start_ms - samples[i].submit_ms;
    wait_s[i] = static_cast<double>(wait_ms) / 1000;
    waited[i] = wait_ms > 0 ? 1 : 0;
    response_s[i] = static_cast<double>(result.jobs[i].end_ms - samples[i].submit_ms) / 1000;
  }
  return {batch_means(wait_s), batch_means(waited), batch_means(response_s)};
}

const std::string kFifo = "{order: fifo, backfill: none}";

// ---- M/M/c --------------------------------------------------------------------------------------

// Erlang's C: the probability of waiting with c servers and an offered load of a = c rho.
double erlang_c(int servers, double rho) {
  const double a = servers * rho;
  double blocked = 1;  // Erlang's B by its recursion
  for (int k = 1; k <= servers; ++k) blocked = a * blocked / (k + a * blocked);
  return blocked / (1 - rho + rho * blocked);
}

double mean_wait(int servers, double rho) {
  return erlang_c(servers, rho) * kService / (servers * (1 - rho));
}

TEST(ErlangC, IsThatOfTheTables) {
  EXPECT_NEAR(mean_wait(1, 0.5), 1000, 1e-6);
  EXPECT_NEAR(mean_wait(1, 0.8), 4000, 1e-6);
  EXPECT_NEAR(mean_wait(4, 0.9), 1969.383161, 1e-6);
  EXPECT_NEAR(mean_wait(8, 0.9), 876.9162377, 1e-6);
  EXPECT_NEAR(erlang_c(8, 0.8), 0.4576449254, 1e-9);
}

struct QueueCase {
  int servers;
  double rho;
  std::size_t jobs;
};

void PrintTo(const QueueCase& one, std::ostream* out) {
  *out << one.servers << " servers, rho " << one.rho;
}

class MarkovQueue : public testing::TestWithParam<QueueCase> {};

TEST_P(MarkovQueue, MeanWaitAndProbabilityOfWaiting) {
  const auto& [servers, rho, jobs] = GetParam();
  const Waits waits =
      measure(arrivals(jobs, servers * rho / kService, exponential()), servers, kFifo);
  expect_agrees(waits.wait_s, mean_wait(servers, rho), "mean_wait_s");
  expect_agrees(waits.waited, erlang_c(servers, rho), "probability_of_waiting");
  expect_agrees(waits.response_s, mean_wait(servers, rho) + kService, "mean_response_s");
}

INSTANTIATE_TEST_SUITE_P(All, MarkovQueue,
                         testing::Values(QueueCase{1, 0.5, 1'000'000}, QueueCase{1, 0.8, 2'000'000},
                                         QueueCase{4, 0.8, 2'000'000}, QueueCase{4, 0.9, 2'000'000},
                                         QueueCase{8, 0.8, 2'000'000},
                                         QueueCase{8, 0.9, 2'000'000}),
                         [](const testing::TestParamInfo<QueueCase>& it) {
                           return "c" + std::to_string(it.param.servers) + "_rho" +
                                  std::to_string(std::lround(100 * it.param.rho));
                         });

// ---- M/G/1 --------------------------------------------------------------------------------------

// Pollaczek and Khinchine: Wq = lambda E[S^2] / (2 (1 - rho)); of a constant, E[S^2] = S^2.
TEST(GeneralQueue, ConstantServiceHalvesTheWait) {
  const double rho = 0.8;
  const Waits waits = measure(arrivals(1'000'000, rho / kService, constant()), 1, kFifo);
  expect_agrees(waits.wait_s, rho * kService / (2 * (1 - rho)), "mean_wait_s");
}

// E[S^2] = S^2 exp(sigma^2).
TEST(GeneralQueue, LognormalService) {
  const double rho = 0.8;
  const Waits waits = measure(arrivals(2'000'000, rho / kService, lognormal(1)), 1, kFifo);
  expect_agrees(waits.wait_s, rho * kService * std::exp(1.0) / (2 * (1 - rho)), "mean_wait_s");
}

// ---- M/M/1 by size
// --------------------------------------------------------------------------------

// The integral of `f` from 0 to 60 mean services, beyond which exp(-x) is nothing (Simpson).
double integrate(const std::function<double(double)>& f) {
  constexpr int kSteps = 60'000;
  constexpr double kStep = 60.0 / kSteps;
  double sum = f(0) + f(60);
  for (int i = 1; i < kSteps; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(i * kStep);
  return sum * kStep / 3;
}

// In mean services: the load by jobs no longer than x is rho F1(x), F1(x) the integral of
// t exp(-t) up to x; F2 is that of t^2 exp(-t).
double load_below(double rho, double x) { return rho * (1 - std::exp(-x) * (1 + x)); }

// Cobham, the length as a continuous priority: a job of length x waits R / (1 - load_below(x))^2,
// R = lambda E[S^2] / 2 what is left of the job in service.
double mean_wait_of_sjf(double rho) {
  return integrate([rho](double x) {
    const double left = 1 - load_below(rho, x);
    return std::exp(-x) * rho / (left * left);
  });
}

// Schrage and Miller: waits (lambda / 2) (F2(x) + x^2 (1 - F(x))) / (1 - load_below(x))^2, then is
// served at the speed that those with less left allow it: integral of dt / (1 - load_below(t)) up
// to x, which over all x is the integral of exp(-t) / (1 - load_below(t)).
double mean_response_of_srpt(double rho) {
  return integrate([rho](double x) {
    const double left = 1 - load_below(rho, x);
    const double second = 2 - std::exp(-x) * (x * x + 2 * x + 2) + x * x * std::exp(-x);
    return std::exp(-x) * (rho / 2 * second / (left * left) + 1 / left);
  });
}

TEST(BySize, FormulasAreThoseOfTheTables) {
  EXPECT_NEAR(mean_wait_of_sjf(0.8), 1.882219, 1e-6);
  EXPECT_NEAR(mean_response_of_srpt(0.8), 2.352773, 1e-6);
}

TEST(BySize, ShortestJobFirst) {
  const double rho = 0.8;
  const Waits waits = measure(arrivals(2'000'000, rho / kService, exponential()), 1,
                              "{order: sjf, backfill: none}");
  expect_agrees(waits.wait_s, kService * mean_wait_of_sjf(rho), "mean_wait_s");
  expect_agrees(waits.response_s, kService * (mean_wait_of_sjf(rho) + 1), "mean_response_s");
}

TEST(BySize, ShortestRemainingTimeFirst) {
  const double rho = 0.8;
  const Waits waits =
      measure(arrivals(1'000'000, rho / kService, exponential()), 1, "{order: srtf}");
  expect_agrees(waits.response_s, kService * mean_response_of_srpt(rho), "mean_response_s");
}

// With one server and 1-GPU jobs there is nothing to overtake: every backfill is FIFO.
TEST(Backfill, OfOneGpuJobsIsFifo) {
  const std::vector<Sample> samples = arrivals(100'000, 7.2 / kService, exponential());
  const std::vector<SimulatedJob> fifo = run_on_pool(samples, 8, kFifo).jobs;
  for (const char* backfill : {"greedy", "easy", "conservative"}) {
    EXPECT_EQ(run_on_pool(samples, 8, std::string("{backfill: ") + backfill + "}").jobs, fifo)
        << backfill;
  }
}

}  // namespace
}  // namespace berth::test
