// insert: all expected values by hand.
#include <gtest/gtest.h>

#include "tests/workloads/transforms/transformed.hpp"

namespace berth::test {
namespace {

const std::vector<SourceJob> kJobs{{.submit = 50}, {.submit = 110, .user = "me"}};

TEST(Insert, AddsJobsAtATimeOrADate) {
  const Transformed out = transformed(kJobs, {R"({insert: {jobs: [
      {id: late, submit: 2min, gpus: 8, run: 4h, type: Pretrain, user: me, time_limit: 5h,
       cpus: 96, memory: 80GiB, vc: v, account: a, priority: HP, gpu_model: A100, name: n},
      {id: tied, submit: 1min, gpus: 0, run: 0s},
      {id: dated, submit: "2023-03-01 00:00:30+08:00", gpus: 1, run: 1s}]}})"});
  // The first is at 30 s of 1 March in Shanghai: before the trace's own, at 50 s.
  EXPECT_EQ(out.ids(), (Ids{"dated", "0", "1", "tied", "late"}));
  EXPECT_EQ(out.submits_ms(), (Times{0, 20'000, 80'000, 80'000, 140'000}));
  EXPECT_EQ(out.table.epoch_unix_ms(), 1'677'600'030'000);
  const Job& late = out.table.jobs()[4];
  const JobTraits& traits = out.table.traits_of(late);
  const TraitNames& names = out.table.trait_names();
  EXPECT_EQ(late.run, std::chrono::hours(4));
  EXPECT_EQ(late.time_limit, std::chrono::hours(5));
  EXPECT_EQ(late.gpu_parts, 8U);
  EXPECT_EQ(late.cpus, 96U);
  EXPECT_EQ(late.memory_mib, 80U * 1024);
  EXPECT_EQ(late.user, out.table.jobs()[2].user);
  EXPECT_EQ(out.table.type_of(late), "Pretrain");
  EXPECT_EQ(names.groups.name(traits.vc), "v");
  EXPECT_EQ(names.groups.name(traits.account), "a");
  EXPECT_EQ(names.priorities.name(traits.priority), "HP");
  EXPECT_EQ(names.gpu_models.name(traits.gpu_model), "A100");
  EXPECT_EQ(names.names.name(traits.name), "n");
  EXPECT_EQ(late.line, 0U);
  EXPECT_EQ(out.table.type_of(out.table.jobs()[3]), "Other");
  EXPECT_LT(out.table.jobs()[3].time_limit, Duration(0));
  EXPECT_EQ(out.lines[0], "insert: added 3 jobs to 2");
}

TEST(Insert, TakesFractionsWhereGpusAreShared) {
  const std::string half = "{insert: {jobs: [{id: mine, submit: 0s, gpus: 0.5, run: 1h}]}}";
  EXPECT_NE(fault_of(kJobs, {half}).find("a job takes whole GPUs, unless workload.fractional"),
            std::string::npos);
  const Transformed out = transformed({{.gpus = 1000}}, {half}, {.parts_per_gpu = 1000});
  EXPECT_EQ(out.table.jobs()[1].gpu_parts, 500U);
}

TEST(Insert, RefusesWhatCannotBeTold) {
  const auto fault = [](const std::string& jobs) {
    return fault_of(kJobs, {"{insert: {jobs: [" + jobs + "]}}"});
  };
  EXPECT_NE(fault("{id: '1', submit: 0s, gpus: 1, run: 1h}")
                .find("the workload has a job \"1\" (line 3 of its trace); choose another id"),
            std::string::npos);
  EXPECT_NE(fault("{id: a, submit: 0s, gpus: 1, run: 1h}, {id: a, submit: 1s, gpus: 1, run: 1h}")
                .find("is the id of two of these jobs"),
            std::string::npos);
  EXPECT_NE(fault("").find("a list of jobs is expected"), std::string::npos);
  EXPECT_NE(fault("{submit: 0s, gpus: 1, run: 1h}").find("insert.jobs[0].id"), std::string::npos);
  EXPECT_NE(fault("{id: a, gpus: 1, run: 1h}").find("insert.jobs[0].submit"), std::string::npos);
  EXPECT_NE(fault("{id: a, submit: 0s, run: 1h}").find("insert.jobs[0].gpus"), std::string::npos);
  EXPECT_NE(fault("{id: a, submit: 0s, gpus: 1}").find("insert.jobs[0].run"), std::string::npos);
  EXPECT_NE(fault("{id: a, submit: 0s, gpus: -1, run: 1h}").find("insert.jobs[0].gpus"),
            std::string::npos);
  EXPECT_NE(fault("{id: a, submit: 0s, gpus: 1, run: 1h, modle: x}").find("modle"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::test
