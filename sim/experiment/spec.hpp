// One simulation as configured: typed, checked, with the policy's parts built.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/api/registries.hpp"
#include "sim/cluster/cluster_spec.hpp"
#include "sim/config/config_node.hpp"
#include "sim/experiment/workload_spec.hpp"
#include "sim/plugin/loader.hpp"

namespace berth {

struct OutputSpec {
  bool per_job = true;
  std::optional<Duration> timeline;
  bool events = false;
  bool perfetto = false;
};

// What decides: built anew for each run, since policies hold state.
struct PolicyParts {
  std::unique_ptr<QueueOrder> order;  // null where the scheduler brings its own
  std::unique_ptr<PlacementPolicy> placement;
  std::unique_ptr<EstimateModel> estimates;
  std::unique_ptr<SchedulerPolicy> scheduler;
};

// What a user asks for on the command line beside the file.
struct ConfigRequest {
  std::filesystem::path file;
  std::vector<std::string> overrides;  // KEY=VALUE, in order
};

class RunSpec {
 public:
  // Reads and checks everything that can be checked without the trace. Throws ConfigError with all
  // findings, or DataError where a configuration file cannot be read.
  explicit RunSpec(const ConfigRequest& request);

  std::string name;
  std::uint64_t seed = 1;
  ClusterSpec cluster;
  WorkloadSpec workload;
  OutputSpec output;
  bool replays_recorded_schedule = false;
  // Every file the run reads: traces, plugin, configurations.
  std::vector<std::filesystem::path> input_files() const;
  const Registries& registries() const { return registries_; }
  PolicyParts& parts() { return parts_; }

  // The resolved configuration; running it again gives the same results.
  std::string resolved_yaml() const { return reader_.resolved_yaml(); }
  // Sixteen hexadecimal digits over the resolved configuration and the contents (not the names) of
  // the files it refers to: equal on every machine.
  std::string config_hash(std::uint64_t trace_hash) const;

 private:
  void read(ConfigNode root);
  void read_policy(ConfigNode node, ConfigNode root);
  void read_output(ConfigNode node);
  void load_plugin(ConfigNode& policy);

  std::vector<std::filesystem::path> config_files_;  // before reader_, which fills it
  ConfigReader reader_;
  std::optional<Plugin> plugin_;  // before what is made from it, so that it outlives that
  std::optional<std::filesystem::path> plugin_path_;
  Registries registries_;
  PolicyParts parts_;
};

// Config sections that may stand in a file of their own.
const std::vector<std::string>& config_sections();

}  // namespace berth
