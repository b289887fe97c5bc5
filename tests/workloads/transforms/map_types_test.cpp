// map_types: all expected values by hand.
#include <gtest/gtest.h>

#include "tests/workloads/transforms/transformed.hpp"

namespace berth::test {
namespace {

std::vector<SourceJob> some() {
  return {{.user = "ann", .name = "eval_mmlu"},
          {.user = "ci-7", .name = "unit test"},
          {.user = "bob", .name = "Evaluate", .vc = "pretrain"},
          {.user = "ci-8", .name = "llama-65b", .vc = "pretrain2"},
          {.user = "ann", .type = "SFT"}};
}

TEST(MapTypes, TheFirstRuleThatMatchesDecides) {
  const Transformed out = transformed(some(), {R"({map_types: {rules: [
      {name: "eval|bench", type: Eval},
      {user: "^ci-", name: test, type: Debug},
      {vc: "^pretrain$", type: Pretrain}]}})"});
  EXPECT_EQ(out.types(), (std::vector<std::string>{"Eval", "Debug", "Pretrain", "Other", "SFT"}));
  EXPECT_EQ(out.lines[0],
            "map_types: of 5 jobs 1 became Eval, 1 became Debug, 1 became Pretrain, 2 matched no "
            "rule and keep their type");
}

TEST(MapTypes, CaseAndOtherwise) {
  const Transformed out = transformed(some(), {R"({map_types: {ignore_case: true, otherwise: Debug,
      rules: [{name: ^eval, type: Eval}]}})"});
  EXPECT_EQ(out.types(), (std::vector<std::string>{"Eval", "Debug", "Eval", "Debug", "Debug"}));
  EXPECT_EQ(out.lines[0], "map_types: of 5 jobs 2 became Eval, 3 matched no rule and became Debug");
}

// What the trace does not say is an empty text.
TEST(MapTypes, AnEmptyTextIsMatchedByWhatMatchesNothing) {
  const Transformed out =
      transformed(some(), {R"({map_types: {rules: [{vc: "^$", type: Pretrain}]}})"});
  EXPECT_EQ(out.types(),
            (std::vector<std::string>{"Pretrain", "Pretrain", "Other", "Other", "Pretrain"}));
}

// A backtracking matcher would need 2^50 steps for the first, and one that recurses a deep stack
// for the second.
TEST(MapTypes, PatternsTakeTimeInProportion) {
  EXPECT_EQ(transformed({{.name = std::string(50, 'a') + "b"}},
                        {R"({map_types: {rules: [{name: "^(a|a)*$", type: Eval}]}})"})
                .types(),
            (std::vector<std::string>{"Other"}));
  EXPECT_EQ(transformed({{.name = std::string(200'000, 'a')}},
                        {R"({map_types: {rules: [{name: "^(a|b)*$", type: Eval}]}})"})
                .types(),
            (std::vector<std::string>{"Eval"}));
}

TEST(MapTypes, RefusesRulesThatSayNothing) {
  const auto fault = [](const std::string& rules) {
    return fault_of(some(), {"{map_types: {rules: " + rules + "}}"});
  };
  EXPECT_NE(fault("[]").find("a list of rules is expected"), std::string::npos);
  EXPECT_NE(fault("[{type: Eval}]").find("a rule has a pattern"), std::string::npos);
  EXPECT_NE(fault("[{name: a}]").find("map_types.rules[0].type"), std::string::npos);
  EXPECT_NE(fault("[{name: a, type: Evl}]").find("\"Eval\""), std::string::npos);
  EXPECT_NE(fault("[{name: '(', type: Eval}]").find("is not a regular expression"),
            std::string::npos);
  EXPECT_NE(fault("[{name: '(a)\\1', type: Eval}]").find("is not a regular expression"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::test
