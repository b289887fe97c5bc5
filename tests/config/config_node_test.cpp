// Typed reading: what each getter accepts, the words of each finding, and the resolved YAML.
#include "sim/config/config_node.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/rng.hpp"
#include "tests/config/in_temp_folder.hpp"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

using Words = std::vector<std::string>;
const Words kBackfill{"none", "greedy", "easy", "conservative"};

class ConfigNodeTest : public test::InTempFolder {
 protected:
  std::unique_ptr<ConfigReader> reader(std::string_view text, const Words& overrides = {}) {
    write("c.yaml", text);
    return std::make_unique<ConfigReader>(load_config("c.yaml", {"cluster"}, overrides));
  }

  // What throw_if_errors says after `read`; empty if nothing.
  std::string findings(std::string_view text, const std::function<void(ConfigNode)>& read,
                       const Words& overrides = {}) {
    const auto r = reader(text, overrides);
    read(r->root());
    try {
      r->throw_if_errors();
    } catch (const ConfigError& error) {
      EXPECT_TRUE(r->has_errors());
      return error.what();
    }
    EXPECT_FALSE(r->has_errors());
    return "";
  }
};

// ---- Integers.

TEST_F(ConfigNodeTest, IntegersAreDigits) {
  const auto read = [&](const std::string& value, std::int64_t expected) {
    const std::string found = findings("n: " + value + "\n", [&](ConfigNode root) {
      EXPECT_EQ(root.integer("n", {}, std::numeric_limits<std::int64_t>::min(),
                             std::numeric_limits<std::int64_t>::max()),
                expected);
    });
    EXPECT_EQ(found, "") << value;
  };
  read("5", 5);
  read("0", 0);
  read("-0", 0);
  read("-12", -12);
  read("\"5\"", 5);  // scalars are untyped
  read("9223372036854775807", std::numeric_limits<std::int64_t>::max());
  read("-9223372036854775808", std::numeric_limits<std::int64_t>::min());
}

TEST_F(ConfigNodeTest, OtherSpellingsOfIntegersAreRefused) {
  for (const char* value : {"12abc", "1e3", "0x10", "0o17", "1_000", "1,000", "+5", "010", "-01",
                            "1.0", "5.", "- 5", "--5", "-", "five", "true", "5 5", "1:30"}) {
    EXPECT_EQ(findings(std::string("n: '") + value + "'\n",
                       [](ConfigNode root) { EXPECT_EQ(root.integer("n", 7, 1, 9), 7); }),
              std::string("c.yaml:1:4: n: \"") + value +
                  "\" is not an integer; write digits only, 1 to 9");
  }
  EXPECT_EQ(findings("n: ''\n", [](ConfigNode root) { root.integer("n", 7, 1, 9); }),
            "c.yaml:1:4: n: \"\" is not an integer; write digits only, 1 to 9");
}

TEST_F(ConfigNodeTest, IntegersHaveARange) {
  const auto read = [](ConfigNode root) {
    EXPECT_EQ(root.section("cluster").integer("nodes", {}, 1, 1'000'000), 1);
  };
  EXPECT_EQ(findings("cluster: {nodes: 0}\n", read),
            "c.yaml:1:18: cluster.nodes: 0 is out of range; 1 to 1000000");
  EXPECT_EQ(findings("cluster: {nodes: -3}\n", read),
            "c.yaml:1:18: cluster.nodes: -3 is out of range; 1 to 1000000");
  EXPECT_EQ(findings("cluster: {nodes: 1000001}\n", read),
            "c.yaml:1:18: cluster.nodes: 1000001 is out of range; 1 to 1000000");
  EXPECT_EQ(findings("cluster: {nodes: 99999999999999999999}\n", read),
            "c.yaml:1:18: cluster.nodes: 99999999999999999999 is out of range; 1 to 1000000");
  EXPECT_EQ(findings("seed: -1\n",
                     [](ConfigNode root) {
                       root.integer("seed", 1, 0, std::numeric_limits<std::int64_t>::max());
                     }),
            "c.yaml:1:7: seed: -1 is out of range; at least 0");
  EXPECT_EQ(findings("seed: 9223372036854775808\n",
                     [](ConfigNode root) {
                       root.integer("seed", 1, 0, std::numeric_limits<std::int64_t>::max());
                     }),
            "c.yaml:1:7: seed: 9223372036854775808 is out of range; at least 0");
}

TEST_F(ConfigNodeTest, AMissingValueIsTold) {
  const auto read = [](ConfigNode root) {
    ConfigNode cluster = root.section("cluster");
    EXPECT_EQ(cluster.integer("nodes", {}, 1, 1'000'000), 1);
    cluster.finish();
  };
  EXPECT_EQ(findings("name: x\ncluster: {}\n", read),
            "c.yaml:2:10: cluster.nodes: missing; an integer from 1 to 1000000");
  EXPECT_EQ(findings("name: x\ncluster:\n  nodes:\n", read),
            "c.yaml:3:3: cluster.nodes: missing; an integer from 1 to 1000000");
  // The section itself is absent: the place is the map around it.
  EXPECT_EQ(findings("name: x\n", read),
            "c.yaml:1:1: cluster.nodes: missing; an integer from 1 to 1000000");
  EXPECT_EQ(findings("name: x\n",
                     [](ConfigNode root) {
                       root.choice("backfill", kBackfill, {});
                       root.duration("every", {}, seconds(1), hours(1));
                       root.file("path");
                       root.boolean("flag", {});
                     }),
            "c.yaml:1:1: backfill: missing; one of none, greedy, easy, conservative\n"
            "c.yaml:1:1: every: missing; a duration such as 20d, 480h or 30min\n"
            "c.yaml:1:1: path: missing; the path of a file\n"
            "c.yaml:1:1: flag: missing; true or false");
}

