// The structures that policies plan with, each against a plain twin under random operations.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "policies/planning/availability_profile.hpp"
#include "policies/planning/level_packing.hpp"
#include "policies/planning/ordered_lines.hpp"
#include "policies/planning/shape_lines.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/core/check.hpp"
#include "sim/core/rng.hpp"

namespace berth {
namespace {

TEST(OrderedLines, AnswersLikeAnOrderedMap) {
  OrderedLines lines;
  OrderedLines::Line line[2] = {OrderedLines::kEmpty, OrderedLines::kEmpty};
  std::map<Place, std::int64_t> twin[2];
  Rng rng(3, "lines");
  for (std::uint32_t step = 0; step < 50'000; ++step) {
    const std::uint32_t which = rng.below(2);
    if (twin[which].empty() || rng.below(100) < 52) {
      const Place place{rng.below(20), TaskId(step)};
      const std::int64_t value = rng.below(1000);
      lines.insert(line[which], place, value);
      twin[which].emplace(place, value);
    } else {
      auto gone = twin[which].lower_bound({rng.below(20), TaskId(rng.below(step))});
      if (gone == twin[which].end()) gone = twin[which].begin();
      lines.erase(line[which], gone->first);
      twin[which].erase(gone);
    }
    const Place from{rng.below(20), TaskId(rng.below(step + 1))};
    const std::int64_t limit = rng.below(300);
    const auto after = twin[which].upper_bound(from);
    const Place* found = lines.first_after(line[which], from);
    ASSERT_EQ(found == nullptr, after == twin[which].end());
    if (found != nullptr) {
      ASSERT_EQ(*found, after->first);
    }
    auto within = after;
    while (within != twin[which].end() && within->second > limit) ++within;
    found = lines.first_after_within(line[which], from, limit);
    ASSERT_EQ(found == nullptr, within == twin[which].end());
    if (found != nullptr) {
      ASSERT_EQ(*found, within->first);
    }
    if (step % 1000 == 0) {
      auto at = twin[which].begin();
      lines.walk(line[which], [&](const Place& place, std::int64_t value) {
        EXPECT_EQ(place, at->first);
        EXPECT_EQ(value, at->second);
        ++at;
        return true;
      });
      EXPECT_EQ(at, twin[which].end());
    }
  }
  EXPECT_THROW(lines.erase(line[0], {99, TaskId(0)}), InternalError);
}

TEST(ShapeLines, KnowsWhoWaitsWithWhichShape) {
  ShapeLines lines;
  std::map<std::uint32_t, std::set<Place>> twin;
  Rng rng(4, "shapes");
  for (std::uint32_t step = 0; step < 20'000; ++step) {
    const std::uint32_t shape = rng.below(6);
    if (twin[shape].empty() || rng.below(100) < 51) {
      const Place place{rng.below(9), TaskId(step)};
      lines.add(ShapeId(shape), place, 0);
      twin[shape].insert(place);
    } else {
      const Place gone = rng.below(2) == 0 ? *twin[shape].begin() : *twin[shape].rbegin();
      lines.remove(ShapeId(shape), gone);
      twin[shape].erase(gone);
    }
    std::size_t waiting = 0;
    Place first{1000, TaskId(0)};
    for (const auto& [id, places] : twin) {
      if (places.empty()) continue;
      ++waiting;
      first = std::min(first, *places.begin());
      ASSERT_EQ(lines.head(ShapeId(id)), *places.begin());
    }
    ASSERT_EQ(lines.waiting().size(), waiting);
    if (waiting != 0) {
      ASSERT_EQ(lines.first().head, first);
    }
  }
}

// One array cell a millisecond.
class PlainProfile {
 public:
  explicit PlainProfile(std::int64_t free) : free_(kSpan, free) {}
  void add(std::int64_t from, std::int64_t to, std::int64_t delta) {
    for (std::int64_t t = from; t < to; ++t) free_[static_cast<std::size_t>(t)] += delta;
  }
  std::int64_t at(std::int64_t t) const { return free_[static_cast<std::size_t>(t)]; }
  std::int64_t earliest(std::int64_t now, std::int64_t gpus, std::int64_t length) const {
    for (std::int64_t start = now;; ++start) {
      bool fits = true;
      for (std::int64_t t = start; t < start + length && fits; ++t) fits = at(t) >= gpus;
      if (fits) return start;
    }
  }
  static constexpr std::int64_t kSpan = 4000;

