// The twin against every case of tests/golden, to the second: an oracle has to be held to one too.
// It reads the files by itself, so that nothing of Berth takes part.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/twin/plain_simulator.hpp"

namespace berth::twin {
namespace {

namespace fs = std::filesystem;
const fs::path kFolder = fs::path(BERTH_SOURCE_DIR) / "tests" / "golden";

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) out.push_back(field);
  return out;
}

// "2023-03-01 00:18:22+08:00", any zone as long as it is the same in every row.
std::int64_t seconds(const std::string& text) {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (std::sscanf(text.c_str(), "%d-%d-%d %d:%d:%d", &year, &month, &day, &hour, &minute,
                  &second) != 6) {
    throw std::runtime_error("not a time: " + text);
  }
  constexpr int kBefore[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  std::int64_t days = 365LL * (year - 1) + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
  days += kBefore[month - 1] + (leap && month > 2 ? 1 : 0) + day - 1;
  return ((days * 24 + hour) * 60 + minute) * 60 + second;
}

struct Trace {
  std::vector<std::string> ids;
  std::vector<PlainJob> jobs;
};

Trace read_trace(const std::string& workload) {
  std::ifstream in(kFolder / "workloads" / (workload + ".csv"));
  std::string line;
  std::getline(in, line);
  std::map<std::string, std::size_t> column;
  for (const std::string& name : split(line)) column.emplace(name, column.size());
  Trace out;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = split(line);
    out.ids.push_back(fields.at(column.at("job_id")));
    out.jobs.push_back({1000 * seconds(fields.at(column.at("submit_time"))),
                        1000 * std::stoll(fields.at(column.at("duration"))),
                        std::stoll(fields.at(column.at("gpu_num")))});
    first = std::min(first, out.jobs.back().submit_ms);
  }
  for (PlainJob& job : out.jobs) job.submit_ms -= first;
  return out;
}

PlainSetup setup_of(const std::string& policy) {
  PlainSetup out;
  if (policy.starts_with("sjf")) out.order = Order::kSjf;
  if (policy.starts_with("srtf")) out.order = Order::kSrtf;
  if (policy == "firstfit") out.backfill = Backfill::kGreedy;
  if (policy.starts_with("easy")) out.backfill = Backfill::kEasy;
  if (policy.ends_with("_replan")) out.backfill = Backfill::kReplan;
  if (policy.ends_with("_compress")) out.backfill = Backfill::kCompress;
  if (policy.find("_x2") != std::string::npos) out.estimate_factor = 2;
  return out;
}

struct Case {
  std::string workload;
  std::string policy;
  std::string capacity;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.workload << ' ' << one.policy << ' ' << one.capacity;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* workload : {"tiny", "w200", "w2000"}) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(kFolder / "expected" / workload)) {
      if (entry.path().extension() == ".csv") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      const std::string stem = file.stem().string();
      const std::size_t dot = stem.find('.');
      cases.push_back({workload, stem.substr(0, dot), stem.substr(dot + 1)});
    }
  }
  return cases;
}

class GoldenTwin : public testing::TestWithParam<Case> {};

TEST_P(GoldenTwin, AgreesInEveryStartAndEnd) {
  const auto& [workload, policy, capacity] = GetParam();
  const fs::path folder = kFolder / "expected" / workload;
  std::ifstream summaries(folder / "summary.json");
  const auto summary = nlohmann::json::parse(summaries)[policy + "." + capacity];

  PlainSetup setup = setup_of(policy);
  setup.nodes = summary["nodes"].get<std::int64_t>();
  setup.gpus_per_node = summary["gpus_per_node"].get<std::int64_t>();
  setup.gang = capacity == "gang";
  ASSERT_EQ(setup.estimate_factor, summary["est_factor"].get<double>());
  const Trace trace = read_trace(workload);
  const std::vector<PlainOutcome> outcomes = plain_simulate(trace.jobs, setup);

  std::ifstream expected(folder / (policy + "." + capacity + ".csv"));
  std::string line;
  std::getline(expected, line);
  ASSERT_EQ(line, "job_id,start_s,end_s");
  std::int64_t preemptions = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    ASSERT_TRUE(std::getline(expected, line));
    EXPECT_EQ(trace.ids[i] + "," + std::to_string(outcomes[i].start_ms / 1000) + "," +
                  std::to_string(outcomes[i].end_ms / 1000),
              line);
    preemptions += outcomes[i].preemptions;
  }
  EXPECT_FALSE(std::getline(expected, line));
  EXPECT_EQ(preemptions, summary["preemptions"].get<std::int64_t>());
}

INSTANTIATE_TEST_SUITE_P(All, GoldenTwin, testing::ValuesIn(all_cases()),
                         [](const testing::TestParamInfo<Case>& it) {
                           return it.param.workload + "_" + it.param.policy + "_" +
                                  it.param.capacity;
                         });

TEST(GoldenTwinFolder, HasAllFortyEightCases) { EXPECT_EQ(all_cases().size(), 48u); }

}  // namespace
}  // namespace berth::twin
