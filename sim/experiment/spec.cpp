#include "sim/experiment/spec.hpp"

#include <xxhash.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "sim/core/digest.hpp"
#include "sim/experiment/builtin_registries.hpp"

namespace berth {
namespace {

constexpr std::string_view kNotYet = "this version has only the feature switched off";

// A name goes into a path: letters, digits, and the marks that no shell minds.
std::string portable(std::string name) {
  std::ranges::replace_if(
      name,
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '_' && c != '-'; },
      '-');
  if (name.empty() || name.front() == '.') name.insert(name.begin(), '_');
  return name;
}

// An option of an entry that was not chosen is out of place, not unknown: the message says so.
template <class R>
void know_options(const R& registry, const ConfigNode& node) {
  for (const auto& entry : registry.entries()) {
    for (const OptionHelp& option : entry.options) node.has(option.key);
  }
}

std::uint64_t hash_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace

const std::vector<std::string>& config_sections() {
  static const std::vector<std::string> sections{"cluster",    "workload", "policy", "failures",
                                                 "evaluation", "output",   "sweep"};
  return sections;
}

RunSpec::RunSpec(const ConfigRequest& request)
    : name(portable(request.file.stem().string())),
      reader_(load_config(request.file, config_sections(), request.overrides, &config_files_)),
      registries_(builtin_registries()) {
  read(reader_.root());
  reader_.throw_if_errors();
}

void RunSpec::read(ConfigNode root) {
  name = root.text("name", name);
  if (name != portable(name)) {
    root.error("name", "\"" + name + "\" goes into a path; use letters, digits, '.', '_' and '-'");
  }
  seed = static_cast<std::uint64_t>(
      root.integer("seed", 1, 0, std::numeric_limits<std::int64_t>::max()));
  cluster = read_cluster(root.section("cluster"));
  workload = read_workload(root.section("workload"), registries_, seed);
  cluster.parts_per_gpu = workload.options.parts_per_gpu();
  if (cluster.total_parts() > std::numeric_limits<std::int32_t>::max()) {
    root.error("cluster",
               "so many GPUs cannot be shared in thousandths (workload.fractional: "
               "share); at most 2147483");
  }
  read_policy(root.section("policy"), root);
  root.only_off("failures", "none", kNotYet);
  ConfigNode evaluation = root.section("evaluation");
  evaluation.choice("mode", {"coupled"}, "coupled");
  evaluation.finish();
  read_output(root.section("output"));
  root.only_off("sweep", "", kNotYet);
  root.finish();
}

void RunSpec::load_plugin(ConfigNode& policy) {
  if (!policy.has("plugin")) return;
  plugin_path_ = policy.file("plugin");
  plugin_.emplace(*plugin_path_, policy.where("plugin"), registries_);
}

void RunSpec::read_policy(ConfigNode node, ConfigNode root) {
  load_plugin(node);
  know_options(registries_.orders, node);
  know_options(registries_.schedulers, node);
  know_options(registries_.backfills, node);
  std::vector<std::string> orders = registries_.orders.names();
  for (const std::string& scheduler : registries_.schedulers.names()) orders.push_back(scheduler);
  const std::string order = node.choice("order", orders, "fifo");
  replays_recorded_schedule = order == "recorded";
  const std::string placement = root.choice("placement", registries_.placements.names(), "packed");
  parts_.placement = registries_.placements.find(placement)->make();

  if (const auto* entry = registries_.orders.find(order)) {
    parts_.order = entry->make(node);
    const std::string backfill = node.choice("backfill", registries_.backfills.names(), "none");
    const PolicyContext context{cluster, parts_.order.get(), *parts_.placement, placement, seed};
    parts_.scheduler = registries_.backfills.find(backfill)->make(node, context);
  } else if (const auto* scheduler = registries_.schedulers.find(order)) {
    const PolicyContext context{cluster, nullptr, *parts_.placement, placement, seed};
    parts_.scheduler = scheduler->make(node, context);
  }

  ConfigNode estimates = node.section("estimates");
  know_options(registries_.estimates, estimates);
  const std::string mode = estimates.choice("mode", registries_.estimates.names(), "exact");
  parts_.estimates = registries_.estimates.find(mode)->make(estimates, seed);
  estimates.finish();
  node.only_off("quotas", "", kNotYet);
  node.finish();
}

void RunSpec::read_output(ConfigNode node) {
  output.per_job = node.boolean("per_job", true);
  output.timeline = node.duration_or_off("timeline", std::chrono::minutes(5),
                                         std::chrono::seconds(1), kLongestDuration);
  output.events = node.boolean("events", false);
  output.perfetto = node.boolean("perfetto", false);
  node.finish();
}

std::vector<std::filesystem::path> RunSpec::input_files() const {
  std::vector<std::filesystem::path> files = workload.files();
  if (plugin_path_) files.push_back(*plugin_path_);
  files.insert(files.end(), config_files_.begin(), config_files_.end());
  return files;
}

std::string RunSpec::config_hash(std::uint64_t trace_hash) const {
  std::string text = reader_.resolved_yaml("");
  text += "trace " + hex(trace_hash);
  if (plugin_path_) text += "plugin " + hex(hash_of_file(*plugin_path_));
  return hex(XXH3_64bits(text.data(), text.size()));
}

}  // namespace berth
