#include "policies/planning/ordered_lines.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace berth {
namespace {

std::uint32_t priority_of(TaskId task) {  // murmur3's finalizer
  auto h = static_cast<std::uint32_t>(task) + 0x9e3779b9u;
  h = (h ^ (h >> 16u)) * 0x85ebca6bu;
  h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
  return h ^ (h >> 16u);
}

}  // namespace

OrderedLines::Line OrderedLines::create(const Place& place, std::int64_t value) {
  const Node node{place, value, value, kEmpty, kEmpty, priority_of(place.task)};
  if (unused_.empty()) {
    nodes_.push_back(node);
    return static_cast<Line>(nodes_.size() - 1);
  }
  const Line line = unused_.back();
  unused_.pop_back();
  nodes_[line] = node;
  return line;
}

void OrderedLines::update(Line line) {
  Node& node = nodes_[line];
  node.lowest = node.value;
  if (node.left != kEmpty) node.lowest = std::min(node.lowest, nodes_[node.left].lowest);
  if (node.right != kEmpty) node.lowest = std::min(node.lowest, nodes_[node.right].lowest);
}

void OrderedLines::split(Line line, const Place& place, Line& low, Line& high) {
  if (line == kEmpty) {
    low = high = kEmpty;
    return;
  }
  if (nodes_[line].place < place) {
    Line rest = kEmpty;
    split(nodes_[line].right, place, rest, high);
    nodes_[line].right = rest;
    low = line;
  } else {
    Line rest = kEmpty;
    split(nodes_[line].left, place, low, rest);
    nodes_[line].left = rest;
    high = line;
  }
  update(line);
}

OrderedLines::Line OrderedLines::merge(Line low, Line high) {
  if (low == kEmpty) return high;
  if (high == kEmpty) return low;
  if (nodes_[low].priority > nodes_[high].priority) {
    nodes_[low].right = merge(nodes_[low].right, high);
    update(low);
    return low;
  }
  nodes_[high].left = merge(low, nodes_[high].left);
  update(high);
  return high;
}

void OrderedLines::insert(Line& line, const Place& place, std::int64_t value) {
  const Line fresh = create(place, value);
  Line* at = &line;
  while (*at != kEmpty && nodes_[*at].priority >= nodes_[fresh].priority) {
    Node& node = nodes_[*at];
    node.lowest = std::min(node.lowest, value);
    at = node.place < place ? &node.right : &node.left;
  }
  split(*at, place, nodes_[fresh].left, nodes_[fresh].right);
  update(fresh);
  *at = fresh;
}

void OrderedLines::erase(Line& line, const Place& place) {
  Line path[kDeepest];
  std::size_t depth = 0;
  Line* at = &line;
  while (*at != kEmpty && nodes_[*at].place != place) {
    path[depth++] = *at;
    at = nodes_[*at].place < place ? &nodes_[*at].right : &nodes_[*at].left;
  }
  SIM_CHECK(*at != kEmpty, "a task is not in the line it should leave");
  const Line gone = *at;
  *at = merge(nodes_[gone].left, nodes_[gone].right);
  unused_.push_back(gone);
  while (depth-- > 0) update(path[depth]);
}

void OrderedLines::clear(Line& line) {
  if (line == kEmpty) return;
  clear(nodes_[line].left);
  clear(nodes_[line].right);
  unused_.push_back(line);
  line = kEmpty;
}

const Place* OrderedLines::first(Line line) const {
  if (line == kEmpty) return nullptr;
  while (nodes_[line].left != kEmpty) line = nodes_[line].left;
  return &nodes_[line].place;
}

const Place* OrderedLines::first_after(Line line, const Place& place) const {
  const Place* best = nullptr;
  while (line != kEmpty) {
    const Node& node = nodes_[line];
    if (place < node.place) {
      best = &node.place;
      line = node.left;
    } else {
      line = node.right;
    }
  }
  return best;
}

const Place* OrderedLines::first_after_within(Line line, const Place& place,
                                              std::int64_t limit) const {
  if (line == kEmpty || nodes_[line].lowest > limit) return nullptr;
  const Node& node = nodes_[line];
  if (!(place < node.place)) return first_after_within(node.right, place, limit);
  // The left part may hold places on both sides of `place`, but the search goes two ways only
  // along the path to `place`, so it stays O(log n).
  if (const Place* found = first_after_within(node.left, place, limit)) return found;
  if (node.value <= limit) return &node.place;
  return first_after_within(node.right, place, limit);
}

}  // namespace berth
