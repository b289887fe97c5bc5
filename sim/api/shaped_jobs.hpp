// A workload seen by one cluster: the shape of every job, or that it can never run. Computed once,
// immutable, shared by the runs on that cluster.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/cluster/shape.hpp"
#include "sim/core/huge_pages.hpp"
#include "sim/workload/job_table.hpp"

namespace berth {

class ShapedJobs {
 public:
  // Borrows `jobs`.
  ShapedJobs(const JobTable& jobs, const ClusterSpec& spec) : jobs_(&jobs), shapes_(spec) {
    std::vector<GroupMask> groups_of_model;
    for (const std::string& model : jobs.trait_names().gpu_models.names()) {
      groups_of_model.push_back(spec.groups_of(model));
    }
    shape_.reserve(jobs.size());
    for (const Job& job : jobs.jobs()) {
      const GpuModelId model = jobs.traits_of(job).gpu_model;
      const GroupMask groups = groups_of_model[index(model)];
      if (model != GpuModelId{} && !spec.names_models()) ++unbound_models_;
      const auto shape = shapes_.intern({job.gpu_parts, job.cpus, job.memory_mib, groups});
      shape_.push_back(shape.value_or(kCanNeverRun));
      if (!shape) ++oversized_;
    }
  }

  const JobTable& jobs() const { return *jobs_; }
  const ClusterSpec& spec() const { return shapes_.spec(); }
  const ShapeTable& shapes() const { return shapes_; }
  // The empty cluster can hold the job.
  bool can_run(JobId job) const { return shape_[index(job)] != kCanNeverRun; }
  // REQUIRES: can_run.
  ShapeId shape(JobId job) const { return shape_[index(job)]; }
  // How many can never run.
  std::uint64_t oversized() const { return oversized_; }
  // How many require a GPU model that does not bind, since the cluster names no models.
  std::uint64_t unbound_models() const { return unbound_models_; }

 private:
  static constexpr ShapeId kCanNeverRun{std::numeric_limits<std::uint32_t>::max()};
  const JobTable* jobs_;
  ShapeTable shapes_;
  JobVector<ShapeId> shape_;
  std::uint64_t oversized_ = 0;
  std::uint64_t unbound_models_ = 0;
};

}  // namespace berth