TEST_F(ConfigNodeTest, DefaultsStandForAbsentAndNull) {
  EXPECT_EQ(findings("b: ~\nd:\n",
                     [](ConfigNode root) {
                       EXPECT_EQ(root.integer("a", 5, 0, 9), 5);
                       EXPECT_EQ(root.text("b", "x"), "x");
                       EXPECT_EQ(root.duration("d", hours(1), hours(0), hours(2)), hours(1));
                       EXPECT_EQ(root.optional_integer("e", 1, 9), std::nullopt);
                       EXPECT_EQ(root.file("f", false), std::filesystem::path());
                       EXPECT_TRUE(root.boolean("g", true));
                       EXPECT_EQ(root.number("h", 2.5, 0, 9), 2.5);
                       EXPECT_EQ(root.choice("i", kBackfill, "easy"), "easy");
                       EXPECT_EQ(root.choices("j", kBackfill, {"easy"}), Words{"easy"});
                       EXPECT_EQ(root.bytes("k", 7), 7);
                       EXPECT_TRUE(root.durations("l", hours(0), hours(1)).empty());
                       EXPECT_EQ(root.duration_or_off("m", {}, hours(0), hours(1)), std::nullopt);
                       EXPECT_FALSE(root.has("a"));
                       EXPECT_FALSE(root.has("b"));
                       root.finish();
                     }),
            "");
}

TEST_F(ConfigNodeTest, OptionalIntegersAreCheckedWhereGiven) {
  EXPECT_EQ(findings("a: 3\nb: 0\nc: x\n",
                     [](ConfigNode root) {
                       EXPECT_EQ(root.optional_integer("a", 1, 9), 3);
                       EXPECT_EQ(root.optional_integer("b", 1, 9), 1);
                       root.optional_integer("c", 1, 9);
                     }),
            "c.yaml:2:4: b: 0 is out of range; 1 to 9\n"
            "c.yaml:3:4: c: \"x\" is not an integer; write digits only, 1 to 9");
}

// ---- Numbers.

TEST_F(ConfigNodeTest, NumbersAreFiniteDecimals) {
  const auto read = [&](const std::string& value, double expected) {
    EXPECT_EQ(findings("x: " + value + "\n",
                       [&](ConfigNode root) {
                         EXPECT_EQ(root.number("x", {}, -1e300, 1e300), expected) << value;
                       }),
              "");
  };
  read("1", 1);
  read("-2.5", -2.5);
  read(".5", 0.5);
  read("1e-3", 0.001);
  read("1E3", 1000);
  read("'0.25'", 0.25);
  for (const char* value : {"inf", "-inf", "nan", ".inf", ".nan", "infinity", "1e999", "0x1p3",
                            "+1", "1,5", "1 ", "x", "1.2.3", "", "1e", "5%"}) {
    EXPECT_EQ(findings(std::string("x: '") + value + "'\n",
                       [](ConfigNode root) { EXPECT_EQ(root.number("x", 2, 0, 8), 2); }),
              std::string("c.yaml:1:4: x: \"") + value + "\" is not a number; 0 to 8");
  }
}

TEST_F(ConfigNodeTest, NumbersHaveARange) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kPositive = std::numeric_limits<double>::min();
  const auto range = [&](double min, double max) {
    return findings("x: -7.5\n", [&](ConfigNode root) { root.number("x", 1, min, max); });
  };
  EXPECT_EQ(range(0, 8.25), "c.yaml:1:4: x: -7.5 is out of range; 0 to 8.25");
  EXPECT_EQ(range(0, kInfinity), "c.yaml:1:4: x: -7.5 is out of range; at least 0");
  EXPECT_EQ(range(kPositive, kInfinity), "c.yaml:1:4: x: -7.5 is out of range; more than 0");
  EXPECT_EQ(range(kPositive, 2), "c.yaml:1:4: x: -7.5 is out of range; more than 0, at most 2");
  EXPECT_EQ(range(-kInfinity, -8), "c.yaml:1:4: x: -7.5 is out of range; at most -8");
  EXPECT_EQ(range(-kInfinity, kInfinity), "");
  EXPECT_EQ(findings("x: 0\n", [&](ConfigNode root) { root.number("x", 1, kPositive, kInfinity); }),
            "c.yaml:1:4: x: 0 is out of range; more than 0");
  EXPECT_EQ(
      findings("a: 1\n", [&](ConfigNode root) { root.number("x", {}, kPositive, kInfinity); }),
      "c.yaml:1:1: x: missing; a number, more than 0");
  EXPECT_EQ(findings("a: 1\n", [&](ConfigNode root) { root.number("x", {}, 0, 1); }),
            "c.yaml:1:1: x: missing; a number from 0 to 1");
}