 private:
  std::vector<std::int64_t> free_;
};

TEST(AvailabilityProfile, FindsTheSlotsOfAPlainArray) {
  for (std::uint64_t round = 0; round < 60; ++round) {
    Rng rng(5, "profile", round);
    AvailabilityProfile profile(16);
    PlainProfile plain(16);
    std::int64_t now = 0;
    struct Taken {
      std::int64_t from, to, gpus;
    };
    std::vector<Taken> taken;
    for (int step = 0; step < 120; ++step) {
      now += rng.below(4);
      profile.advance(SimTime(Duration(now)));
      const std::int64_t gpus = 1 + rng.below(16);
      const std::int64_t length = 1 + rng.below(40);
      const std::int64_t slot = plain.earliest(now, gpus, length);
      ASSERT_EQ(to_ms(profile.earliest(gpus, Duration(length))), slot);
      if (rng.below(3) != 0) {
        profile.add(SimTime(Duration(slot)), SimTime(Duration(slot + length)), -gpus);
        plain.add(slot, slot + length, -gpus);
        taken.push_back({slot, slot + length, gpus});
      } else if (!taken.empty()) {  // somebody ends early or gives up a reservation
        const std::size_t i = rng.below(static_cast<std::uint32_t>(taken.size()));
        const Taken gone = taken[i];
        taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(i));
        profile.add(SimTime(Duration(gone.from)), SimTime(Duration(gone.to)), gone.gpus);
        plain.add(std::max(gone.from, now), std::max(gone.to, now), gone.gpus);
      }
      for (int probe = 0; probe < 5; ++probe) {
        const std::int64_t t = now + rng.below(300);
        ASSERT_EQ(profile.free_at(SimTime(Duration(t))), plain.at(t)) << "at " << t;
      }
      ASSERT_LE(profile.steps(), 2 * taken.size() + 1);  // neighbours of equal value are one
    }
  }
}

TEST(AvailabilityProfile, NoSlotForMoreThanThereIs) {
  AvailabilityProfile profile(8);
  EXPECT_EQ(profile.earliest(9, Duration(1)), kNever);
  EXPECT_EQ(profile.earliest(8, kLongestDuration), SimTime{});
}

TEST(LevelPacking, FitsTheSameAsALedgerPackedBestFit) {
  for (std::uint64_t round = 0; round < 300; ++round) {
    Rng rng(6, "levels", round);
    ClusterSpec spec;
    spec.groups[0].nodes = 1 + rng.below(7);
    spec.groups[0].gpus_per_node = 1 + rng.below(8);
    spec.packing = round % 4 == 0 ? Packing::kPool : Packing::kGang;
    LevelPacking levels(spec);
    Cluster ledger(spec);
    for (int job = 0; job < 40; ++job) {
      const auto gpus = rng.below(3) == 0 ? 1 + rng.below(20) : rng.below(9);
      const auto shape = shape_of({gpus, 0, 0}, spec);
      if (!shape) continue;
      std::vector<NodeId> nodes;
      if (shape->nodes == 1) {
        if (const auto node = ledger.fullest_serving(shape->need)) nodes.push_back(*node);
      } else {
        for (std::uint32_t from = 0; nodes.size() < shape->nodes;) {
          const auto node = ledger.next_filled_by(shape->need, from);
          if (!node) break;
          nodes.push_back(*node);
          from = static_cast<std::uint32_t>(index(*node)) + 1;
        }
      }
      const bool fits = nodes.size() == shape->nodes;
      ASSERT_EQ(levels.put(*shape), fits);
      if (fits) ledger.take(nodes, *shape);
      ASSERT_EQ(levels.free_gpus(), ledger.free_gpus());
    }
  }
}

}  // namespace
}  // namespace berth
