// Random streams by name. Each concern (estimates, placement, failures, ...) draws from a stream
// of its own, derived from the seed and a name, so that switching one on does not move another.
//
// The generator is PCG-XSH-RR 64/32 (O'Neill 2014, "PCG: A Family of Simple Fast Space-Efficient
// Statistically Good Algorithms for Random Number Generation"); the sampling functions are our own
// since those of <random> differ between standard libraries.
#pragma once

#include <cstdint>
#include <string_view>

namespace berth {

class Rng {
 public:
  // The stream `name` of `seed`; `substream` keys it further (a job, a node), so that a draw
  // depends on its subject and not on how many draws came before.
  Rng(std::uint64_t seed, std::string_view name, std::uint64_t substream = 0);

  std::uint32_t next_u32();
  // Uniform in [0, bound), without bias. bound > 0.
  std::uint32_t below(std::uint32_t bound);
  // Uniform in (0, 1), never 0 nor 1.
  double uniform();
  double exponential(double mean);
  // Standard normal (Box-Muller, one value a call).
  double normal();

 private:
  std::uint64_t state_;
  std::uint64_t increment_;
};

}  // namespace berth