TEST_F(ConfigNodeTest, ListsOfNumbersAreCheckedOneByOne) {
  const auto read = [&](const std::string& value) {
    std::vector<double> numbers;
    EXPECT_EQ(findings("x: " + value + "\n",
                       [&](ConfigNode root) { numbers = root.numbers("x", 0, 100); }),
              "");
    return numbers;
  };
  EXPECT_EQ(read("[1, 2.5, 1e1]"), (std::vector<double>{1, 2.5, 10}));
  EXPECT_EQ(read("7"), std::vector<double>{7});
  EXPECT_EQ(read("[]"), std::vector<double>{});
  const auto refused = [&](const std::string& text) {
    return findings(text, [](ConfigNode root) {
      EXPECT_TRUE(root.numbers("x", 0, 100).empty());
      root.finish();
    });
  };
  EXPECT_EQ(refused("x: [1, two, 101]\n"),
            "c.yaml:1:8: x: \"two\" is not a number; 0 to 100\n"
            "c.yaml:1:13: x: 101 is out of range; 0 to 100");
  EXPECT_EQ(refused("x: [1, [2]]\n"),
            "c.yaml:1:8: x: found a list; expected a number from 0 to 100");
  EXPECT_EQ(refused("x: {a: 1}\n"),
            "c.yaml:1:4: x: found a map; expected a list of numbers from 0 to 100");
  EXPECT_EQ(refused("x:\n"), "c.yaml:1:1: x: missing; a list of numbers from 0 to 100");
  const auto r = reader("x: [0.25, 3]\n");
  r->root().numbers("x", 0, 100);
  EXPECT_EQ(r->resolved_yaml(), "x: [0.25, 3]\n");
}

// ---- Booleans, texts, choices.

TEST_F(ConfigNodeTest, BooleansAreTrueAndFalseOnly) {
  EXPECT_EQ(findings("a: true\nb: false\n",
                     [](ConfigNode root) {
                       EXPECT_TRUE(root.boolean("a", {}));
                       EXPECT_FALSE(root.boolean("b", true));
                     }),
            "");
  const auto refused = [&](const std::string& value) {
    return findings("a: " + value + "\n", [](ConfigNode root) { root.boolean("a", {}); });
  };
  for (const char* value : {"yes", "on", "True", "TRUE", "y", "1"}) {
    EXPECT_EQ(refused(value),
              std::string("c.yaml:1:4: a: \"") + value + "\" is not true or false; write true");
  }
  for (const char* value : {"no", "Off", "False", "N", "0"}) {
    EXPECT_EQ(refused(value),
              std::string("c.yaml:1:4: a: \"") + value + "\" is not true or false; write false");
  }
  EXPECT_EQ(refused("maybe"), "c.yaml:1:4: a: \"maybe\" is not true or false");
}

TEST_F(ConfigNodeTest, TextsAreScalars) {
  EXPECT_EQ(findings("a: 12\nb: ''\nc: true\nd: x y\n",
                     [](ConfigNode root) {
                       EXPECT_EQ(root.text("a", {}), "12");
                       EXPECT_EQ(root.text("b", "z"), "");
                       EXPECT_EQ(root.text("c", {}), "true");
                       EXPECT_EQ(root.text("d", {}), "x y");
                     }),
            "");
}

TEST_F(ConfigNodeTest, AChoiceNamesTheChoices) {
  const auto read = [](ConfigNode root) {
    EXPECT_EQ(root.section("policy").choice("backfill", kBackfill, "none"), "none");
  };
  EXPECT_EQ(findings("policy: {backfill: esay}\n", read),
            "c.yaml:1:20: policy.backfill: \"esay\" is not one of none, greedy, easy, conservative "
            "(did you mean \"easy\"?)");
  EXPECT_EQ(findings("policy: {backfill: quantum}\n", read),
            "c.yaml:1:20: policy.backfill: \"quantum\" is not one of none, greedy, easy, "
            "conservative");
}

TEST_F(ConfigNodeTest, ChoicesAreAListOrOne) {
  const Words names{"gpus", "cpus", "memory"};
  EXPECT_EQ(findings("a: [gpus, memory]\nb: cpus\nc: []\n",
                     [&](ConfigNode root) {
                       EXPECT_EQ(root.choices("a", names, {}), (Words{"gpus", "memory"}));
                       EXPECT_EQ(root.choices("b", names, {}), Words{"cpus"});
                       EXPECT_TRUE(root.choices("c", names, {"gpus"}).empty());
                     }),
            "");
  EXPECT_EQ(findings("a: [gpus, cpu, gpus, [x], ~]\n",
                     [&](ConfigNode root) { root.choices("a", names, {}); }),
            "c.yaml:1:11: a: \"cpu\" is not one of gpus, cpus, memory (did you mean \"cpus\"?)\n"
            "c.yaml:1:16: a: \"gpus\" is given twice\n"
            "c.yaml:1:22: a: found a list; expected one of gpus, cpus, memory\n"
            "c.yaml:1:27: a: found nothing; expected one of gpus, cpus, memory");
  EXPECT_EQ(findings("a: {b: 1}\n", [&](ConfigNode root) { root.choices("a", names, {}); }),
            "c.yaml:1:4: a: found a map; expected a list of gpus, cpus, memory");
}

// ---- Quantities.

TEST_F(ConfigNodeTest, DurationsNeedAUnit) {
  const auto read = [&](const std::string& value) {
    return findings("failures: {mtbf: '" + value + "'}\n", [](ConfigNode root) {
      root.section("failures").duration("mtbf", hours(1), minutes(1), kLongestDuration);
    });
  };
  EXPECT_EQ(read("20d"), "");
  EXPECT_EQ(read("1d 12h"), "");
  const std::string at = "c.yaml:1:18: failures.mtbf: ";
  EXPECT_EQ(read("20 dy"), at + "\"20 dy\" is not a duration; write 20d, 480h or 30min");
  EXPECT_EQ(read("soon"), at + "\"soon\" is not a duration; write 20d, 480h or 30min");
  EXPECT_EQ(read("-5s"), at + "\"-5s\" is not a duration; write 20d, 480h or 30min");
  EXPECT_EQ(read(""), at + "\"\" is not a duration; write 20d, 480h or 30min");
  EXPECT_EQ(read("30"), at + "30 has no unit; write 30s, 30min or 30h");
  EXPECT_EQ(read("1.5"), at + "1.5 has no unit; write 1.5s, 1.5min or 1.5h");
  EXPECT_EQ(read("59s"), at + "59s is out of range; 1min to 3650d");
  EXPECT_EQ(read("4000d"), at + "4000d is out of range; 1min to 3650d");
  EXPECT_EQ(read("3650d 1s"), at + "3650d 1s is out of range; 1min to 3650d");
}

