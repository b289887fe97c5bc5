// The ledger and its index against plain twins: sets, and a scan of all nodes.
#include "sim/cluster/cluster.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sim/core/rng.hpp"

namespace berth {
namespace {

TEST(BitSet, FindsTheSameAsAnOrderedSet) {
  for (const std::size_t capacity : {1u, 63u, 64u, 65u, 4096u, 5000u}) {
    BitSet bits(capacity);
    std::set<std::size_t> twin;
    Rng rng(1, "bits", capacity);
    for (int step = 0; step < 20'000; ++step) {
      const std::size_t i = rng.below(static_cast<std::uint32_t>(capacity));
      if (rng.below(2) == 0) {
        bits.insert(i);
        twin.insert(i);
      } else {
        bits.erase(i);
        twin.erase(i);
      }
      const std::size_t from = rng.below(static_cast<std::uint32_t>(capacity + 2));
      const auto next = twin.lower_bound(from);
      ASSERT_EQ(bits.next(from), next == twin.end() ? BitSet::kNone : *next);
      ASSERT_EQ(bits.empty(), twin.empty());
      ASSERT_EQ(bits.contains(i), twin.contains(i));
    }
    bits.clear();
    EXPECT_EQ(bits.first(), BitSet::kNone);
  }
}

ClusterSpec gang(std::uint32_t nodes, std::uint32_t gpus) {
  ClusterSpec spec;
  spec.groups[0].nodes = nodes;
  spec.groups[0].gpus_per_node = gpus;
  return spec;
}

// What semantics.md, rule 5, says, by looking at every node.
std::optional<NodeId> fullest_by_scan(const Cluster& cluster, const Need& need) {
  std::optional<NodeId> best;
  for (std::uint32_t n = 0; n < cluster.nodes(); ++n) {
    const Slice& f = cluster.free(NodeId(n));
    if (!cluster.serves(NodeId(n), need)) continue;
    if (!best || f.gpus < cluster.free(*best).gpus) best = NodeId(n);
  }
  return best;
}

struct Held {
  Shape shape;
  std::vector<NodeId> nodes;
};

// Mostly takes `shape` on `node`, if there is one; else gives back something held.
void take_or_give(Cluster& cluster, Rng& rng, std::vector<Held>& held, const Shape& shape,
                  std::optional<NodeId> node) {
  if (node && rng.below(5) != 0) {
    held.push_back({shape, {*node}});
    cluster.take(held.back().nodes, shape);
  } else if (!held.empty()) {
    const std::size_t i = rng.below(static_cast<std::uint32_t>(held.size()));
    cluster.give(held[i].nodes, held[i].shape);
    held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

TEST(Cluster, IndexAgreesWithAScanOfAllNodes) {
  for (const bool with_cpus : {false, true}) {
    ClusterSpec spec = gang(100, 8);
    spec.groups[0].cpus_per_node = 32;
    spec.constrain_cpus = with_cpus;
    Cluster cluster(spec);
    Rng rng(2, "ledger", with_cpus ? 1 : 0);
    std::vector<Held> held;
    for (int step = 0; step < 20'000; ++step) {
      const auto shape = shape_of({1 + rng.below(8), rng.below(33), 0}, spec);
      ASSERT_TRUE(shape);
      const auto node = cluster.fullest_serving(shape->need);
      ASSERT_EQ(node, fullest_by_scan(cluster, shape->need));
      std::uint32_t serving = 0;
      std::uint32_t empty = 0;
      for (std::uint32_t n = 0; n < 100; ++n) {
        serving += cluster.serves(NodeId(n), shape->need) ? 1 : 0;
        empty += cluster.free(NodeId(n)).gpus == 8 ? 1 : 0;
      }
      ASSERT_EQ(cluster.count_serving(shape->need), serving);
      ASSERT_EQ(cluster.nodes_with_free(8), empty);
      take_or_give(cluster, rng, held, *shape, node);
    }
    for (const Held& h : held) cluster.give(h.nodes, h.shape);
    EXPECT_EQ(cluster.free_gpus(), 800u);
    EXPECT_EQ(cluster.nodes_with_free(8), 100u);
  }
}

NodeGroup group(const char* model, std::uint32_t nodes, std::uint32_t gpus) {
  NodeGroup out;
  out.name = out.gpu_model = model;
  out.nodes = nodes;
  out.gpus_per_node = gpus;
  return out;
}

// Nodes 0-2: 4 GPUs of A; 3-4: 8 of B; 5-8: 8 of C; 9: 2 of A.
ClusterSpec mixed(Packing packing = Packing::kGang) {
  ClusterSpec spec;
  spec.packing = packing;
  spec.groups = {group("A", 3, 4), group("B", 2, 8), group("C", 4, 8), group("A", 1, 2)};
  return spec;
}

TEST(Groups, AModelOrItsAlternativesSayWhere) {
  const ClusterSpec spec = mixed();
  EXPECT_EQ(spec.total_gpus(), 62U);
  EXPECT_EQ(spec.total_nodes(), 10U);
  EXPECT_EQ(spec.groups_of(""), 0b1111U);
  EXPECT_EQ(spec.groups_of("A"), 0b1001U);
  EXPECT_EQ(spec.groups_of("B|C"), 0b0110U);
  EXPECT_EQ(spec.groups_of("C|X|A"), 0b1101U);
  EXPECT_EQ(spec.groups_of("X"), 0U);
  EXPECT_EQ(spec.groups_of("AB"), 0U);
  EXPECT_EQ(spec.groups_of("|"), 0U);
  // Where nobody names a model, none binds.
  EXPECT_EQ(gang(4, 8).groups_of("X"), 1U);
}

// By hand, from the rule: one node if some eligible one is large enough; else entirely free nodes
// of the largest size of which there are enough.
TEST(Groups, AShapeLiesOnNodesOfOneSize) {
  const ClusterSpec spec = mixed();
  const auto shape = [&](std::uint32_t gpus, const char* model) {
    return shape_of({gpus, 0, 0, spec.groups_of(model)}, spec);
  };
  EXPECT_EQ(shape(3, "A")->nodes, 1U);
  EXPECT_EQ(shape(3, "A")->need.groups, 0b0001U);  // nodes of 2 are too small
  EXPECT_EQ(shape(2, "A")->need.groups, 0b1001U);
  EXPECT_EQ(shape(8, "")->need.groups, 0b0110U);
  // 10 of A: no node of 8; three of 4.
  EXPECT_EQ(shape(10, "A")->nodes, 3U);
  EXPECT_EQ(shape(10, "A")->each.gpus, 4U);
  EXPECT_EQ(shape(10, "A")->last.gpus, 2U);
  EXPECT_EQ(shape(10, "A")->need.groups, 0b0001U);
  EXPECT_FALSE(shape(13, "A").has_value());  // 14 GPUs of A, but not on nodes of one size
  EXPECT_EQ(shape(20, "")->nodes, 3U);       // of 8, of B and C
  EXPECT_EQ(shape(20, "")->need.groups, 0b0110U);
  EXPECT_FALSE(shape(20, "B").has_value());
  EXPECT_EQ(shape(48, "B|C")->nodes, 6U);
  EXPECT_FALSE(shape(49, "").has_value());
  EXPECT_FALSE(shape(1, "X").has_value());
  EXPECT_EQ(shape(0, "X")->nodes, 0U);  // takes nothing
  // A pool: within one group.
  const ClusterSpec pool = mixed(Packing::kPool);
  EXPECT_EQ(shape_of({12, 0, 0, pool.groups_of("A")}, pool)->need.groups, 0b0001U);
  EXPECT_FALSE(shape_of({13, 0, 0, pool.groups_of("A")}, pool).has_value());
  EXPECT_EQ(shape_of({20, 0, 0, pool.groups_of("")}, pool)->need.groups, 0b0100U);
}

TEST(Groups, IndexAgreesWithAScanOfAllNodes) {
  const ClusterSpec spec = mixed();
  Cluster cluster(spec);
  ASSERT_EQ(cluster.nodes(), 10U);
  EXPECT_EQ(cluster.group_of(NodeId(4)), 1U);
  EXPECT_EQ(cluster.capacity(NodeId(9)).gpus, 2U);
  Rng rng(3, "groups");
  const char* const models[] = {"", "A", "B", "C", "B|C", "A|B"};
  std::vector<Held> held;
  for (int step = 0; step < 20'000; ++step) {
    const auto shape =
        shape_of({1 + rng.below(4), 0, 0, spec.groups_of(models[rng.below(6)])}, spec);
    ASSERT_TRUE(shape);
    const auto node = cluster.fullest_serving(shape->need);
    ASSERT_EQ(node, fullest_by_scan(cluster, shape->need));
    std::uint32_t serving = 0;
    for (std::uint32_t n = 0; n < 10; ++n) {
      const bool allowed = (shape->need.groups >> cluster.group_of(NodeId(n)) & 1U) != 0;
      const bool serves = allowed && cluster.free(NodeId(n)).gpus >= shape->gpus;
      ASSERT_EQ(cluster.serves(NodeId(n), shape->need), serves);
      serving += serves ? 1 : 0;
    }
    ASSERT_EQ(cluster.count_serving(shape->need), serving);
    take_or_give(cluster, rng, held, *shape, node);
  }
  cluster.clear();
  EXPECT_EQ(cluster.free_gpus(), 62U);
  EXPECT_EQ(cluster.nodes_with_free(8), 6U);
  EXPECT_EQ(cluster.nodes_with_free(4), 3U);
  EXPECT_EQ(cluster.nodes_with_free(9), 0U);
}

// A placement policy that forgets the groups is found out.
TEST(Groups, RefuseAJobOfAnotherModel) {
  const ClusterSpec spec = mixed();
  Cluster cluster(spec);
  const Shape shape = *shape_of({2, 0, 0, spec.groups_of("B")}, spec);
  const NodeId of_a{0U};
  const NodeId of_b{3U};
  EXPECT_THROW(cluster.take({&of_a, 1}, shape), InternalError);
  cluster.take({&of_b, 1}, shape);
  EXPECT_EQ(cluster.free_gpus(), 60U);
}

TEST(Cluster, RefusesToBeOverCommittedOrOverPaid) {
  Cluster cluster(gang(2, 8));
  const Shape six = *shape_of({6, 0, 0}, cluster.spec());
  const std::vector<NodeId> node{NodeId(0)};
  cluster.take(node, six);
  EXPECT_THROW(cluster.take(node, six), InternalError);
  cluster.give(node, six);
  EXPECT_THROW(cluster.give(node, six), InternalError);
  const std::vector<NodeId> two{NodeId(0), NodeId(1)};
  EXPECT_THROW(cluster.take(two, six), InternalError);
}

TEST(Shape, GangLiesOnWholeNodesAndTheLastGivesTheRest) {
  const Shape shape = *shape_of({20, 0, 0}, gang(4, 8));
  EXPECT_EQ(shape.nodes, 3u);
  EXPECT_EQ(shape.each.gpus, 8u);
  EXPECT_EQ(shape.last.gpus, 4u);
  EXPECT_EQ(shape.need.gpus, 8u);  // the last node must be entirely free as well
  EXPECT_EQ(shape_of({8, 0, 0}, gang(4, 8))->nodes, 1u);
  EXPECT_EQ(shape_of({9, 0, 0}, gang(4, 8))->last.gpus, 1u);
  EXPECT_EQ(shape_of({0, 64, 0}, gang(4, 8))->nodes, 0u);
  EXPECT_FALSE(shape_of({33, 0, 0}, gang(4, 8)));
}

TEST(Shape, PoolIsOneNodeThatHasEverything) {
  ClusterSpec spec = gang(4, 8);
  spec.packing = Packing::kPool;
  const Shape shape = *shape_of({20, 0, 0}, spec);
  EXPECT_EQ(shape.nodes, 1u);
  EXPECT_EQ(shape.each.gpus, 20u);
  EXPECT_TRUE(shape_of({32, 0, 0}, spec));
  EXPECT_FALSE(shape_of({33, 0, 0}, spec));
  Cluster cluster(spec);
  EXPECT_EQ(cluster.nodes(), 1u);
  EXPECT_EQ(cluster.free_gpus(), 32u);
}

TEST(Shape, CpusAndMemoryCountOnlyWhereTheyBind) {
  ClusterSpec spec = gang(2, 8);
  spec.groups[0].cpus_per_node = 16;
  EXPECT_TRUE(shape_of({1, 1000, 0}, spec));
  spec.constrain_cpus = true;
  EXPECT_FALSE(shape_of({1, 17, 0}, spec));
  const Shape two = *shape_of({16, 31, 0}, spec);
  EXPECT_EQ(two.each.cpus, 16u);  // 31 over two nodes, rounded up
  const Shape cpu_only = *shape_of({0, 5, 0}, spec);
  EXPECT_EQ(cpu_only.nodes, 1u);  // where CPUs bind, it holds some of a node
  EXPECT_EQ(cpu_only.each.cpus, 5u);
}

TEST(ShapeTable, EqualRequestsShareAShape) {
  ShapeTable shapes(gang(2, 8));
  const auto a = shapes.intern({4, 7, 0});
  EXPECT_EQ(shapes.intern({4, 99, 0}), a);  // CPUs do not bind here
  EXPECT_NE(shapes.intern({5, 7, 0}), a);
  EXPECT_EQ(shapes.intern({17, 0, 0}), std::nullopt);
  EXPECT_EQ(shapes.size(), 2u);
}

}  // namespace
}  // namespace berth
