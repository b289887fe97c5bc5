// filter, and the conditions on columns: all expected values by hand.
#include <gtest/gtest.h>

#include "tests/workloads/transforms/transformed.hpp"

namespace berth::test {
namespace {

std::vector<SourceJob> some() {
  return {
      {.submit = 0, .run = 100, .gpus = 8, .user = "ann", .type = "Eval", .vc = "vc1"},
      {.submit = 10,
       .run = 7200,
       .wait = 60,
       .gpus = 64,
       .user = "bob",
       .type = "Pretrain",
       .state = JobState::kFailed,
       .limit = 3600,
       .vc = "vc2",
       .account = "vc1"},
      {.submit = 20,
       .run = 0,
       .wait = -1,
       .gpus = 0,
       .user = "ann",
       .type = "Debug",
       .state = JobState::kCancelled,
       .name = "say \"hi\""},
      {.submit = 30,
       .run = 50,
       .wait = 5,
       .gpus = 1,
       .user = "",
       .type = "Eval",
       .state = JobState::kTimeout,
       .limit = 50},
  };
}

Ids kept(const std::string& options) {
  return transformed(some(), {"{filter: {" + options + "}}"}).ids();
}
Ids meeting(const std::string& condition) { return kept("expression: '" + condition + "'"); }

TEST(Filter, PicksByEachCriterion) {
  EXPECT_EQ(kept("types: [Eval]"), (Ids{"0", "3"}));
  EXPECT_EQ(kept("types: [Debug, Pretrain]"), (Ids{"1", "2"}));
  EXPECT_EQ(kept("users: [ann]"), (Ids{"0", "2"}));
  EXPECT_EQ(kept("vcs: [vc1]"), (Ids{"0"}));  // 1 has vc1 as its account
  EXPECT_EQ(kept("accounts: [vc1]"), (Ids{"1"}));
  EXPECT_EQ(kept("states: [FAILED, TIMEOUT]"), (Ids{"1", "3"}));
  EXPECT_EQ(kept("min_gpus: 8"), (Ids{"0", "1"}));
  EXPECT_EQ(kept("max_gpus: 8"), (Ids{"0", "2", "3"}));
  EXPECT_EQ(kept("min_gpus: 1, max_gpus: 8"), (Ids{"0", "3"}));
}

TEST(Filter, JoinsCriteriaByAndAndInvertsThemAsAWhole) {
  EXPECT_EQ(kept("types: [Eval], min_gpus: 2"), (Ids{"0"}));
  EXPECT_EQ(kept("types: [Eval], min_gpus: 2, not: true"), (Ids{"1", "2", "3"}));
  EXPECT_EQ(transformed(some(), {"{filter: {types: [Eval]}}"}).lines[0],
            "filter: kept 2 of 4 jobs");
}

TEST(Filter, ConditionsOnNumbers) {
  EXPECT_EQ(meeting("gpus >= 8"), (Ids{"0", "1"}));
  EXPECT_EQ(meeting("gpus == 0"), (Ids{"2"}));
  EXPECT_EQ(meeting("run_s / 3600 >= 2"), (Ids{"1"}));
  EXPECT_EQ(meeting("submit_s > 10 && submit_s <= 30"), (Ids{"2", "3"}));
  EXPECT_EQ(meeting("gpus * run_s > 800"), (Ids{"1"}));  // 800, 460800, 0, 50
  EXPECT_EQ(meeting("2 + 3 * 2 == gpus"), (Ids{"0"}));
  EXPECT_EQ(meeting("-gpus < -8 || !(submit_s < 30)"), (Ids{"1", "3"}));
  // What is not known meets no comparison but !=: 2 never started; 0 and 2 have no limit.
  EXPECT_EQ(meeting("queue_s < 1000"), (Ids{"0", "1", "3"}));
  EXPECT_EQ(meeting("limit_s <= run_s"), (Ids{"1", "3"}));
  EXPECT_EQ(meeting("limit_s != 50"), (Ids{"0", "1", "2"}));
}

TEST(Filter, ConditionsOnTexts) {
  EXPECT_EQ(
      transformed(some(), {R"({filter: {expression: "type == 'Eval' && user != 'ann'"}})"}).ids(),
      (Ids{"3"}));
  EXPECT_EQ(meeting("user == \"\""), (Ids{"3"}));
  EXPECT_EQ(meeting("state == \"FAILED\" || vc == \"vc1\""), (Ids{"0", "1"}));
  EXPECT_EQ(transformed(some(), {R"({filter: {expression: "name == 'say \"hi\"'"}})"}).ids(),
            (Ids{"2"}));
  EXPECT_EQ(meeting("type == user"), (Ids{}));
}

// The right side of && and || is looked at only where it matters.
TEST(Filter, DividesByZeroOnlyWhereItIsAsked) {
  EXPECT_EQ(meeting("gpus > 0 && run_s / gpus > 100"), (Ids{"1"}));  // 12.5, 112.5, -, 50
  const std::string fault = fault_of(some(), {"{filter: {expression: \"run_s / gpus > 100\"}}"});
  EXPECT_NE(fault.find("job 2 (line 4 of its trace): "), std::string::npos) << fault;
  EXPECT_NE(fault.find("division by zero"), std::string::npos) << fault;
}

TEST(Filter, SaysWhatIsWrongWithACondition) {
  const auto fault = [](const std::string& condition) {
    return fault_of(some(), {"{filter: {expression: \"" + condition + "\"}}"});
  };
  struct Case {
    const char* condition;
    const char* message;
  };
  for (const Case& each : {
           Case{"gpu >= 8", "Did you mean gpus?"},
           Case{"gpus = 8", "write == to compare, at character 6"},
           Case{"gpus", "neither true nor false"},
           Case{"gpus + 1", "neither true nor false"},
           Case{"type == 8", "text"},
           Case{"gpus < 'a'", "number"},
           Case{"gpus && type == 'Eval'", "both sides must be true or false"},
           Case{"type == 'Eval", "the quote is not closed, at character 9"},
           Case{"gpus >= 8 ? 1 : 0", "has no meaning here"},
           Case{"{1, 2} == gpus", "has no meaning here"},
           Case{"gpus >= (8", "parenthes"},
           Case{"", "filter.expression"},
       }) {
    const std::string said = fault(each.condition);
    EXPECT_NE(said.find(each.message), std::string::npos) << each.condition << ": " << said;
    EXPECT_NE(said.find("transform.yaml:1:"), std::string::npos) << said;
  }
}

TEST(Filter, RefusesANameThatNobodyHas) {
  EXPECT_NE(fault_of(some(), {"{filter: {types: [Evla]}}"})
                .find("the workload has no job type \"Evla\" (did you mean \"Eval\"?)"),
            std::string::npos);
  EXPECT_NE(fault_of(some(), {"{filter: {users: [carl]}}"}).find("no user \"carl\""),
            std::string::npos);
  EXPECT_NE(fault_of(some(), {"{filter: {}}"}).find("a criterion is missing"), std::string::npos);
  EXPECT_NE(fault_of(some(), {"{filter: {types: []}}"}).find("an empty list picks no job"),
            std::string::npos);
  EXPECT_NE(fault_of(some(), {"{filter: {min_gpus: 2, max_gpus: 1}}"}).find("less than min_gpus"),
            std::string::npos);
}

TEST(Filter, CountsFractionsOfGpus) {
  const std::vector<SourceJob> jobs{{.gpus = 500}, {.gpus = 1000}, {.gpus = 8000}};
  const TransformSetup shared{.parts_per_gpu = 1000};
  EXPECT_EQ(transformed(jobs, {"{filter: {max_gpus: 0.5}}"}, shared).ids(), (Ids{"0"}));
  EXPECT_EQ(transformed(jobs, {"{filter: {expression: \"gpus == 8\"}}"}, shared).ids(), (Ids{"2"}));
}

}  // namespace
}  // namespace berth::test
