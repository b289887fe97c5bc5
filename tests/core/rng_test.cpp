// The random streams: which draws are equal, which differ, and whether they have the distribution
// they claim. Statistical bounds are five standard errors (one run in 1.7 million would fail by
// chance; the seeds are fixed, so each either always holds or never).
#include "sim/core/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/check.hpp"

namespace berth {
namespace {

constexpr int kDraws = 1'000'000;

std::vector<std::uint32_t> draws(Rng rng, std::size_t count) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(rng.next_u32());
  return out;
}

struct Moments {
  double mean = 0;
  double mean_square = 0;
};

template <class Draw>
Moments moments(Draw draw) {
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = draw();
    sum += value;
    squares += value * value;
  }
  return {sum / kDraws, squares / kDraws};
}

// Five standard errors of a mean of kDraws values with this variance.
double five_errors(double variance) { return 5 * std::sqrt(variance / kDraws); }

TEST(Rng, SameSeedAndNameGiveTheSameStream) {
  EXPECT_EQ(draws(Rng(7, "estimates"), 1'000), draws(Rng(7, "estimates"), 1'000));
  EXPECT_EQ(draws(Rng(7, "estimates", 3), 1'000), draws(Rng(7, "estimates", 3), 1'000));
}

TEST(Rng, EverySeedNameAndSubstreamHasAStreamOfItsOwn) {
  std::set<std::vector<std::uint32_t>> streams;
  std::size_t count = 0;
  for (const std::uint64_t seed : {0u, 1u, 2u, 3u, 0xffffffffu}) {
    for (const char* name : {"", "a", "b", "ab", "ba", "estimates", "placement"}) {
      for (std::uint64_t substream = 0; substream < 200; ++substream) {
        streams.insert(draws(Rng(seed, name, substream), 4));
        ++count;
      }
    }
  }
  EXPECT_EQ(streams.size(), count);
}

// Two words of n bits each agree in n / 2 places on average, with variance n / 4. Streams that
// start side by side must not look alike, for any pair of names.
TEST(Rng, NeighbouringStreamsAreUncorrelated) {
  const std::vector<std::pair<Rng, Rng>> pairs{{Rng(1, "a"), Rng(2, "a")},
                                               {Rng(1, "a"), Rng(1, "b")},
                                               {Rng(1, "a", 0), Rng(1, "a", 1)},
                                               {Rng(0, "", 0), Rng(0, "", 1)}};
  for (auto [left, right] : pairs) {
    std::int64_t agreeing = 0;
    constexpr int kWords = 10'000;
    for (int i = 0; i < kWords; ++i) {
      agreeing += 32 - __builtin_popcount(left.next_u32() ^ right.next_u32());
    }
    constexpr double kBits = 32.0 * kWords;
    EXPECT_NEAR(static_cast<double>(agreeing), kBits / 2, 5 * std::sqrt(kBits / 4));
  }
}

// The first draws of many substreams (one a job) are a sample too.
TEST(Rng, FirstDrawsOfSubstreamsAreUniform) {
  std::uint64_t job = 0;
  const Moments m = moments([&] { return Rng(1, "estimates", job++).uniform(); });
  EXPECT_NEAR(m.mean, 0.5, five_errors(1.0 / 12));
  EXPECT_NEAR(m.mean_square, 1.0 / 3, five_errors(1.0 / 5 - 1.0 / 9));
}

// The paired draws of two names over many substreams: E[xy] = 1/4, Var(xy) = 1/9 - 1/16.
TEST(Rng, NamesAreIndependentOverSubstreams) {
  std::uint64_t job = 0;
  const Moments m = moments([&] {
    const double x = Rng(1, "estimates", job).uniform();
    const double y = Rng(1, "placement", job).uniform();
    ++job;
    return x * y;
  });
  EXPECT_NEAR(m.mean, 0.25, five_errors(1.0 / 9 - 1.0 / 16));
}