TEST_F(ConfigNodeTest, ADurationMayBeOff) {
  EXPECT_EQ(
      findings("a: off\nb: 5min\nc: 'off'\n",
               [](ConfigNode root) {
                 EXPECT_EQ(root.duration_or_off("a", hours(1), hours(0), hours(9)), std::nullopt);
                 EXPECT_EQ(root.duration_or_off("b", {}, hours(0), hours(9)), minutes(5));
                 EXPECT_EQ(root.duration_or_off("c", hours(1), hours(0), hours(9)), std::nullopt);
                 EXPECT_EQ(root.duration_or_off("d", hours(1), hours(0), hours(9)), hours(1));
               }),
      "");
  EXPECT_EQ(findings("a: of\n",
                     [](ConfigNode root) { root.duration_or_off("a", {}, hours(0), hours(1)); }),
            "c.yaml:1:4: a: \"of\" is not a duration; write 20d, 480h or 30min");
}

TEST_F(ConfigNodeTest, BytesNeedAUnit) {
  const auto read = [&](const std::string& value) {
    return findings("m: '" + value + "'\n", [](ConfigNode root) { root.bytes("m", 0); });
  };
  EXPECT_EQ(read("80GiB"), "");
  EXPECT_EQ(read("80"), "c.yaml:1:4: m: 80 has no unit; write 80GB or 80GiB");
  EXPECT_EQ(read("80gigs"), "c.yaml:1:4: m: \"80gigs\" is not a size; write 80GB, 80GiB or 1.5TB");
  EXPECT_EQ(read("-1GB"), "c.yaml:1:4: m: \"-1GB\" is not a size; write 80GB, 80GiB or 1.5TB");
}

TEST_F(ConfigNodeTest, MapsOfDurationsKeepTheirOrder) {
  EXPECT_EQ(findings("limits: {SFT: 2h, 'a.b': 5min, Debug: 30s}\n",
                     [](ConfigNode root) {
                       const auto limits = root.durations("limits", seconds(1), hours(9));
                       ASSERT_EQ(limits.size(), 3u);
                       EXPECT_EQ(limits[0], (std::pair<std::string, Duration>("SFT", hours(2))));
                       EXPECT_EQ(limits[1], (std::pair<std::string, Duration>("a.b", minutes(5))));
                       EXPECT_EQ(limits[2],
                                 (std::pair<std::string, Duration>("Debug", seconds(30))));
                       root.finish();
                     }),
            "");
  EXPECT_EQ(findings("limits: {SFT: 2, Eval: , Debug: [1]}\n",
                     [](ConfigNode root) { root.durations("limits", seconds(1), hours(9)); }),
            "c.yaml:1:15: limits.SFT: 2 has no unit; write 2s, 2min or 2h\n"
            "c.yaml:1:18: limits.Eval: found nothing; expected a duration such as 20d, 480h or "
            "30min\n"
            "c.yaml:1:33: limits.Debug: found a list; expected a duration such as 20d, 480h or "
            "30min");
  EXPECT_EQ(findings("limits: 2h\n",
                     [](ConfigNode root) { root.durations("limits", seconds(1), hours(9)); }),
            "c.yaml:1:9: limits: found \"2h\"; expected a map of keys");
}

// ---- Paths.

TEST_F(ConfigNodeTest, PathsAreMeantFromTheFileThatNamesThem) {
  write("base/b.yaml", "trace: traces/../a.csv\nother: /abs/./x.csv\n");
  write("mine/c.yaml", "extends: ../base/b.yaml\nlocal: ./l.csv\n");
  ConfigReader r(load_config("mine/c.yaml", {}, {"given=g.csv"}));
  ConfigNode root = r.root();
  EXPECT_EQ(root.file("trace"), folder() / "base/a.csv");
  EXPECT_EQ(root.file("other"), "/abs/x.csv");
  EXPECT_EQ(root.file("local"), folder() / "mine/l.csv");
  EXPECT_EQ(root.file("given"), folder() / "g.csv");
  root.finish();
  EXPECT_FALSE(r.has_errors());
  const std::string here = folder().string();
  EXPECT_EQ(r.resolved_yaml(), "trace: " + here + "/base/a.csv\nother: /abs/x.csv\nlocal: " + here +
                                   "/mine/l.csv\ngiven: " + here + "/g.csv\n");
  EXPECT_EQ(r.resolved_yaml("0123"),
            "trace: \"0123\"\nother: \"0123\"\nlocal: \"0123\"\ngiven: \"0123\"\n");
}

TEST_F(ConfigNodeTest, WhatIsNoPathIsRefused) {
  EXPECT_EQ(findings("a: ''\nb: [x]\nc: \"x\\0y\"\n",
                     [](ConfigNode root) {
                       EXPECT_TRUE(root.file("a").empty());
                       root.file("b", false);
                       root.file("c");
                     }),
            "c.yaml:1:4: a: \"\" is not a path\n"
            "c.yaml:2:4: b: found a list; expected the path of a file\n"
            "c.yaml:3:4: c: \"x\\x00y\" is not a path");
}

