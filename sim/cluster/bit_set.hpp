// A set of small integers with "the lowest at or after" in a few word operations: 64-ary tree of
// bitmaps. Used for nodes by free GPUs, where ties go to the lowest index.
#pragma once

#include <algorithm>
#include <array>
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
    depth_ = 0;
    std::size_t total = 0;
    do {
      capacity = (capacity + 63) / 64;
      offset_[depth_++] = total;
      total += std::max<std::size_t>(capacity, 1);
    } while (capacity > 1);
    offset_[depth_] = total;
    words_.assign(total, 0);
  }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  void insert(std::size_t i) {
    for (std::size_t depth = 0; depth < depth_; ++depth) {
      std::uint64_t& word = words_[offset_[depth] + i / 64];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << (i % 64);
      if (!was_empty) return;  // the levels above know already
      i /= 64;
    }
  }
  void erase(std::size_t i) {
    for (std::size_t depth = 0; depth < depth_; ++depth) {
      std::uint64_t& word = words_[offset_[depth] + i / 64];
      word &= ~(std::uint64_t{1} << (i % 64));
      if (word != 0) return;
      i /= 64;
    }
  }
  bool contains(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1u) != 0; }
  bool empty() const { return words_.back() == 0; }

  // The lowest member >= i, or kNone.
  std::size_t next(std::size_t i) const {
    for (std::size_t depth = 0; depth < depth_; ++depth) {
      const std::size_t at_word = offset_[depth] + i / 64;
      if (at_word >= offset_[depth + 1]) return kNone;
      const std::uint64_t word = words_[at_word] & (~std::uint64_t{0} << (i % 64));
      if (word != 0) {
        std::size_t at = i / 64 * 64 + static_cast<std::size_t>(std::countr_zero(word));
        while (depth-- > 0) {
          at = at * 64 + static_cast<std::size_t>(std::countr_zero(words_[offset_[depth] + at]));
        }
        return at;
      }
      i = i / 64 + 1;
    }
    return kNone;
  }
  std::size_t first() const { return next(0); }

 private:
  static constexpr std::size_t kMostLevels = 11;  // 64^11 > 2^64
  std::vector<std::uint64_t> words_;              // level after level; the first holds the members
  std::array<std::size_t, kMostLevels + 1> offset_{};  // of each level, and the end
  std::size_t depth_ = 0;
};

}  // namespace berth
