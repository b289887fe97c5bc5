#include "sim/experiment/workload_spec.hpp"

#include <algorithm>
#include <string_view>

#include "sim/experiment/format_auto.hpp"

namespace berth {
namespace {

constexpr std::string_view kAuto = "auto";

RowRule read_rule(ConfigNode& node, const char* key, const char* fallback) {
  return node.choice(key, {"error", "skip"}, fallback) == "skip" ? RowRule::kSkip : RowRule::kError;
}

DuplicateRule read_duplicates(ConfigNode& node) {
  const std::string rule = node.choice("duplicates", {"drop", "keep", "error"}, "drop");
  if (rule == "drop") return DuplicateRule::kDrop;
  return rule == "keep" ? DuplicateRule::kKeep : DuplicateRule::kError;
}

FractionRule read_fractional(ConfigNode& node) {
  const std::string rule = node.choice("fractional", {"round_up", "share", "skip"}, "round_up");
  if (rule == "round_up") return FractionRule::kRoundUp;
  return rule == "share" ? FractionRule::kShare : FractionRule::kSkip;
}

void read_trace(ConfigNode trace, const Registry<TraceFormat>& formats, WorkloadSpec& spec) {
  std::vector<std::string> names{std::string(kAuto)};
  for (const std::string& name : formats.names()) names.push_back(name);
  spec.format = trace.choice("format", names, std::string(kAuto));
  spec.path = trace.file("path");
  // An option of a format that was not chosen is out of place, not unknown: the message says so.
  for (const auto& entry : formats.entries()) {
    for (const OptionHelp& option : entry.options) trace.has(option.key);
  }
  // Without a path, which has been reported, there is nothing to recognise.
  if (spec.format == kAuto && !spec.path.empty())
    spec.format = recognise_format(formats, spec.path);
  if (const auto* entry = formats.find(spec.format)) spec.reader = entry->make()->reader(trace);
  trace.finish();
}

void read_transforms(ConfigNode& node, const Registries& registries, std::uint64_t seed,
                     WorkloadSpec& spec) {
  for (ConfigNode& item : node.list("transforms")) {
    const std::vector<std::string> keys = item.keys();
    const TransformRegistry& transforms = registries.transforms;
    for (const std::string& name : transforms.names()) item.has(name);
    if (keys.size() != 1) {
      item.error("",
                 "a transform is a map of one key, such as window: {from: 7d}; for several, "
                 "write a list item each");
      continue;
    }
    if (const auto* entry = transforms.find(keys.front())) {
      ConfigNode options = item.section(entry->name);
      const TransformContext context{seed, spec.transforms.size(), spec.options,
                                     registries.formats};
      spec.transforms.push_back(entry->make(options, context));
      options.finish();
    }
    item.finish();
  }
}

std::optional<ChainRules> read_feedback(ConfigNode& node) {
  const bool chained = node.choice("feedback", {"open", "chains"}, "open") == "chains";
  node.has("chains");  // known, but out of place where feedback is open
  if (!chained) return std::nullopt;
  ConfigNode section = node.section("chains");
  ChainRules rules;
  const std::string source = section.choice("source", {"auto", "recorded", "inferred"}, "auto");
  using Source = ChainRules::Source;
  rules.source = source == "auto"       ? Source::kAuto
                 : source == "recorded" ? Source::kRecorded
                                        : Source::kInferred;
  if (rules.source == Source::kRecorded) {
    for (const char* key : {"longest_gap", "batch", "same"}) {
      if (section.has(key)) {
        section.error(key, "is of inferred links, and source is recorded; leave one of them out");
      }
    }
    // Not read, so that the resolved configuration does not spell out what has no meaning.
    section.finish();
    return rules;
  }
  rules.longest_gap =
      section.duration("longest_gap", rules.longest_gap, Duration(0), kLongestDuration);
  rules.batch = section.duration("batch", rules.batch, Duration(0), kLongestDuration);
  const std::vector<std::string> same = section.choices("same", {"type", "gpus"}, {"type", "gpus"});
  const auto asks = [&](const char* what) { return std::ranges::find(same, what) != same.end(); };
  rules.same_type = asks("type");
  rules.same_gpus = asks("gpus");
  section.finish();
  return rules;
}

}  // namespace

std::vector<std::filesystem::path> WorkloadSpec::files() const {
  std::vector<std::filesystem::path> out =
      reader == nullptr ? std::vector{path} : reader->files(path);
  for (const auto& transform : transforms) {
    for (const auto& file : transform->files()) out.push_back(file);
  }
  return out;
}

WorkloadSpec read_workload(ConfigNode node, const Registries& registries, std::uint64_t seed) {
  WorkloadSpec spec;
  spec.options.bad_rows = read_rule(node, "bad_rows", "error");
  spec.options.never_started = read_rule(node, "never_started", "skip");
  spec.options.duplicates = read_duplicates(node);
  spec.options.fractional = read_fractional(node);
  spec.oversized = read_rule(node, "oversized", "error");
  read_trace(node.section("trace"), registries.formats, spec);
  read_transforms(node, registries, seed, spec);
  spec.chains = read_feedback(node);
  node.finish();
  return spec;
}

}  // namespace berth