TEST_F(ConfigNodeTest, AFolderThatYamlCannotNameIsRefused) {
  write("caf\xe9/c.yaml", "a: x.csv\n");
  ConfigReader r(load_config("caf\xe9/c.yaml", {}, {}));
  r.root().file("a");
  EXPECT_TRUE(r.has_errors());
}

// ---- Keys and sections.

TEST_F(ConfigNodeTest, UnknownKeysAreToldWithTheNearestName) {
  const auto read = [](ConfigNode root) {
    ConfigNode params = root.section("policy").section("params");
    params.duration("interval", minutes(5), seconds(1), hours(1));
    params.integer("depth", 1, 1, 9);
    EXPECT_FALSE(params.has("reserve"));
    params.finish();
  };
  EXPECT_EQ(findings("policy:\n  params:\n    intervall: 5min\n", read),
            "c.yaml:3:5: policy.params.intervall: unknown key (did you mean \"interval\"?); known "
            "here: interval, depth, reserve");
  EXPECT_EQ(findings("policy:\n  params:\n    resrve: 5min\n", read),
            "c.yaml:3:5: policy.params.resrve: unknown key (did you mean \"reserve\"?); known "
            "here: interval, depth, reserve");
  EXPECT_EQ(
      findings("policy: {params: {weather: 1}}\n", read),
      "c.yaml:1:19: policy.params.weather: unknown key; known here: interval, depth, reserve");
  EXPECT_EQ(findings("x: 1\n", [](ConfigNode root) { root.finish(); }),
            "c.yaml:1:1: x: unknown key; no keys are known here");
  EXPECT_EQ(findings("x: 1\n", read, {"policy.params.dept=2"}),
            "--set policy.params.dept=2: policy.params.dept: unknown key (did you mean "
            "\"depth\"?); known here: interval, depth, reserve");
}

TEST_F(ConfigNodeTest, ToAskForAKeyDoesNotAcceptIt) {
  const auto ask = [](ConfigNode root) {
    EXPECT_TRUE(root.has("factor"));
    root.finish();
  };
  EXPECT_EQ(findings("factor: 2\n", ask),
            "c.yaml:1:1: factor: has no meaning with the other values given");
  // To report an error on it does: one finding is enough.
  EXPECT_EQ(findings("factor: 2\n",
                     [](ConfigNode root) {
                       root.error("factor", "only with mode factor");
                       root.finish();
                     }),
            "c.yaml:1:9: factor: only with mode factor");
}

TEST_F(ConfigNodeTest, ErrorsStandAtTheValueOrTheMap) {
  EXPECT_EQ(findings("a: 1\npolicy:\n  order: srtf\n",
                     [](ConfigNode root) {
                       ConfigNode policy = root.section("policy");
                       policy.error("order", "goes with backfill none only");
                       policy.error("depth", "is due");
                       policy.error("", "makes no sense");
                       root.error("", "nor does this");
                     }),
            "c.yaml:1:1: nor does this\n"
            "c.yaml:3:3: policy.depth: is due\n"
            "c.yaml:3:3: policy: makes no sense\n"
            "c.yaml:3:10: policy.order: goes with backfill none only");
}

TEST_F(ConfigNodeTest, WrongKindsSayWhatWasFound) {
  EXPECT_EQ(findings("a: [1]\nb: {c: 1}\nc: [x]\nd: word\ne: {}\n",
                     [](ConfigNode root) {
                       EXPECT_EQ(root.integer("a", {}, 1, 9), 1);
                       root.duration("b", hours(1), hours(0), hours(9));
                       root.section("c").integer("inner", {}, 1, 9);  // not told as missing
                       root.section("d").section("e").integer("inner", {}, 1, 9);
                       root.boolean("e", {});
                     }),
            "c.yaml:1:4: a: found a list; expected an integer from 1 to 9\n"
            "c.yaml:2:4: b: found a map; expected a duration such as 20d, 480h or 30min\n"
            "c.yaml:3:4: c: found a list; expected a map of keys\n"
            "c.yaml:4:4: d: found \"word\"; expected a map of keys\n"
            "c.yaml:5:4: e: found a map; expected true or false");
}

TEST_F(ConfigNodeTest, SomeFeaturesCanOnlyBeOff) {
  const auto read = [](ConfigNode root) {
    root.only_off("failures", "none", "this version has no failures");
    root.only_off("sweep", "", "this version has no sweeps");
    root.finish();
  };
  for (const char* text : {"x: \n", "failures: none\nsweep: {}\n", "failures: []\nsweep: []\n",
                           "failures: {}\nsweep:\n", "failures: ~\n"}) {
    EXPECT_EQ(findings(std::string(text) + (text[0] == 'x' ? "" : "x:\n"),
                       [&](ConfigNode root) {
                         root.text("x", "");
                         read(root);
                       }),
              "")
        << text;
  }
  EXPECT_EQ(findings("failures: {mtbf: 20d}\nsweep: none\n", read),
            "c.yaml:1:11: failures: this version has no failures\n"
            "c.yaml:2:8: sweep: this version has no sweeps");
  EXPECT_EQ(findings("failures: [1]\nsweep: {a: 1}\n", read),
            "c.yaml:1:11: failures: this version has no failures\n"
            "c.yaml:2:8: sweep: this version has no sweeps");
}

// ---- Findings together.

