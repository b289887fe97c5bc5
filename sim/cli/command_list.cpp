// berth list WHAT: what can be chosen by name, each with a line and its options.
#include <algorithm>
#include <functional>
#include <iostream>

#include "sim/cli/commands.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/presets.hpp"
#include "sim/core/suggest.hpp"
#include "sim/experiment/builtin_registries.hpp"

namespace berth::cli {
namespace {

template <class Registry>
void print(const char* heading, const Registry& registry) {
  std::cout << heading << "\n";
  std::size_t width = 0;
  for (const auto& entry : registry.entries()) width = std::max(width, entry.name.size());
  for (const auto& entry : registry.entries()) {
    std::cout << "  " << entry.name << std::string(width - entry.name.size() + 2, ' ')
              << entry.summary << "\n";
    for (const OptionHelp& option : entry.options) {
      std::cout << std::string(width + 4, ' ') << option.key << ": " << option.help << "\n";
    }
  }
}

void print_presets() {
  std::cout << "cluster\n";
  for (const Preset& preset : presets("clusters")) {
    std::cout << "  " << preset.file.string() << "\n    " << preset.summary << "\n";
  }
}

struct Topic {
  const char* name;
  std::function<void(const Registries&)> print;
};

std::vector<Topic> topics() {
  const auto policies = [](const Registries& r) {
    print("policy.order, combines with any backfill", r.orders);
    print("policy.order, a whole scheduler", r.schedulers);
    print("policy.backfill", r.backfills);
    print("policy.estimates.mode", r.estimates);
  };
  return {{"policies", policies},
          {"placements", [](const Registries& r) { print("placement", r.placements); }},
          {"formats", [](const Registries& r) { print("workload.trace.format", r.formats); }},
          {"transforms", [](const Registries& r) { print("workload.transforms", r.transforms); }},
          {"presets", [](const Registries&) { print_presets(); }}};
}

}  // namespace

ExitStatus command_list(const std::vector<std::string>& arguments) {
  po::options_description visible("Options");
  visible.add_options()("quiet", "accepted for symmetry; a list is all this prints")(
      "help", "show this text");
  const po::variables_map values = parse(arguments, visible, "WHAT");
  std::vector<std::string> names;
  for (const Topic& topic : topics()) names.emplace_back(topic.name);
  if (values.count("help") != 0) {
    std::cout << "berth list [WHAT]\n\nWHAT: " << join(names) << "; all of them if left out.\n\n"
              << visible;
    return ExitStatus::kDone;
  }
  const std::string what = values.count("WHAT") != 0 ? values["WHAT"].as<std::string>() : "";
  if (!what.empty() && std::ranges::find(names, what) == names.end()) {
    const std::string near = nearest(what, names);
    throw ConfigError("berth list: \"" + what + "\" is not one of " + join(names) +
                      (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
  }
  const Registries registries = builtin_registries();
  for (const Topic& topic : topics()) {
    if (what.empty() || what == topic.name) topic.print(registries);
  }
  return ExitStatus::kDone;
}

}  // namespace berth::cli
