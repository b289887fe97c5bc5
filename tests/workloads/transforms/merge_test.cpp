// merge: all expected values by hand.
#include <gtest/gtest.h>

#include "tests/workloads/transforms/transformed.hpp"

namespace berth::test {
namespace {

class Merge : public testing::Test {
 protected:
  Merge() {
    // 8 s after the instant of TransformSetup, and 12 s later.
    folder_.write("other.csv",
                  "job_id,user,gpu_num,type,state,submit_time,start_time,end_time\n"
                  "0,ann,8,Eval,COMPLETED,2023-02-28 16:00:08Z,2023-02-28 16:00:10Z,"
                  "2023-02-28 16:00:40Z\n"
                  "x,bob,1,SFT,FAILED,2023-02-28 16:00:20Z,2023-02-28 16:00:20Z,"
                  "2023-02-28 16:00:21Z\n");
    folder_.write("undated.swf", "; MaxProcs: 8\n1 5 0 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n");
  }
  std::string merge(const std::string& options, const char* trace = "format: acme, path: ",
                    const char* file = "other.csv") const {
    return "{merge: {trace: {" + std::string(trace) + (folder_.path() / file).string() + "}" +
           options + "}}";
  }

  const std::vector<SourceJob> jobs_{{.submit = 3, .user = "ann"}, {.submit = 15, .type = "Eval"}};
  const TempFolder folder_;
};

TEST_F(Merge, AlignsTheFirstSubmissions) {
  const Transformed out = transformed(jobs_, {merge(", prefix: b-")});
  EXPECT_EQ(out.ids(), (Ids{"0", "b-0", "1", "b-x"}));  // at equal times those so far go first
  EXPECT_EQ(out.submits_ms(), (Times{0, 0, 12'000, 12'000}));
  EXPECT_EQ(out.waits_ms(), (Times{0, 2'000, 0, 0}));
  EXPECT_EQ(out.runs_ms(), (Times{10'000, 30'000, 10'000, 1'000}));
  const auto jobs = out.table.jobs();
  EXPECT_EQ(jobs[0].user, jobs[1].user);  // ann is ann
  EXPECT_EQ(jobs[1].type, jobs[2].type);
  EXPECT_EQ(jobs[3].state, JobState::kFailed);
  EXPECT_EQ(jobs[1].gpu_parts, 8U);
  EXPECT_EQ(jobs[1].line, 0U);  // not a line of the workload's own trace
  EXPECT_NE(out.lines[0].find("merge: added 2 jobs of other.csv to 2, the first submitted at "
                              "2023-02-28 16:00:03 UTC (acme, 2 rows, XXH3-64 "),
            std::string::npos)
      << out.lines[0];
}

TEST_F(Merge, KeepsDatesOrShiftsByADuration) {
  const Transformed kept = transformed(jobs_, {merge(", shift: keep")});
  EXPECT_EQ(kept.ids(), (Ids{"0", "0", "1", "x"}));
  EXPECT_EQ(kept.submits_ms(), (Times{0, 5'000, 12'000, 17'000}));
  EXPECT_EQ(transformed(jobs_, {merge(", shift: 1min")}).submits_ms(),
            (Times{0, 12'000, 60'000, 72'000}));
}

TEST_F(Merge, RefusesToKeepDatesThatATraceDoesNotHave) {
  const std::string fault = fault_of(
      jobs_, {merge(", shift: keep", "format: swf, processors_as: gpus, path: ", "undated.swf")});
  EXPECT_NE(fault.find("shift: keep has no meaning"), std::string::npos) << fault;
}

TEST_F(Merge, RefusesWhatCannotBeRead) {
  EXPECT_NE(
      fault_of(jobs_, {"{merge: {trace: {format: acme, path: absent.csv}}}"}).find("absent.csv"),
      std::string::npos);
  EXPECT_NE(fault_of(jobs_, {merge(", shift: soon")}).find("is not align, keep, or a duration"),
            std::string::npos);
  EXPECT_NE(fault_of(jobs_, {merge("", "path: ")}).find("merge.trace.format"), std::string::npos);
  EXPECT_NE(fault_of(jobs_, {"{merge: {}}"}).find("merge.trace"), std::string::npos);
}

}  // namespace
}  // namespace berth::test
