// Fisher-Yates on our own stream: std::shuffle differs between standard libraries.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/rng.hpp"

namespace berth::synthetic {

template <typename T>
void shuffle(std::vector<T>& items, Rng& rng) {
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[rng.below(static_cast<std::uint32_t>(i))]);
  }
}

}  // namespace berth::synthetic
