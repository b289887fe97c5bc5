#include "workloads/synthetic/users.hpp"

#include <algorithm>

namespace berth::synthetic {

Users::Users(std::uint32_t number) {
  double sum = 0;
  for (std::uint32_t k = 0; k < number; ++k) cumulative_.push_back(sum += 1.0 / (k + 1.0));
}

std::uint16_t Users::draw(Rng& rng) const {
  const double at = rng.uniform() * cumulative_.back();
  const auto found = std::ranges::upper_bound(cumulative_, at) - cumulative_.begin();
  return static_cast<std::uint16_t>(
      std::min<std::ptrdiff_t>(found, static_cast<std::ptrdiff_t>(cumulative_.size()) - 1));
}

std::string user_name(Schema schema, std::uint16_t user) {
  // Multipliers without a factor in common with the range: every user has a name of its own.
  if (schema == Schema::kSeren) return "u" + std::to_string(10'000 + user * 7919u % 90'000);
  constexpr char kDigits[] = "0123456789abcdef";
  const std::uint32_t code = (user + 1) * 40'503u % 65'536;
  std::string name = "u";
  for (int shift = 12; shift >= 0; shift -= 4) name += kDigits[code >> shift & 15u];
  return name;
}

}  // namespace berth::synthetic
