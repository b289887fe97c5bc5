// Checks what must be true of every run, whatever the policy, from its records alone.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "sim/api/record.hpp"
#include "sim/cluster/cluster_spec.hpp"
#include "sim/cluster/shape.hpp"
#include "sim/workload/job_table.hpp"

namespace berth::test {

class CheckingSink final : public RecordSink {
 public:
  // Borrows `jobs`.
  CheckingSink(const JobTable& jobs, const ClusterSpec& spec)
      : jobs_(jobs), spec_(spec), tasks_(jobs.size()) {
    const bool pool = spec.packing == Packing::kPool;
    const std::uint32_t in_one = pool ? spec.groups[0].nodes : 1;
    capacity_ = {in_one * spec.groups[0].gpus_per_node, in_one * spec.groups[0].cpus_per_node,
                 in_one * spec.groups[0].memory_mib_per_node};
    used_.resize(pool ? 1 : spec.groups[0].nodes);
  }

  bool wants_placements() const override { return true; }

  void consume(std::span<const Record> records) override {
    for (const Record& record : records) {
      ASSERT_GE(record.time, now_) << "records in order of time";
      now_ = record.time;
      ASSERT_LT(record.subject, tasks_.size());
      check(record, tasks_[record.subject], jobs_[JobId(record.subject)]);
      if (testing::Test::HasFatalFailure()) return;
    }
  }

  // After the run.
  void expect_all_done() const {
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const bool runs = shape(jobs_.jobs()[i]).has_value();
      EXPECT_EQ(tasks_[i].phase, runs ? Phase::kEnded : Phase::kAway) << "job " << i;
    }
    for (const Slice& node : used_) EXPECT_EQ(node, Slice{}) << "all capacity back at the end";
  }

  std::uint64_t preemptions() const { return preemptions_; }

 private:
  enum class Phase { kAway, kWaiting, kRunning, kEnded };
  struct Task {
    Phase phase = Phase::kAway;
    std::uint32_t attempts = 0;
    SimTime started{};
    Duration held{};
    std::vector<std::uint32_t> nodes;  // in the order taken
    std::size_t given = 0;             // of these, since the last time it was whole
  };

  std::optional<Shape> shape(const Job& job) const {
    return shape_of({job.gpu_parts, job.cpus, job.memory_mib}, spec_);
  }

  void check(const Record& record, Task& task, const Job& job) {
    SCOPED_TRACE(testing::Message() << "job " << record.subject << " at " << to_ms(record.time)
                                    << " ms, record " << static_cast<int>(record.kind));
    switch (record.kind) {
      case RecordKind::kSubmitted:
        ASSERT_EQ(task.phase, Phase::kAway) << "submitted once";
        EXPECT_EQ(record.time, job.submit);
        task.phase = Phase::kWaiting;
        break;
      case RecordKind::kStarted:
        // Holds what comes before submission, twice at once and after the end.
        ASSERT_EQ(task.phase, Phase::kWaiting) << "only what waits starts";
        EXPECT_GE(record.time, job.submit);
        ++task.attempts;
        EXPECT_EQ(record.attempt, task.attempts);
        EXPECT_TRUE(task.nodes.empty());
        task.started = record.time;
        task.phase = Phase::kRunning;
        break;
      case RecordKind::kTaken:
        ASSERT_EQ(task.phase, Phase::kRunning);
        taken(record, task, job);
        break;
      case RecordKind::kGiven:
        ASSERT_EQ(task.phase, Phase::kRunning);
        given(record, task, job);
        break;
      case RecordKind::kPreempted:
      case RecordKind::kFinished:
        ASSERT_EQ(task.phase, Phase::kRunning) << "only what runs stops";
        EXPECT_EQ(record.a, to_ms(task.started));
        EXPECT_EQ(record.attempt, task.attempts);
        EXPECT_TRUE(task.nodes.empty()) << "it gives back all it took";
        task.held += record.time - task.started;
        if (record.kind == RecordKind::kFinished) {
          EXPECT_EQ(task.held, job.run) << "useful work is conserved";
          task.phase = Phase::kEnded;
        } else {
          EXPECT_LT(task.held, job.run);
          ++preemptions_;
          task.phase = Phase::kWaiting;
        }
        break;
    }
  }

  void taken(const Record& record, Task& task, const Job& job) {
    const Shape whole = shape(job).value();
    ASSERT_LT(task.nodes.size(), whole.nodes);
    task.nodes.push_back(static_cast<std::uint32_t>(record.a));
    const Slice slice = task.nodes.size() == whole.nodes ? whole.last : whole.each;
    ASSERT_EQ(record.b, slice.gpus);
    Slice& used = used_.at(task.nodes.back());
    used = {used.gpus + slice.gpus, used.cpus + slice.cpus, used.memory_mib + slice.memory_mib};
    ASSERT_LE(used.gpus, capacity_.gpus) << "GPUs of node " << record.a;
    if (spec_.constrain_cpus) {
      ASSERT_LE(used.cpus, capacity_.cpus) << "CPUs of node " << record.a;
    }
    if (spec_.constrain_memory) {
      ASSERT_LE(used.memory_mib, capacity_.memory_mib) << "memory of node " << record.a;
    }
    if (task.nodes.size() == whole.nodes) check_placement(task, job, whole);
  }

  // By the rules, not by the shape: on how many nodes, and that what it has is what it asked for.
  void check_placement(const Task& task, const Job& job, const Shape& whole) const {
    const std::set<std::uint32_t> distinct(task.nodes.begin(), task.nodes.end());
    EXPECT_EQ(distinct.size(), task.nodes.size()) << "distinct nodes";
    if (job.gpu_parts > 0) {
      EXPECT_EQ(distinct.size(), (job.gpu_parts + capacity_.gpus - 1) / capacity_.gpus);
    }
    EXPECT_EQ(whole.each.gpus * (whole.nodes - 1) + whole.last.gpus, job.gpu_parts);
    if (spec_.constrain_cpus && whole.nodes > 0) {
      EXPECT_GE(whole.each.cpus * (whole.nodes - 1) + whole.last.cpus, job.cpus);
    }
  }

  // A task gives all it has, then stops or moves.
  void given(const Record& record, Task& task, const Job& job) {
    const Shape whole = shape(job).value();
    ASSERT_EQ(task.nodes.size(), whole.nodes);
    ASSERT_LT(task.given, task.nodes.size());
    ASSERT_EQ(static_cast<std::uint32_t>(record.a), task.nodes[task.given]);
    ++task.given;
    const Slice slice = task.given == whole.nodes ? whole.last : whole.each;
    ASSERT_EQ(record.b, slice.gpus);
    Slice& used = used_.at(static_cast<std::size_t>(record.a));
    used = {used.gpus - slice.gpus, used.cpus - slice.cpus, used.memory_mib - slice.memory_mib};
    if (task.given == whole.nodes) {
      task.nodes.clear();
      task.given = 0;
    }
  }

  const JobTable& jobs_;
  const ClusterSpec spec_;
  std::vector<Task> tasks_;
  Slice capacity_;
  std::vector<Slice> used_;  // by node of the ledger
  SimTime now_{};
  std::uint64_t preemptions_ = 0;
};

}  // namespace berth::test
