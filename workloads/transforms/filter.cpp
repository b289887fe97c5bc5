// filter: the jobs that meet every criterion given.
//
//   - filter: {types: [Eval, Debug], min_gpus: 8}
//   - filter: {users: [u1082], not: true}                   # all but that user's
//   - filter: {expression: "gpus >= 8 && type == 'Eval'"}   # see job_expression.hpp
//
// types users vcs accounts states   lists of names; the job's is one of them
// min_gpus max_gpus                 over all nodes, both included; 0.5 where GPUs are shared
// expression                        a condition on columns
// not: true                         the jobs that do not meet all of them
//
// A name that no job of the trace ever had is an error.
#include <limits>
#include <optional>

#include "sim/api/workload_transform.hpp"
#include "workloads/builtin.hpp"
#include "workloads/transforms/job_expression.hpp"
#include "workloads/transforms/picked_names.hpp"

namespace berth {
namespace {

constexpr double kMostGpus = 1e9;

const std::vector<std::string>& state_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(JobState::kRunning); ++i) {
      out.emplace_back(name(JobState{i}));
    }
    return out;
  }();
  return names;
}

class Filter final : public WorkloadTransform {
 public:
  explicit Filter(ConfigNode& node)
      : types_(read_names(node, "types")),
        users_(read_names(node, "users")),
        vcs_(read_names(node, "vcs")),
        accounts_(read_names(node, "accounts")),
        expression_place_(place_of(node, "expression")) {
    bool is_any = !types_.names.empty() || !users_.names.empty() || !vcs_.names.empty() ||
                  !accounts_.names.empty();
    if (node.has("states")) {
      is_any = true;
      states_ = node.choices("states", state_names(), {});
      if (node.words("states").empty()) node.error("states", "an empty list picks no job");
    }
    if (node.has("min_gpus")) {
      is_any = true;
      min_gpus_ = node.number("min_gpus", {}, 0, kMostGpus);
    }
    if (node.has("max_gpus")) {
      is_any = true;
      max_gpus_ = node.number("max_gpus", {}, 0, kMostGpus);
      if (max_gpus_ < min_gpus_) node.error("max_gpus", "less than min_gpus: no job has so many");
    }
    if (node.has("expression")) {
      is_any = true;
      read_expression(node);
    }
    is_inverted_ = node.boolean("not", false);
    const bool has_faulty_list =
        node.has("types") || node.has("users") || node.has("vcs") || node.has("accounts");
    if (!is_any && !has_faulty_list) {
      node.error("",
                 "a criterion is missing: types, users, vcs, accounts, states, min_gpus, "
                 "max_gpus or expression");
    }
  }

  std::string apply(JobTableBuilder& rows) const override {
    JobVector<Job>& jobs = rows.jobs();
    const std::size_t before = jobs.size();
    if (before == 0) return "filter: there is no job";
    const JobTable& names = rows.names();
    const TraitNames& traits = names.trait_names();
    const std::vector<bool> types = types_.marks(names.types(), "job type");
    const std::vector<bool> users = users_.marks(names.users(), "user");
    const std::vector<bool> vcs = vcs_.marks(traits.groups, "virtual cluster");
    const std::vector<bool> accounts = accounts_.marks(traits.groups, "account");
    std::optional<JobExpression> expression;
    if (!expression_.empty()) expression.emplace(expression_);
    const SimTime first = jobs.front().submit;

    const auto meets_all = [&](const Job& job) {
      const auto meets = [](const PickedNames& picked, const std::vector<bool>& marks, auto id) {
        return picked.names.empty() || marks[index(id)];
      };
      const double gpus = names.gpus_of(job);
      return meets(types_, types, job.type) && meets(users_, users, job.user) &&
             meets(vcs_, vcs, names.traits_of(job).vc) &&
             meets(accounts_, accounts, names.traits_of(job).account) && has_state(job) &&
             gpus >= min_gpus_ && gpus <= max_gpus_ &&
             (!expression || holds(*expression, names, job, first));
    };
    std::size_t kept = 0;
    for (const Job& job : jobs) {
      if (meets_all(job) != is_inverted_) jobs[kept++] = job;
    }
    jobs.resize(kept);
    return "filter: kept " + std::to_string(kept) + " of " + std::to_string(before) + " jobs";
  }

 private:
  void read_expression(ConfigNode& node) {
    expression_ = node.text("expression", {});
    try {
      JobExpression check(expression_);
    } catch (const ExpressionFault& fault) {
      node.error("expression", fault.what());
    }
  }

  bool has_state(const Job& job) const {
    return states_.empty() || std::ranges::find(states_, name(job.state)) != states_.end();
  }

  bool holds(JobExpression& expression, const JobTable& names, const Job& job,
             SimTime first) const {
    try {
      return expression.holds(names, job, first);
    } catch (const ExpressionFault& fault) {
      std::string who = "job " + std::string(names.id_of(job));
      if (job.line != 0) who += " (line " + std::to_string(job.line) + " of its trace)";
      throw expression_place_.fault(who + ": " + fault.what());
    }
  }

  PickedNames types_;
  PickedNames users_;
  PickedNames vcs_;
  PickedNames accounts_;
  std::vector<std::string> states_;
  double min_gpus_ = 0;
  double max_gpus_ = std::numeric_limits<double>::infinity();
  OptionPlace expression_place_;
  std::string expression_;
  bool is_inverted_ = false;
};

}  // namespace

void register_filter(TransformRegistry& transforms) {
  transforms.add(
      "filter", "only the jobs that meet every criterion given",
      {{"types", "a list of job types"},
       {"users", "a list of users"},
       {"vcs", "a list of virtual clusters, partitions or queues"},
       {"accounts", "a list of accounts, projects or organisations"},
       {"states", "a list of " + join(state_names())},
       {"min_gpus", "at least so many GPUs over all nodes"},
       {"max_gpus", "at most so many"},
       {"expression", "a condition: gpus >= 8 && type == 'Eval'"},
       {"not", "true: the jobs that do not meet all of them; default false"}},
      [](ConfigNode& node, const TransformContext&) { return std::make_unique<Filter>(node); });
}

}  // namespace berth
