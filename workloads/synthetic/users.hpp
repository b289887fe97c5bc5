// Who submits. Few users submit most: user k (from 0) is drawn in proportion to 1 / (k + 1).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/rng.hpp"
#include "workloads/synthetic/profile.hpp"

namespace berth::synthetic {

class Users {
 public:
  explicit Users(std::uint32_t number);
  std::uint16_t draw(Rng& rng) const;

 private:
  std::vector<double> cumulative_;
};

// "u5907" in Seren's style, "uf794" in Kalos'.
std::string user_name(Schema schema, std::uint16_t user);

}  // namespace berth::synthetic
