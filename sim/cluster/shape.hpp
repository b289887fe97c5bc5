// A request as it lies on this cluster: how many nodes, and what it takes of each.
//
// Jobs of equal requests share one shape, and a pass that failed to place a shape need not try it
// again until something is freed (capacity only shrinks within a pass). Both packings of
// semantics.md reduce to one question: are there `nodes` nodes with `each` free?
//   gang, n <= G : 1 node  with n free GPUs
//   gang, n >  G : ceil(n / G) nodes with all G free; the last of them gives only the remainder
//   pool         : each group is one node of nodes x G GPUs
//   0 GPUs       : 0 nodes, unless CPUs or memory bind
//
// Where the cluster has several groups, only those count that the job may run on. G is that of the
// largest of their nodes on which the job finds room when all is free: first as a job of one node,
// then of several, all of one size.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/cluster/cluster_spec.hpp"
#include "sim/core/ids.hpp"

namespace berth {

// An amount of what one node has.
struct Slice {
  std::uint32_t gpus = 0;
  std::uint32_t cpus = 0;
  std::uint64_t memory_mib = 0;
  bool operator==(const Slice&) const = default;
  bool covers(const Slice& other) const {
    return gpus >= other.gpus && cpus >= other.cpus && memory_mib >= other.memory_mib;
  }
};

// What a node must have free, and of which groups it may be, to serve a job.
struct Need : Slice {
  GroupMask groups = ~GroupMask{0};
};

struct Shape {
  std::uint32_t gpus = 0;   // in all
  std::uint32_t nodes = 0;  // how many it lies on
  Slice each;               // of every node but the last
  Slice last;               // of the last node; equals `each` on one node
  // What a node must have free to serve. Differs from `each` only for the GPUs of a one-node job.
  Need need;
};

// What a job asks for, over all its nodes.
struct Request {
  std::uint32_t gpus = 0;
  std::uint32_t cpus = 0;
  std::uint32_t memory_mib = 0;
  GroupMask groups = ~GroupMask{0};  // that it may run on
  bool operator==(const Request&) const = default;
};

// The shape of `request` on an empty cluster of `spec`; empty if it can never run there.
std::optional<Shape> shape_of(const Request& request, const ClusterSpec& spec);

// The distinct shapes of a run, with dense ids in order of first appearance.
class ShapeTable {
 public:
  explicit ShapeTable(const ClusterSpec& spec) : spec_(spec) {}

  // The id of the request's shape; empty if it can never run.
  std::optional<ShapeId> intern(const Request& request);
  const Shape& operator[](ShapeId id) const { return shapes_[index(id)]; }
  std::size_t size() const { return shapes_.size(); }
  const ClusterSpec& spec() const { return spec_; }

 private:
  struct Hash {
    std::size_t operator()(const Request& r) const {
      return (r.gpus * 0x9e3779b97f4a7c15u) ^ (r.cpus * 0xc2b2ae3d27d4eb4fu) ^ r.memory_mib ^
             (r.groups * 0xff51afd7ed558ccdu);
    }
  };
  ClusterSpec spec_;
  std::vector<Shape> shapes_;
  std::unordered_map<Request, std::optional<ShapeId>, Hash> ids_;  // looked up, never iterated
};

}  // namespace berth
