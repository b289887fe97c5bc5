// The engine with policies made for the test: what it tells them, when, and what it refuses.
#include "sim/engine/engine.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "sim/core/check.hpp"
#include "sim/core/error.hpp"
#include "tests/support/simulation.hpp"

namespace berth::test {
namespace {

class FirstFit final : public PlacementPolicy {
 public:
  bool place(const Shape& shape, const Cluster& cluster, std::vector<NodeId>& out) const override {
    out.clear();
    for (std::uint32_t n = 0; n < cluster.nodes() && out.size() < shape.nodes; ++n) {
      if (cluster.serves(NodeId(n), shape.need)) out.push_back(NodeId(n));
    }
    return out.size() == shape.nodes;
  }
};

class TrueRunTime final : public EstimateModel {
 public:
  Duration predict(JobId, const Job& job) override { return job.run; }
};

// Writes down what it is told, and does what the test says.
class Scripted final : public SchedulerPolicy {
 public:
  using Decide = std::function<void(Scripted&, const PassView&, Dispatcher&)>;
  explicit Scripted(Decide decide) : decide_(std::move(decide)) {}
  void on_pending(const PassView& view, TaskId task) override {
    tell(view, "pending", task);
    pending.push_back(task);
  }
  void on_started(const PassView& view, TaskId task) override {
    tell(view, "started", task);
    std::erase(pending, task);
  }
  void on_stopped(const PassView& view, TaskId task) override { tell(view, "stopped", task); }
  void schedule(const PassView& view, Dispatcher& dispatcher) override {
    story += "pass@" + std::to_string(to_ms(view.now) / 1000) + " ";
    decide_(*this, view, dispatcher);
  }
  std::string story;
  std::vector<TaskId> pending;