TEST_F(ConfigNodeTest, FindingsAreSortedByPlaceAndToldOnce) {
  write("a.yaml", "n: x\n");
  EXPECT_EQ(findings("extends: a.yaml\nz: 1\ny: 2\nm: x\n",
                     [](ConfigNode root) {
                       root.integer("m", 1, 0, 9);
                       root.integer("m", 1, 0, 9);
                       root.integer("n", 1, 0, 9);
                       root.integer("set", 1, 0, 9);
                       root.finish();
                       root.finish();
                     },
                     {"set=x"}),
            "--set set=x: set: \"x\" is not an integer; write digits only, 0 to 9\n"
            "a.yaml:1:4: n: \"x\" is not an integer; write digits only, 0 to 9\n"
            "c.yaml:2:1: z: unknown key; known here: m, n, set\n"
            "c.yaml:3:1: y: unknown key; known here: m, n, set\n"
            "c.yaml:4:4: m: \"x\" is not an integer; write digits only, 0 to 9");
}

TEST_F(ConfigNodeTest, LinesAreSortedAsNumbers) {
  std::string text = "a: 1\n";
  for (int i = 0; i < 9; ++i) text += "\n";
  EXPECT_EQ(findings(text + "b: 1\n",
                     [](ConfigNode root) {
                       root.error("b", "second");
                       root.error("a", "first");
                     }),
            "c.yaml:1:4: a: first\nc.yaml:11:4: b: second");
}

TEST_F(ConfigNodeTest, ManyFindingsAreCounted) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "key" + std::to_string(i) + ": 1\n";
  const std::string found = findings(text, [](ConfigNode root) {
    root.text("known", "");
    root.finish();
  });
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 10);
  EXPECT_TRUE(found.starts_with("c.yaml:1:1: key0: unknown key; known here: known\n"));
  EXPECT_TRUE(found.ends_with("\nand 19990 more")) << found;
}

TEST_F(ConfigNodeTest, MessagesStayOnTheirLineAndShort) {
  const std::string found =
      findings("\"a\\n\\e[31mb\": 1\nn: \"x\\ny\\u0085" + std::string(5'000, 'z') + "\"\n",
               [](ConfigNode root) {
                 root.integer("n", 1, 0, 9);
                 root.finish();
               });
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 1);
  EXPECT_EQ(found.find('\x1b'), std::string::npos);
  EXPECT_NE(found.find("c.yaml:1:1: a\\n\\x1b[31mb: unknown key"), std::string::npos) << found;
  EXPECT_NE(found.find("c.yaml:2:4: n: \"x\\ny\\xc2\\x85zzz"), std::string::npos) << found;
  EXPECT_NE(found.find("zzz...\" is not an integer"), std::string::npos) << found;
  EXPECT_LT(found.size(), 400u);
}

