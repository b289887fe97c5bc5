// Completions to come: one flat binary heap of 24-byte events.
//
// Arrivals are not in it (they are sorted already). Events are never removed early: an attempt that
// was interrupted leaves a stale event behind, which the engine recognises by its attempt number
// and drops before it looks at the clock, so that a stale event never makes an instant.
// Ties: equal times in order of task, which is queue order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "sim/core/ids.hpp"
#include "sim/core/time.hpp"

namespace berth {

struct Completion {
  SimTime time;
  TaskId task;
  std::uint32_t attempt;
};

class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  const Completion& top() const { return heap_.front(); }
  void push(const Completion& event) {
    heap_.push_back(event);
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
  }

 private:
  static bool later(const Completion& a, const Completion& b) {
    return std::tie(a.time, a.task, a.attempt) > std::tie(b.time, b.task, b.attempt);
  }
  std::vector<Completion> heap_;
};

}  // namespace berth
