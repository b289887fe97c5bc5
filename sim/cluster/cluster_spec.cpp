#include "sim/cluster/cluster_spec.hpp"

#include <algorithm>

namespace berth {
namespace {

// Reads what describes one kind of node.
NodeGroup read_group(ConfigNode& node) {
  NodeGroup group;
  group.gpu_model = node.text("gpu_model", "");
  if (group.gpu_model.find('|') != std::string::npos) {
    node.error("gpu_model", "a node has one model; | stands between the alternatives of a job");
  }
  group.nodes = static_cast<std::uint32_t>(node.integer("nodes", {}, 1, 1'000'000));
  group.gpus_per_node = static_cast<std::uint32_t>(node.integer("gpus_per_node", {}, 1, 1'000));
  group.cpus_per_node = static_cast<std::uint32_t>(node.integer("cpus_per_node", 0, 0, 4096));
  constexpr std::int64_t kMib = std::int64_t{1} << 20;
  const std::int64_t memory = node.bytes("memory_per_node", 0);
  group.memory_mib_per_node = static_cast<std::uint64_t>(memory / kMib);
  return group;
}

std::vector<NodeGroup> read_groups(ConfigNode& node) {
  for (const char* key :
       {"nodes", "gpus_per_node", "gpu_model", "cpus_per_node", "memory_per_node"}) {
    if (!node.has(key)) continue;
    node.error(key, "stands beside cluster.groups, whose members have their own; keep one of both");
  }
  std::vector<NodeGroup> groups;
  std::uint64_t nodes = 0;
  for (ConfigNode& item : node.list("groups")) {
    NodeGroup group = read_group(item);
    const std::string fallback =
        group.gpu_model.empty() ? "group" + std::to_string(groups.size() + 1) : group.gpu_model;
    group.name = item.text("name", fallback);
    if (std::ranges::find(groups, group.name, &NodeGroup::name) != groups.end()) {
      item.error("name", "\"" + group.name + "\" names two groups; give each a name of its own");
    }
    nodes += group.nodes;
    groups.push_back(std::move(group));
    item.finish();
  }
  if (groups.empty()) {
    node.error("groups",
               "expected a list of at least one group, such as {nodes: 4, gpus_per_node: 8}");
    groups.emplace_back();
  }
  if (groups.size() > kMostGroups) node.error("groups", "more than 64 groups");
  if (nodes > 1'000'000) node.error("groups", "more than 1000000 nodes in all");
  return groups;
}

}  // namespace

std::uint32_t ClusterSpec::total_nodes() const {
  std::uint32_t sum = 0;
  for (const NodeGroup& group : groups) sum += group.nodes;
  return sum;
}

std::uint64_t ClusterSpec::total_gpus() const {
  std::uint64_t sum = 0;
  for (const NodeGroup& group : groups) sum += group.gpus();
  return sum;
}

std::uint32_t ClusterSpec::most_parts_per_node() const {
  std::uint32_t most = 0;
  for (const NodeGroup& group : groups) most = std::max(most, parts_per_node(group));
  return most;
}

bool ClusterSpec::names_models() const {
  return std::ranges::any_of(groups, [](const NodeGroup& g) { return !g.gpu_model.empty(); });
}

GroupMask ClusterSpec::all_groups() const {
  return groups.size() == kMostGroups ? ~GroupMask{0} : (GroupMask{1} << groups.size()) - 1;
}

GroupMask ClusterSpec::groups_of(std::string_view model) const {
  if (model.empty() || !names_models()) return all_groups();
  GroupMask mask = 0;
  while (true) {
    const std::string_view alternative = model.substr(0, model.find('|'));
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (!alternative.empty() && groups[i].gpu_model == alternative) mask |= GroupMask{1} << i;
    }
    if (alternative.size() == model.size()) return mask;
    model.remove_prefix(alternative.size() + 1);
  }
}

ClusterSpec read_cluster(ConfigNode node) {
  ClusterSpec spec;
  if (node.has("groups")) {
    spec.groups = read_groups(node);
  } else {
    spec.groups = {read_group(node)};
  }
  const std::string packing = node.choice("packing", {"gang", "pool"}, "gang");
  spec.packing = packing == "pool" ? Packing::kPool : Packing::kGang;
  const std::vector<std::string> bound =
      node.choices("constrain", {"gpus", "cpus", "memory"}, {"gpus"});
  const auto binds = [&](const char* what) {
    return std::find(bound.begin(), bound.end(), what) != bound.end();
  };
  if (!binds("gpus")) node.error("constrain", "GPUs always bind; keep gpus in the list");
  spec.constrain_cpus = binds("cpus");
  spec.constrain_memory = binds("memory");
  const auto any = [&](auto lacks) { return std::ranges::any_of(spec.groups, lacks); };
  if (spec.constrain_cpus && any([](const NodeGroup& g) { return g.cpus_per_node == 0; })) {
    node.error("constrain", "cpus can only bind where cpus_per_node is given");
  }
  if (spec.constrain_memory && any([](const NodeGroup& g) { return g.memory_mib_per_node == 0; })) {
    node.error("constrain", "memory can only bind where memory_per_node is given");
  }
  node.finish();
  return spec;
}

}  // namespace berth