// On (0, 1): E[x] = 1/2, Var(x) = 1/12; E[x^2] = 1/3, Var(x^2) = 1/5 - 1/9.
TEST(Rng, UniformHasItsMoments) {
  Rng rng(1, "uniform");
  double low = 1;
  double high = 0;
  const Moments m = moments([&] {
    const double x = rng.uniform();
    low = std::min(low, x);
    high = std::max(high, x);
    return x;
  });
  EXPECT_NEAR(m.mean, 0.5, five_errors(1.0 / 12));
  EXPECT_NEAR(m.mean_square, 1.0 / 3, five_errors(1.0 / 5 - 1.0 / 9));
  EXPECT_GT(low, 0);
  EXPECT_LT(high, 1);
  // The smallest of a million is below 20e-6 but for a chance of e^-20.
  EXPECT_LT(low, 20e-6);
  EXPECT_GT(high, 1 - 20e-6);
}

// Successive draws: E[x y] = 1/4, Var(x y) = 1/9 - 1/16.
TEST(Rng, SuccessiveUniformsAreUncorrelated) {
  Rng rng(1, "pairs");
  const Moments m = moments([&] {
    const double x = rng.uniform();
    return x * rng.uniform();
  });
  EXPECT_NEAR(m.mean, 0.25, five_errors(1.0 / 9 - 1.0 / 16));
}

// With mean 1: E[x] = 1, Var(x) = 1; E[x^2] = 2, Var(x^2) = E[x^4] - 4 = 24 - 4.
TEST(Rng, ExponentialHasItsMoments) {
  Rng rng(1, "exponential");
  const Moments m = moments([&] { return rng.exponential(1.0); });
  EXPECT_NEAR(m.mean, 1, five_errors(1));
  EXPECT_NEAR(m.mean_square, 2, five_errors(20));
}

TEST(Rng, ExponentialScalesWithItsMean) {
  Rng one(1, "exponential");
  Rng ten(1, "exponential");
  for (int i = 0; i < 1'000; ++i) {
    const double draw = one.exponential(1);
    ASSERT_GT(draw, 0);
    ASSERT_DOUBLE_EQ(ten.exponential(10), 10 * draw);
  }
}

// E[x] = 0, Var(x) = 1; E[x^2] = 1, Var(x^2) = 3 - 1. P(x > 1.96) = 0.0249979.
TEST(Rng, NormalHasItsMomentsAndTail) {
  Rng rng(1, "normal");
  int beyond = 0;
  const Moments m = moments([&] {
    const double x = rng.normal();
    if (x > 1.96) ++beyond;
    return x;
  });
  EXPECT_NEAR(m.mean, 0, five_errors(1));
  EXPECT_NEAR(m.mean_square, 1, five_errors(2));
  constexpr double kTail = 0.0249979;
  EXPECT_NEAR(static_cast<double>(beyond) / kDraws, kTail, five_errors(kTail * (1 - kTail)));
}

// Chi-square over k cells has mean k - 1 and variance 2 (k - 1).
TEST(Rng, BelowIsUnbiased) {
  for (const std::uint32_t bound : {2u, 3u, 7u, 10u, 64u, 1'000u}) {
    Rng rng(1, "below", bound);
    std::vector<double> counts(bound, 0);
    for (int i = 0; i < kDraws; ++i) {
      const std::uint32_t draw = rng.below(bound);
      ASSERT_LT(draw, bound);
      counts[draw] += 1;
    }
    const double expected = static_cast<double>(kDraws) / bound;
    double chi_square = 0;
    for (const double count : counts) {
      chi_square += (count - expected) * (count - expected) / expected;
    }
    const double freedom = bound - 1;
    EXPECT_NEAR(chi_square, freedom, 5 * std::sqrt(2 * freedom)) << bound;
  }
}

// Without rejection a bound of 3 x 2^30 would give its lower third twice as often as the others:
// 2^32 = (4 / 3) bound, so [0, 2^30) would come up with probability 1/2 instead of 1/3.
TEST(Rng, BelowIsUnbiasedForLargeBounds) {
  constexpr std::uint32_t kThird = 1u << 30;
  Rng rng(1, "large");
  std::array<double, 3> counts{};
  for (int i = 0; i < kDraws; ++i) counts[rng.below(3 * kThird) / kThird] += 1;
  for (const double count : counts) {
    EXPECT_NEAR(count / kDraws, 1.0 / 3, five_errors(2.0 / 9));
  }
}

TEST(Rng, BelowOneIsZeroAndBelowZeroIsRefused) {
  Rng rng(1, "edge");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.below(1), 0u);
  EXPECT_THROW(rng.below(0), InternalError);
}

}  // namespace
}  // namespace berth
