// Dense indices with a type each, so that a node is never taken for a job.
#pragma once

#include <cstddef>
#include <cstdint>

namespace berth {

enum class JobId : std::uint32_t {};    // a row of the workload, in queue order
enum class TaskId : std::uint32_t {};   // what is scheduled; today one a job
enum class NodeId : std::uint32_t {};   // a node of the cluster
enum class ShapeId : std::uint32_t {};  // a distinct request, see sim/cluster/shape.hpp
enum class UserId : std::uint32_t {};
enum class TypeId : std::uint16_t {};
// Names that only some traces give (sim/workload/job_table.hpp, JobTraits).
enum class NameId : std::uint32_t {};
enum class GroupId : std::uint16_t {};
enum class PriorityId : std::uint16_t {};
enum class GpuModelId : std::uint16_t {};

template <class Id>
constexpr std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

}  // namespace berth
