#include "sim/core/rng.hpp"

#include <cmath>
#include <numbers>

#include "sim/core/check.hpp"

namespace berth {
namespace {

// SplitMix64's finalizer: spreads a seed over all bits (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t hash_name(std::string_view name) {  // FNV-1a
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

}  // namespace

// The name goes into the state too, not into the increment alone: two generators that start from
// one state stay a fixed sequence apart, whatever that state is.
Rng::Rng(std::uint64_t seed, std::string_view name, std::uint64_t substream) {
  const std::uint64_t stream = mix(hash_name(name) ^ mix(seed));
  state_ = mix(stream ^ mix(substream));
  increment_ = stream | 1u;
  next_u32();
}

std::uint32_t Rng::next_u32() {
  const std::uint64_t old = state_;
  state_ = old * 6364136223846793005u + increment_;
  const auto shifted = static_cast<std::uint32_t>(((old >> 18u) ^ old) >> 27u);
  const auto rotate = static_cast<std::uint32_t>(old >> 59u);
  return (shifted >> rotate) | (shifted << ((32u - rotate) & 31u));
}

std::uint32_t Rng::below(std::uint32_t bound) {
  SIM_CHECK(bound > 0, "a draw below 0");
  const std::uint32_t threshold = (0u - bound) % bound;
  while (true) {
    const std::uint32_t draw = next_u32();
    if (draw >= threshold) return draw % bound;
  }
}

double Rng::uniform() {
  // 52 bits and a half: with 53 the half would be rounded, and the largest draw would be 1.
  const std::uint64_t high = next_u32() >> 6u;
  const std::uint64_t low = next_u32() >> 6u;
  return (static_cast<double>(high << 26u | low) + 0.5) * 0x1p-52;
}

double Rng::exponential(double mean) { return -mean * std::log(uniform()); }

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace berth