TEST_F(ConfigNodeTest, TooManyDurationsTakeNoTime) {
  std::string text = "limits:\n";
  for (int i = 0; i < 50'000; ++i) text += "  t" + std::to_string(i) + ": 5s\n";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(findings(text,
                     [](ConfigNode root) {
                       EXPECT_EQ(root.durations("limits", seconds(1), hours(1)).size(), 50'000u);
                     }),
            "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(30));
}

// ---- The resolved configuration.

// Reads one of everything.
std::string resolve(const std::filesystem::path& file) {
  ConfigReader r(load_config(file, {"cluster"}, {}));
  ConfigNode root = r.root();
  root.text("name", "unnamed");
  root.integer("seed", 1, 0, std::numeric_limits<std::int64_t>::max());
  ConfigNode cluster = root.section("cluster");
  cluster.integer("nodes", 4, 1, 1'000'000);
  cluster.bytes("memory", 1'000'000'000'000);
  cluster.choices("constrain", {"gpus", "cpus", "memory"}, {"gpus"});
  cluster.finish();
  ConfigNode policy = root.section("policy");
  policy.choice("backfill", kBackfill, "none");
  policy.optional_integer("depth", 1, 9);
  ConfigNode estimates = policy.section("estimates");
  estimates.number("factor", 1, 0, std::numeric_limits<double>::infinity());
  estimates.durations("limits", Duration(0), kLongestDuration);
  estimates.finish();
  policy.finish();
  root.only_off("failures", "none", "");
  root.only_off("sweep", "", "");
  ConfigNode output = root.section("output");
  output.boolean("per_job", true);
  output.duration_or_off("timeline", minutes(5), seconds(1), kLongestDuration);
  output.duration("every", hours(36), seconds(1), kLongestDuration);
  output.file("path", false);
  output.finish();
  root.section("nothing").finish();
  root.finish();
  r.throw_if_errors();
  return r.resolved_yaml();
}

TEST_F(ConfigNodeTest, TheResolvedConfigurationHoldsEveryDefault) {
  write("c.yaml", "seed: 7\n");
  EXPECT_EQ(resolve("c.yaml"),
            "name: unnamed\n"
            "seed: 7\n"
            "cluster:\n"
            "  nodes: 4\n"
            "  memory: 1TB\n"
            "  constrain: [gpus]\n"
            "policy:\n"
            "  backfill: none\n"
            "  estimates:\n"
            "    factor: 1\n"
            "    limits: {}\n"
            "failures: none\n"
            "output:\n"
            "  per_job: true\n"
            "  timeline: 5min\n"
            "  every: 1d12h\n"
            "nothing: {}\n");
}

TEST_F(ConfigNodeTest, TheResolvedConfigurationHoldsWhatWasGiven) {
  write(
      "c.yaml",
      "output: {timeline: off, per_job: false, path: x.csv, every: 90s}\n"
      "policy: {backfill: easy, depth: 3, estimates: {factor: 0.10, limits: {b: 60min, a: 24h}}}\n"
      "cluster: {memory: 1536MiB, constrain: [memory, gpus], nodes: '12'}\n"
      "name: 'on'\n");
  EXPECT_EQ(resolve("c.yaml"),
            "name: \"on\"\n"
            "seed: 1\n"
            "cluster:\n"
            "  nodes: 12\n"
            "  memory: 1536MiB\n"
            "  constrain: [memory, gpus]\n"
            "policy:\n"
            "  backfill: easy\n"
            "  depth: 3\n"
            "  estimates:\n"
            "    factor: 0.1\n"
            "    limits:\n"
            "      b: 1h\n"
            "      a: 1d\n"
            "failures: none\n"
            "output:\n"
            "  per_job: false\n"
            "  timeline: off\n"
            "  every: 1min30s\n"
            "  path: " +
                (folder() / "x.csv").string() +
                "\n"
                "nothing: {}\n");
}

TEST_F(ConfigNodeTest, AnEmptyRootIsAnEmptyMap) {
  const auto r = reader("{}\n");
  EXPECT_EQ(r->resolved_yaml(), "{}\n");
}

TEST_F(ConfigNodeTest, ReadingAKeyTwiceWritesItOnce) {
  const auto r = reader("a: 1\n");
  r->root().integer("a", 1, 0, 9);
  r->root().section("s").integer("b", 2, 0, 9);
  r->root().section("s").integer("c", 3, 0, 9);
  r->root().integer("a", 1, 0, 9);
  EXPECT_EQ(r->resolved_yaml(), "a: 1\ns:\n  b: 2\n  c: 3\n");
}

// A text of pieces that YAML gives a meaning to, and of any Unicode.
std::string nasty_text(Rng& rng) {
  static const Words pieces{": ",
                            "#",
                            " #",
                            "'",
                            "\"",
                            "\\",
                            "\n",
                            "\r",
                            "\t",
                            "true",
                            "false",
                            "yes",
                            "off",
                            "null",
                            "~",
                            "12",
                            "1e3",
                            "0x1f",
                            "- ",
                            "? ",
                            "! ",
                            "!!str ",
                            "&a ",
                            "*a",
                            "%",
                            "@",
                            "`",
                            "{",
                            "}",
                            "[",
                            "]",
                            ",",
                            "|",
                            ">",
                            " ",
                            "   ",
                            "---",
                            "...",
                            "<<",
                            "é",
                            "日本",
                            "🚀",
                            "\u0085",
                            "\u00a0",
                            "\u2028",
                            "\ufeff",
                            "\x01",
                            "\x1b[31m",
                            "\x7f",
                            "a",
                            "word",
                            "2023-03-01",
                            "1:30",
                            ".inf",
                            "\u0080",
                            "\u2029",
                            "=",
                            "\r\n",
                            std::string(1, '\0'),
                            std::string(300, 'l')};
  std::string out;
  const std::uint32_t count = rng.below(6);
  for (std::uint32_t i = 0; i < count; ++i) {
    out += pieces[rng.below(static_cast<std::uint32_t>(pieces.size()))];
  }
  return out;
}

std::string text_of(const ConfigTree& tree, const Words& keys) {
  ConfigReader r{ConfigTree(tree)};
  ConfigNode root = r.root();
  for (const std::string& key : keys) root.text(key, {});
  root.finish();
  r.throw_if_errors();
  return r.resolved_yaml();
}

ConfigTree map_of(const Words& keys, const Words& values) {
  ConfigTree map;
  map.kind = ConfigTree::Kind::kMap;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ConfigTree value;
    value.kind = ConfigTree::Kind::kScalar;
    value.scalar = values[i];
    map.entries.push_back({keys[i], {}, std::move(value)});
  }
  return map;
}

TEST_F(ConfigNodeTest, NastyTextsAreReadBackAsTheyWere) {
  Rng rng(1, "texts");
  for (int round = 0; round < 300; ++round) {
    Words keys;
    Words values;
    for (int i = 0; i < 20; ++i) {
      // A key must not be empty, longer than 256 bytes, or one that means something at the top.
      std::string key = "k" + std::to_string(i) + nasty_text(rng);
      if (i % 2 == 0) key = nasty_text(rng) + std::to_string(i);
      if (key.size() > 256) key = "k" + std::to_string(i);
      keys.push_back(key);
      values.push_back(nasty_text(rng));
    }
    const std::string yaml = text_of(map_of(keys, values), keys);
    write("out.yaml", yaml);
    const ConfigTree back = load_config("out.yaml", {"cluster"}, {});
    ASSERT_EQ(back.entries.size(), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(back.entries[i].key, keys[i]);
      ASSERT_EQ(back.entries[i].value.kind, ConfigTree::Kind::kScalar) << yaml;
      ASSERT_EQ(back.entries[i].value.scalar, values[i]) << yaml;
    }
    ASSERT_EQ(text_of(back, keys), yaml);
  }
}

