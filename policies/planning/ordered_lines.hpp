// Many queues in one pool: each an ordered set of tasks that can answer "the first one behind this
// place whose value is at most x" in O(log n).
//
// A treap a line (Seidel and Aragon 1996), nodes in one flat array that is reused, priorities a
// hash of the task, so that the same contents always give the same tree. Each node knows the
// smallest value below it. Used for waiting tasks (value: their estimate) and running tasks
// (ordered by their estimated end).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "sim/core/huge_pages.hpp"
#include "sim/core/ids.hpp"

namespace berth {

// A place in a line: smaller keys first, equal keys in order of task, which is queue order.
struct Place {
  std::int64_t key = 0;
  TaskId task{};
  auto operator<=>(const Place&) const = default;
};

class OrderedLines {
 public:
  using Line = std::uint32_t;  // the root; 0 is an empty line
  static constexpr Line kEmpty = 0;

  OrderedLines() : nodes_(1) {}

  void insert(Line& line, const Place& place, std::int64_t value);
  // REQUIRES: the place is in the line.
  void erase(Line& line, const Place& place);
  void clear(Line& line);

  // Null where there is none. Valid until the next change of any line.
  const Place* first(Line line) const;
  const Place* first_after(Line line, const Place& place) const;
  // The first behind `place` with a value <= `limit`.
  const Place* first_after_within(Line line, const Place& place, std::int64_t limit) const;

  // Calls visit(place, value) in order until it returns false. The line must not change meanwhile.
  template <class Visit>
  void walk(Line line, Visit&& visit) const {
    Line stack[kDeepest];
    std::size_t depth = 0;
    while (line != kEmpty || depth != 0) {
      for (; line != kEmpty; line = nodes_[line].left) stack[depth++] = line;
      line = stack[--depth];
      if (!visit(nodes_[line].place, nodes_[line].value)) return;
      line = nodes_[line].right;
    }
  }

 private:
  // A treap of 2^32 nodes is deeper than this with probability below 1e-30.
  static constexpr std::size_t kDeepest = 512;

  struct Node {
    Place place;
    std::int64_t value = 0;
    std::int64_t lowest = 0;  // value of the subtree
    Line left = kEmpty;
    Line right = kEmpty;
    std::uint32_t priority = 0;
  };

  Line create(const Place& place, std::int64_t value);
  void update(Line line);
  // Everything before `place` to `low`, the rest to `high`.
  void split(Line line, const Place& place, Line& low, Line& high);
  Line merge(Line low, Line high);

  JobVector<Node> nodes_;  // nodes_[0] stands for "none"
  std::vector<Line> unused_;
};

}  // namespace berth
