// map_types: gives jobs a type by their name, user or virtual cluster, for traces without types.
//
//   - map_types:
//       rules:                                 # the first that matches decides
//         - {name: "eval|bench", type: Eval}
//         - {user: "^ci-", name: "test", type: Debug}   # both must match
//         - {vc: "^pretrain$", type: Pretrain}
//       otherwise: keep                        # or a type; keep: the one the trace gives
//       ignore_case: false
//
// Patterns are ECMAScript regular expressions, found anywhere in the text unless anchored by ^ and
// $; without back references, so that matching takes no longer than pattern times text. What the
// trace does not say is an empty text. Each distinct name is matched once.
#include <array>
#include <optional>
#include <regex>

#include "sim/api/workload_transform.hpp"
#include "sim/config/wording.hpp"
#include "workloads/builtin.hpp"

namespace berth {
namespace {

const std::vector<std::string>& known_types() {
  static const std::vector<std::string> types = {"Pretrain", "SFT",   "MLLM", "Eval",
                                                 "Debug",    "Other", "CPU"};
  return types;
}

// A pattern and, for each id of the table it is matched against, what came of it.
class Pattern {
 public:
  explicit Pattern(std::regex regex) : regex_(std::move(regex)) {}

  template <class Id>
  bool matches(const NameTable<Id>& table, Id id, std::vector<signed char>& known) const {
    if (known.size() < table.names().size()) known.resize(table.names().size(), kUnknown);
    signed char& answer = known[index(id)];
    if (answer == kUnknown) answer = std::regex_search(table.name(id), regex_) ? 1 : 0;
    return answer == 1;
  }

 private:
  static constexpr signed char kUnknown = -1;
  std::regex regex_;
};

struct Rule {
  std::optional<Pattern> name;
  std::optional<Pattern> user;
  std::optional<Pattern> vc;
  std::string type;
};

// What is known of a rule's patterns while it is applied.
struct Answers {
  std::vector<signed char> name, user, vc;
};

class MapTypes final : public WorkloadTransform {
 public:
  explicit MapTypes(ConfigNode& node) {
    ignores_case_ = node.boolean("ignore_case", false);
    for (ConfigNode& item : node.list("rules")) {
      Rule rule;
      rule.name = read_pattern(item, "name");
      rule.user = read_pattern(item, "user");
      rule.vc = read_pattern(item, "vc");
      if (!item.has("name") && !item.has("user") && !item.has("vc")) {
        item.error("", "a rule has a pattern for name, user or vc, and a type");
      }
      rule.type = item.choice("type", known_types(), {});
      item.finish();
      rules_.push_back(std::move(rule));
    }
    if (rules_.empty())
      node.error("rules", "a list of rules is expected, such as {name: eval, type: Eval}");
    std::vector<std::string> words{kKeep};
    words.insert(words.end(), known_types().begin(), known_types().end());
    const std::string otherwise = node.choice("otherwise", words, kKeep);
    if (otherwise != kKeep) otherwise_ = otherwise;
  }

  std::string apply(JobTableBuilder& rows) const override {
    std::vector<TypeId> types;
    for (const Rule& rule : rules_) types.push_back(rows.intern_type(rule.type));
    const TypeId otherwise = otherwise_ ? rows.intern_type(*otherwise_) : TypeId{};
    std::vector<Answers> answers(rules_.size());
    std::vector<std::size_t> matched(rules_.size());
    std::size_t unmatched = 0;
    for (Job& job : rows.jobs()) {
      std::size_t i = 0;
      while (i < rules_.size() && !matches(rules_[i], rows.names(), job, answers[i])) ++i;
      if (i < rules_.size()) {
        ++matched[i];
        job.type = types[i];
      } else {
        ++unmatched;
        if (otherwise_) job.type = otherwise;
      }
    }
    return manifest(rows.size(), matched, unmatched);
  }

 private:
  static constexpr const char* kKeep = "keep";

  std::optional<Pattern> read_pattern(ConfigNode& item, const char* key) const {
    if (!item.has(key)) return std::nullopt;
    // __polynomial: libstdc++'s matcher that neither backtracks nor recurses along the text.
    auto flags = std::regex::ECMAScript | std::regex::optimize | std::regex_constants::__polynomial;
    if (ignores_case_) flags |= std::regex::icase;
    const std::string text = item.text(key, {});
    try {
      return Pattern(std::regex(text, flags));
    } catch (const std::regex_error& error) {
      item.error(key, in_quotes(text) +
                          " is not a regular expression (ECMAScript, without back "
                          "references): " +
                          error.what());
      return std::nullopt;
    }
  }

  static bool matches(const Rule& rule, const JobTable& names, const Job& job, Answers& answers) {
    const JobTraits& traits = names.traits_of(job);
    return (!rule.name ||
            rule.name->matches(names.trait_names().names, traits.name, answers.name)) &&
           (!rule.user || rule.user->matches(names.users(), job.user, answers.user)) &&
           (!rule.vc || rule.vc->matches(names.trait_names().groups, traits.vc, answers.vc));
  }

  // Counts by type, in the order in which the rules first name them.
  std::string manifest(std::size_t all, const std::vector<std::size_t>& matched,
                       std::size_t unmatched) const {
    std::vector<std::pair<std::string, std::size_t>> counts;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const auto at =
          std::ranges::find(counts, rules_[i].type, &decltype(counts)::value_type::first);
      if (at == counts.end()) {
        counts.emplace_back(rules_[i].type, matched[i]);
      } else {
        at->second += matched[i];
      }
    }
    std::string line = "map_types: of " + std::to_string(all) + " jobs";
    for (const auto& [type, count] : counts) {
      line += " " + std::to_string(count) + " became " + type + ",";
    }
    return line + " " + std::to_string(unmatched) + " matched no rule and " +
           (otherwise_ ? "became " + *otherwise_ : "keep their type");
  }

  std::vector<Rule> rules_;
  std::optional<std::string> otherwise_;
  bool ignores_case_ = false;
};

}  // namespace

void register_map_types(TransformRegistry& transforms) {
  transforms.add(
      "map_types", "types by regular expressions on name, user or virtual cluster",
      {{"rules", "a list of {name, user, vc: patterns, type: T}; the first that matches"},
       {"otherwise", "keep, or a type for jobs that match no rule; default keep"},
       {"ignore_case", "true | false; default false"}},
      [](ConfigNode& node, const TransformContext&) { return std::make_unique<MapTypes>(node); });
}

}  // namespace berth