 private:
  void tell(const PassView& view, const char* what, TaskId task) {
    story += std::string(what) + std::to_string(index(task)) + "@" +
             std::to_string(to_ms(view.now) / 1000) + " ";
  }
  Decide decide_;
};

void start_all(Scripted& policy, const PassView&, Dispatcher& dispatcher) {
  for (const TaskId task : std::vector<TaskId>(policy.pending)) dispatcher.try_start(task);
}

class EngineTest : public testing::Test {
 protected:
  EngineResult run(const std::vector<TestJob>& jobs, Scripted& policy,
                   const std::atomic<bool>* stop = nullptr) {
    const JobTable table = make_jobs(jobs);
    ClusterSpec spec;
    spec.groups[0].nodes = 2;
    spec.groups[0].gpus_per_node = 8;
    const ShapedJobs workload(table, spec);
    FirstFit placement;
    TrueRunTime estimates;
    return Engine(workload, {policy, placement, estimates, {}, stop}).run();
  }
};

TEST_F(EngineTest, FactsComeBeforeTheOnePassOfTheirInstant) {
  // 1 ends at 5, when 2 and 3 are submitted: one pass sees all of it.
  Scripted policy(start_all);
  run({{0, 5, 16}, {1, 3, 16}, {5, 2, 8}, {5, 2, 8}}, policy);
  EXPECT_EQ(policy.story,
            "pending0@0 pass@0 started0@0 "
            "pending1@1 pass@1 "
            "stopped0@5 pending2@5 pending3@5 pass@5 started1@5 "
            "stopped1@8 pass@8 started2@8 started3@8 "
            "stopped2@10 stopped3@10 pass@10 ");
}

TEST_F(EngineTest, AJobOfNoLengthMakesASecondRoundOfItsInstant) {
  Scripted policy(start_all);
  run({{0, 0, 16}, {0, 4, 16}}, policy);
  EXPECT_EQ(policy.story,
            "pending0@0 pending1@0 pass@0 started0@0 stopped0@0 pass@0 started1@0 "
            "stopped1@4 pass@4 ");
}

TEST_F(EngineTest, AWakeUpIsAnInstantAndIsForgottenByTheNextPass) {
  Scripted policy([](Scripted& self, const PassView& view, Dispatcher& dispatcher) {
    if (view.now == SimTime{}) {
      dispatcher.wake_at(SimTime(std::chrono::seconds(7)));
      dispatcher.wake_at(SimTime(std::chrono::seconds(3)));  // the earlier counts
    } else {
      start_all(self, view, dispatcher);
    }
  });
  run({{0, 1, 1}}, policy);
  EXPECT_EQ(policy.story, "pending0@0 pass@0 pass@3 started0@3 stopped0@4 pass@4 ");
}

TEST_F(EngineTest, ARunEndsWhenThePolicyStartsNothing) {
  Scripted policy([](Scripted&, const PassView&, Dispatcher&) {});
  const EngineResult result = run({{0, 1, 1}, {2, 1, 1}}, policy);
  EXPECT_EQ(result.left, 2u);
  EXPECT_EQ(result.end, SimTime(std::chrono::seconds(2)));
}

TEST_F(EngineTest, JobsThatCanNeverRunMakeNoInstant) {
  Scripted policy(start_all);
  const EngineResult result = run({{0, 1, 1}, {5, 1, 17}, {9, 1, 1}}, policy);
  EXPECT_EQ(result.rejected, 1u);
  EXPECT_EQ(policy.story.find("@5"), std::string::npos) << policy.story;
}

TEST_F(EngineTest, PreemptedWorkIsKeptAndAStaleEndMakesNoInstant) {
  // 0 has done 4 of 10 s when 1 takes its place for 3 s; it goes on at 7 and ends at 13, not at 10.
  Scripted policy([](Scripted& self, const PassView& view, Dispatcher& dispatcher) {
    if (view.now == SimTime(std::chrono::seconds(4)) && self.pending.size() == 1) {
      Plan plan;
      plan.preempt = {TaskId(0)};
      plan.run = {{TaskId(1), 0}};
      plan.nodes = {NodeId(0), NodeId(1)};
      dispatcher.rearrange(plan);
    } else {
      start_all(self, view, dispatcher);
    }
  });
  run({{0, 10, 16}, {4, 3, 16}}, policy);
  EXPECT_EQ(policy.story,
            "pending0@0 pass@0 started0@0 pending1@4 pass@4 stopped0@4 pending0@4 started1@4 "
            "stopped1@7 pass@7 started0@7 stopped0@13 pass@13 ");
}

TEST_F(EngineTest, RunningTasksMayChangePlaces) {
  Scripted policy([](Scripted& self, const PassView& view, Dispatcher& dispatcher) {
    start_all(self, view, dispatcher);
    if (view.now != SimTime(std::chrono::seconds(1))) return;
    const auto node_of = [&](std::uint32_t task) {
      return view.tasks.placement(TaskId(task), view.shape(TaskId(task)))[0];
    };
    EXPECT_EQ(node_of(0), NodeId(0));
    EXPECT_EQ(node_of(1), NodeId(1));
    Plan swap;
    swap.run = {{TaskId(0), 0}, {TaskId(1), 1}};
    swap.nodes = {NodeId(1), NodeId(0)};
    dispatcher.rearrange(swap);
    EXPECT_EQ(node_of(0), NodeId(1));
    EXPECT_EQ(node_of(1), NodeId(0));
  });
  const EngineResult result = run({{0, 5, 8}, {0, 5, 8}, {1, 1, 0}}, policy);
  EXPECT_EQ(result.end, SimTime(std::chrono::seconds(5)));
}

// A verb out of place must end the run; anything else would yield a plausible, wrong result.
TEST_F(EngineTest, WrongCommandsAreInternalErrors) {
  const std::vector<TestJob> jobs{{0, 5, 8}, {0, 5, 8}};
  const std::vector<std::pair<const char*, Scripted::Decide>> cases{
      {"starting twice",
       [](Scripted&, const PassView&, Dispatcher& d) {
         d.try_start(TaskId(0));
         d.try_start(TaskId(0));
       }},
      {"a node that is taken",
       [](Scripted&, const PassView&, Dispatcher& d) {
         const std::vector<NodeId> node{NodeId(0)};
         d.start(TaskId(0), node);
         d.start(TaskId(1), node);
       }},
      {"too few nodes", [](Scripted&, const PassView&, Dispatcher& d) { d.start(TaskId(0), {}); }},
      {"preempting what waits",
       [](Scripted&, const PassView&, Dispatcher& d) {
         Plan plan;
         plan.preempt = {TaskId(0)};
         d.rearrange(plan);
       }},
      {"a plan without its nodes",
       [](Scripted&, const PassView&, Dispatcher& d) {
         Plan plan;
         plan.run = {{TaskId(0), 3}};
         d.rearrange(plan);
       }},
      {"waking in the past",
       [](Scripted&, const PassView& view, Dispatcher& d) { d.wake_at(view.now); }},
  };
  for (const auto& [what, decide] : cases) {
    Scripted policy(decide);
    EXPECT_THROW(run(jobs, policy), InternalError) << what;
  }
}

TEST_F(EngineTest, AStopFromOutsideEndsTheRun) {
  const std::atomic<bool> stop{true};
  Scripted policy(start_all);
  EXPECT_THROW(run({{0, 1, 1}}, policy, &stop), Interrupted);
}

}  // namespace
}  // namespace berth::test
