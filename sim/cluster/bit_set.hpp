// A set of small integers with "the lowest at or after" in a few word operations: 64-ary tree of
// bitmaps. Used for nodes by free GPUs, where ties go to the lowest index.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth {

class BitSet {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  explicit BitSet(std::size_t capacity = 0) { resize(capacity); }

  // Empties the set and makes room for 0 .. capacity - 1.
  void resize(std::size_t capacity) {
    levels_.clear();
    do {
      capacity = (capacity + 63) / 64;
      levels_.emplace_back(capacity, 0);
    } while (capacity > 1);
  }
  void clear() {
    for (auto& level : levels_) std::fill(level.begin(), level.end(), 0);
  }
  void insert(std::size_t i) {
    for (auto& level : levels_) {
      std::uint64_t& word = level[i / 64];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << (i % 64);
      if (!was_empty) return;  // the levels above know already
      i /= 64;
    }
  }
  void erase(std::size_t i) {
    for (auto& level : levels_) {
      std::uint64_t& word = level[i / 64];
      word &= ~(std::uint64_t{1} << (i % 64));
      if (word != 0) return;
      i /= 64;
    }
  }
  bool contains(std::size_t i) const { return (levels_[0][i / 64] >> (i % 64) & 1u) != 0; }
  bool empty() const { return levels_.back()[0] == 0; }

  // The lowest member >= i, or kNone.
  std::size_t next(std::size_t i) const {
    for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
      const auto& level = levels_[depth];
      if (i / 64 >= level.size()) return kNone;
      const std::uint64_t word = level[i / 64] & (~std::uint64_t{0} << (i % 64));
      if (word != 0) {
        std::size_t at = i / 64 * 64 + static_cast<std::size_t>(std::countr_zero(word));
        while (depth-- > 0) {
          at = at * 64 + static_cast<std::size_t>(std::countr_zero(levels_[depth][at]));
        }
        return at;
      }
      i = i / 64 + 1;
    }
    return kNone;
  }
  std::size_t first() const { return next(0); }

 private:
  std::vector<std::vector<std::uint64_t>> levels_;  // levels_[0] holds the members
};

}  // namespace berth
