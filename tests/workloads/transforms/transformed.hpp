// Applying transforms in a test, in the order given, as a run does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/api/workload_transform.hpp"
#include "sim/config/config_node.hpp"
#include "sim/experiment/builtin_registries.hpp"
#include "tests/support/temp_folder.hpp"

namespace berth::test {

// Ids "0", "1", ... in the order given. Times in seconds.
struct SourceJob {
  std::int64_t submit = 0;
  std::int64_t run = 10;
  std::int64_t wait = 0;  // recorded; negative: it never started
  std::uint32_t gpus = 1;
  std::string user = "u";
  std::string type = "Other";
  JobState state = JobState::kCompleted;
  std::int64_t limit = -1;
  std::string name = {};
  std::string vc = {};
  std::string account = {};
  std::string preceding = {};
};

struct Transformed {
  JobTable table;
  std::vector<std::string> lines;  // of the manifest

  std::vector<std::string> ids() const {
    std::vector<std::string> out;
    for (const Job& job : table.jobs()) out.emplace_back(table.id_of(job));
    return out;
  }
  // In milliseconds, from the first submission.
  std::vector<std::int64_t> submits_ms() const {
    std::vector<std::int64_t> out;
    for (const Job& job : table.jobs()) out.push_back(to_ms(job.submit));
    return out;
  }
  std::vector<std::int64_t> runs_ms() const {
    std::vector<std::int64_t> out;
    for (const Job& job : table.jobs()) out.push_back(to_ms(job.run));
    return out;
  }
  std::vector<std::int64_t> waits_ms() const {
    std::vector<std::int64_t> out;
    for (const Job& job : table.jobs()) {
      out.push_back(job.never_started ? -1 : to_ms(job.recorded_start - job.submit));
    }
    return out;
  }
  std::vector<std::string> types() const {
    std::vector<std::string> out;
    for (const Job& job : table.jobs()) out.push_back(table.type_of(job));
    return out;
  }
};

struct TransformSetup {
  std::uint64_t seed = 1;
  std::uint32_t parts_per_gpu = 1;
  std::int64_t epoch_s = 1'677'600'000;  // 2023-02-28 16:00 UTC, midnight of 1 March in Shanghai
};

// `yaml`: a list item each, such as "{filter: {types: [Eval]}}". Throws what a run throws.
inline Transformed transformed(const std::vector<SourceJob>& jobs,
                               const std::vector<std::string>& yaml,
                               const TransformSetup& setup = {}) {
  JobTableBuilder rows(setup.parts_per_gpu);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const SourceJob& job = jobs[i];
    const std::string id = std::to_string(i);
    JobRow row;
    row.id = id;
    row.user = job.user;
    row.type = job.type;
    row.name = job.name;
    row.vc = job.vc;
    row.account = job.account;
    row.preceding = job.preceding;
    row.state = job.state;
    row.submit_unix_ms = (setup.epoch_s + job.submit) * 1000;
    row.run = std::chrono::seconds(job.run);
    row.never_started = job.wait < 0;
    row.start_unix_ms = row.submit_unix_ms + job.wait * 1000;
    row.time_limit = job.limit < 0 ? Duration(-1) : Duration(job.limit * 1000);
    row.gpu_parts = job.gpus;
    row.line = i + 2;
    rows.add(row);
  }
  rows.sort();
  const Registries registries = builtin_registries();
  TraceOptions options;
  if (setup.parts_per_gpu != 1) options.fractional = FractionRule::kShare;
  const TempFolder folder;
  Transformed out;
  for (std::size_t i = 0; i < yaml.size(); ++i) {
    ConfigReader config(load_config(folder.write("transform.yaml", yaml[i]), {}, {}));
    ConfigNode root = config.root();
    const auto* entry = registries.transforms.find(root.keys().at(0));
    ConfigNode node = root.section(entry->name);
    const auto transform = entry->make(node, {setup.seed, i, options, registries.formats});
    node.finish();
    root.finish();
    config.throw_if_errors();
    out.lines.push_back(transform->apply(rows));
    rows.sort();
  }
  out.table = rows.finish();
  return out;
}

// What is thrown, as people read it; empty: nothing.
inline std::string fault_of(const std::vector<SourceJob>& jobs,
                            const std::vector<std::string>& yaml) {
  try {
    transformed(jobs, yaml);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

using Ids = std::vector<std::string>;
using Times = std::vector<std::int64_t>;

}  // namespace berth::test
