// Waiting tasks, one line a shape. Within a pass capacity only shrinks, so a shape that did not fit
// once is settled for all its tasks: a pass costs (starts + shapes) and never a walk of the queue.
#pragma once

#include <cstdint>
#include <vector>

#include "policies/planning/ordered_lines.hpp"
#include "sim/core/ids.hpp"

namespace berth {

class ShapeLines {
 public:
  struct Waiting {
    ShapeId shape{};
    OrderedLines::Line line = OrderedLines::kEmpty;
    Place head;  // the first of the line
  };

  // `value`: what first_after_within compares, the estimate in ms.
  void add(ShapeId shape, const Place& place, std::int64_t value) {
    if (slot_of_.size() <= index(shape)) slot_of_.resize(index(shape) + 1, kNoSlot);
    std::uint32_t& slot = slot_of_[index(shape)];
    if (slot == kNoSlot) {
      slot = static_cast<std::uint32_t>(waiting_.size());
      waiting_.push_back({shape, OrderedLines::kEmpty, place});
    }
    Waiting& waiting = waiting_[slot];
    lines_.insert(waiting.line, place, value);
    if (place < waiting.head) waiting.head = place;
  }

  void remove(ShapeId shape, const Place& place) {
    const std::uint32_t slot = slot_of_[index(shape)];
    Waiting& waiting = waiting_[slot];
    lines_.erase(waiting.line, place);
    if (const Place* head = lines_.first(waiting.line)) {
      waiting.head = *head;
      return;
    }
    slot_of_[index(shape)] = kNoSlot;
    if (slot + 1 != waiting_.size()) {
      waiting_[slot] = waiting_.back();
      slot_of_[index(waiting_[slot].shape)] = slot;
    }
    waiting_.pop_back();
  }

  bool empty() const { return waiting_.empty(); }
  // The shapes somebody waits with, in no meaningful order: compare heads.
  const std::vector<Waiting>& waiting() const { return waiting_; }
  // The first over all shapes. REQUIRES: not empty.
  const Waiting& first() const {
    const Waiting* best = &waiting_.front();
    for (const Waiting& candidate : waiting_) {
      if (candidate.head < best->head) best = &candidate;
    }
    return *best;
  }
  // The line of `shape`, kEmpty if nobody waits with it.
  OrderedLines::Line line(ShapeId shape) const {
    const std::uint32_t slot = index(shape) < slot_of_.size() ? slot_of_[index(shape)] : kNoSlot;
    return slot == kNoSlot ? OrderedLines::kEmpty : waiting_[slot].line;
  }
  // The first of `shape`'s line. REQUIRES: somebody waits with it.
  const Place& head(ShapeId shape) const { return waiting_[slot_of_[index(shape)]].head; }
  const OrderedLines& lines() const { return lines_; }

 private:
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
  OrderedLines lines_;
  std::vector<Waiting> waiting_;
  std::vector<std::uint32_t> slot_of_;  // by shape
};

}  // namespace berth