// What other readers of YAML would take for something else than text is in quotes.
TEST_F(ConfigNodeTest, OnlyWordsAreWrittenWithoutQuotes) {
  const auto written = [](const std::string& text) {
    const std::string yaml = text_of(map_of({"k"}, {text}), {"k"});
    return yaml.substr(3, yaml.size() - 4);
  };
  for (const char* text : {"word", "seren-what-if", "v1.2_x", "/data/a.csv", "a12", "nUlls"}) {
    EXPECT_EQ(written(text), text);
  }
  for (const char* text :
       {"",     "12",  "-1",         "1e3", "true", "True", "yes",  "NO",   "on", "Off",
        "null", "~",   "y",          "N",   " a",   "a ",   "a: b", "a #b", "-",  ".5",
        ".nan", "x y", "2023-03-01", "é",   "*a",   "<<",   "a,b",  "a:b"}) {
    EXPECT_EQ(written(text), '"' + std::string(text) + '"');
  }
  EXPECT_EQ(written("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(written("a\n\t\r\x01\x7f"), "\"a\\n\\t\\x0d\\x01\\x7f\"");
  EXPECT_EQ(written("\u0085\u2028\ufeff"), "\"\\x85\\u2028\\ufeff\"");
}

TEST_F(ConfigNodeTest, TheResolvedConfigurationIsAFixedPoint) {
  Rng rng(1, "configurations");
  for (int round = 0; round < 200; ++round) {
    const auto draw = [&](std::uint32_t bound) { return std::to_string(rng.below(bound)); };
    std::string text = "seed: " + draw(1u << 31u) + "\n";
    if (rng.below(2) == 0)
      text += "cluster: {nodes: " + std::to_string(1 + rng.below(999'999)) + "}\n";
    text += "policy: {estimates: {factor: " + std::to_string(rng.uniform()) + draw(1'000'000'000);
    text += ", limits: {a: " + draw(1'000'000) + "ms, 'b: #': " + draw(10'000) + ".5min}}}\n";
    text += "output: {path: '" + std::string(rng.below(2), ' ') + "a " + draw(10) + ": #.csv'";
    text += rng.below(2) == 0 ? ", timeline: off}\n" : ", timeline: 1d 3h}\n";
    write("c.yaml", text);
    const std::string first = resolve("c.yaml");
    write("elsewhere/config.yaml", first);
    ASSERT_EQ(resolve("elsewhere/config.yaml"), first) << text;
  }
}

// The shortest text that reads back as the same double, for doubles of every size.
TEST_F(ConfigNodeTest, NumbersSurviveInFull) {
  Rng rng(1, "numbers");
  for (int i = 0; i < 300; ++i) {
    const double value = std::ldexp(rng.uniform(), static_cast<int>(rng.below(2'000)) - 1'000);
    const auto first = reader("{}\n");
    first->root().number("x", value, 0, std::numeric_limits<double>::infinity());
    const std::string yaml = first->resolved_yaml();
    const auto second = reader(yaml);
    ASSERT_EQ(second->root().number("x", {}, 0, std::numeric_limits<double>::infinity()), value);
    ASSERT_EQ(second->resolved_yaml(), yaml);
  }
}

TEST_F(ConfigNodeTest, ListsOfMapsAreReadLikeSections) {
  const auto c = reader("list:\n  - {a: 1}\n  - {b: x, c: [p, q]}\n  - {}\nnone: []\n");
  ConfigNode root = c->root();
  std::vector<ConfigNode> items = root.list("list");
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[0].keys(), std::vector<std::string>{"a"});
  EXPECT_EQ(items[0].integer("a", {}, 0, 9), 1);
  EXPECT_EQ(items[1].text("b", {}), "x");
  EXPECT_EQ(items[1].words("c"), (std::vector<std::string>{"p", "q"}));
  for (ConfigNode& item : items) item.finish();
  EXPECT_TRUE(root.list("none").empty());
  EXPECT_TRUE(root.list("absent").empty());
  root.finish();
  c->throw_if_errors();
  const std::string yaml = c->resolved_yaml();
  EXPECT_EQ(yaml, "list:\n  - a: 1\n  - b: x\n    c: [p, q]\n  - {}\nnone: []\nabsent: []\n");
}

TEST_F(ConfigNodeTest, WhatIsNoListOfMapsIsSaid) {
  const auto c = reader("a: 3\nb: [1]\nc: [{x: 1}]\nd: {e: [1]}\nf: [{y: 1}]\n");
  ConfigNode root = c->root();
  root.list("a");
  for (ConfigNode& item : root.list("b")) item.integer("x", {}, 0, 1);
  for (ConfigNode& item : root.list("c")) item.finish();
  root.texts("d");
  for (ConfigNode& item : root.list("f")) item.integer("y", {}, 5, 6);
  try {
    c->throw_if_errors();
    FAIL() << "nothing was thrown";
  } catch (const ConfigError& error) {
    const std::string_view message = error.what();
    for (const char* part :
         {":1:4: a: found \"3\"; expected a list of maps",
          ":2:5: b[0]: found \"1\"; expected a map", ":3:6: c[0].x: unknown key",
          ":4:8: d.e: found a list; expected a text", ":5:9: f[0].y: 1 is out of range; 5 to 6"}) {
      EXPECT_NE(message.find(part), std::string_view::npos) << part << "\n" << message;
    }
  }
}

TEST_F(ConfigNodeTest, TextsKeepTheirOrder) {
  const auto c = reader("states: {Pass: COMPLETED, Killed: CANCELLED}\nword: one\n");
  ConfigNode root = c->root();
  const std::vector<std::pair<std::string, std::string>> expected{{"Pass", "COMPLETED"},
                                                                  {"Killed", "CANCELLED"}};
  EXPECT_EQ(root.texts("states"), expected);
  EXPECT_EQ(root.words("word"), std::vector<std::string>{"one"});
  c->throw_if_errors();
  EXPECT_EQ(c->resolved_yaml(), "states:\n  Pass: COMPLETED\n  Killed: CANCELLED\nword: [one]\n");
}

}  // namespace
}  // namespace berth
