// berth inspect TRACE... [--format F] [--cluster C] [--json FILE] [--csv DIR]
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include "sim/cli/commands.hpp"
#include "sim/cli/hidden_file.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/presets.hpp"
#include "sim/core/suggest.hpp"
#include "sim/experiment/builtin_registries.hpp"
#include "sim/experiment/workload.hpp"
#include "sim/inspect/profile_csv.hpp"
#include "sim/inspect/profile_json.hpp"
#include "sim/inspect/profile_table.hpp"

namespace berth::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTop = 1000;

struct InspectOptions {
  std::vector<std::string> traces;
  std::vector<std::string> overrides;  // --set
  std::optional<std::string> format;
  std::optional<std::string> cluster;
  fs::path json;  // empty: none, as csv
  fs::path csv;
  std::size_t top = 10;
  bool quiet = false;
};

std::size_t parse_top(const std::string& text) {
  std::size_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || value > kMostTop) value = kMostTop + 1;
    if (value <= kMostTop) value = value * 10 + static_cast<std::size_t>(c - '0');
  }
  if (text.empty() || value == 0 || value > kMostTop) {
    throw ConfigError("berth inspect: --top " + text + "; expected a whole number from 1 to 1000");
  }
  return value;
}

po::variables_map parse_inspect(const std::vector<std::string>& arguments,
                                const po::options_description& visible) {
  po::options_description all;
  all.add(visible).add_options()("TRACE", po::value<std::vector<std::string>>());
  po::positional_options_description positions;
  positions.add("TRACE", -1);
  po::variables_map values;
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  po::store(
      po::command_line_parser(arguments).options(all).positional(positions).style(style).run(),
      values);
  po::notify(values);
  return values;
}

// An override that inspect would not heed changes nothing and looks as if it had.
void check_overrides(const InspectOptions& options, bool names_trace) {
  for (const std::string& each : options.overrides) {
    const std::string key = each.substr(0, each.find('='));
    const auto refuse = [&](const char* why) {
      throw ConfigError("berth inspect: --set " + each + ": " + why);
    };
    if (key != "workload" && !key.starts_with("workload.")) {
      refuse("only keys of the workload section, such as workload.trace.timezone, have a meaning");
    }
    if (key == "workload.trace.path" && names_trace) refuse("the trace is already named; keep one");
    if (key == "workload.trace.path" && options.traces.size() > 1) {
      refuse("would give all configurations one trace; name one TRACE");
    }
    if (key == "workload.trace.format" && options.format) refuse("--format says it too; keep one");
  }
}

bool is_configuration(const std::string& trace) {
  return trace.ends_with(".yaml") || trace.ends_with(".yml");
}

InspectOptions options_of(const po::variables_map& values) {
  InspectOptions out;
  const auto text = [&](const char* name) -> std::optional<std::string> {
    if (values.count(name) == 0) return std::nullopt;
    const auto& given = values[name].as<std::string>();
    if (given.empty()) throw ConfigError(std::string("berth inspect: --") + name + " is empty");
    return given;
  };
  if (values.count("TRACE") == 0) {
    throw ConfigError("berth inspect: which trace? Give a file; see berth inspect --help");
  }
  out.traces = values["TRACE"].as<std::vector<std::string>>();
  if (values.count("set") != 0) out.overrides = values["set"].as<std::vector<std::string>>();
  out.format = text("format");
  out.cluster = text("cluster");
  out.json = text("json").value_or("");
  out.csv = text("csv").value_or("");
  check_overrides(out, !std::ranges::all_of(out.traces, is_configuration));
  if (const auto top = text("top")) out.top = parse_top(*top);
  out.quiet = values.count("quiet") != 0;
  return out;
}

// The value in the double quotes of YAML.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// What a configuration with this trace as its workload says. Faulty rows are left out and shown
// unless the user says otherwise: they are what one inspects a trace for.
ConfigTree tree_of(const std::string& trace, const InspectOptions& options,
                   std::vector<fs::path>& files) {
  std::vector<std::string> overrides;
  if (is_configuration(trace)) {
    overrides = options.overrides;
    if (options.format) overrides.push_back("workload.trace.format=" + quoted(*options.format));
    return load_config(trace, config_sections(), overrides, &files);
  }
  // A whole section first, so that what follows is not lost with it.
  for (const std::string& each : options.overrides) {
    if (each.starts_with("workload=")) overrides.push_back(each);
  }
  overrides.emplace_back("workload.bad_rows=skip");
  for (const std::string& each : options.overrides) {
    if (!each.starts_with("workload=")) overrides.push_back(each);
  }
  if (options.format) overrides.push_back("workload.trace.format=" + quoted(*options.format));
  overrides.push_back("workload.trace.path=" + quoted(trace));
  return load_overrides(config_sections(), overrides, &files);
}

// The cluster of --cluster: a preset's name or the file of a cluster section.
std::string cluster_file(const std::string& given) {
  std::error_code error;
  if (fs::exists(given, error) || given.find('/') != std::string::npos) return given;
  std::vector<std::string> names;
  for (const Preset& preset : presets("clusters")) {
    if (preset.file.stem() == given) return preset.file.string();
    names.push_back(preset.file.stem().string());
  }
  const std::string near = nearest(given, names);
  throw ConfigError("berth inspect: --cluster \"" + given +
                    "\" is neither a file nor a cluster that comes with Berth (" + join(names) +
                    ")" + (near.empty() ? "" : "; did you mean \"" + near + "\"?"));
}

std::optional<ClusterSpec> cluster_of(const InspectOptions& options, std::vector<fs::path>& files) {
  if (!options.cluster) return std::nullopt;
  ConfigReader reader(load_overrides(
      config_sections(), {"cluster=" + quoted(cluster_file(*options.cluster))}, &files));
  const ClusterSpec cluster = read_cluster(reader.root().section("cluster"));
  reader.throw_if_errors();
  return cluster;
}

// The file's name; where two are alike, with their number behind.
std::string name_of(const std::string& trace, std::map<std::string, int>& taken) {
  const fs::path path = fs::path(trace).lexically_normal();
  std::string name = path.filename().string();
  if (name.empty()) name = path.parent_path().filename().string();
  const int number = ++taken[name];
  return number == 1 ? name : name + " #" + std::to_string(number);
}

void refuse_to_replace(const fs::path& target, const std::vector<fs::path>& inputs) {
  std::error_code error;
  for (const fs::path& input : inputs) {
    if (!fs::equivalent(target, input, error)) continue;
    throw ConfigError("berth inspect: " + target.string() +
                      " is an input and would be replaced; choose another name");
  }
}

void write(const InspectOptions& options, const std::vector<TraceProfile>& profiles,
           const std::vector<fs::path>& inputs) {
  const auto write_whole = [&](const fs::path& target, auto writer) {
    refuse_to_replace(target, inputs);
    HiddenFile hidden(target);
    writer(hidden.path());
    hidden.put_in_place();
  };
  if (!options.json.empty()) {
    write_whole(options.json, [&](const fs::path& path) { write_profile_json(path, profiles); });
  }
  if (options.csv.empty()) return;
  std::error_code error;
  fs::create_directories(options.csv, error);
  if (error) {
    throw OutputError("cannot write to " + options.csv.string() + ": " + error.message());
  }
  for (const std::string& file : profile_csv_files()) {
    write_whole(options.csv / file,
                [&](const fs::path& path) { write_profile_csv(file, path, profiles); });
  }
}

}  // namespace

ExitStatus command_inspect(const std::vector<std::string>& arguments,
                           const std::atomic<bool>& stop) {
  po::options_description visible("Options");
  visible.add_options()  //
      ("format", po::value<std::string>()->value_name("F"),
       "the format of the traces (default: found by their first bytes; see berth list formats)")  //
      ("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
       "a key of the workload section, e.g. workload.trace.timezone=UTC, or workload=FILE for a "
       "mapping (repeatable)")  //
      ("cluster", po::value<std::string>()->value_name("C"),
       "compare the load with this cluster: a preset or the file of a cluster section")     //
      ("json", po::value<std::string>()->value_name("FILE"), "write every number as JSON")  //
      ("csv", po::value<std::string>()->value_name("DIR"), "write every curve as CSV")      //
      ("top", po::value<std::string>()->value_name("N"),
       "so many users, virtual clusters and accounts in the tables (default 10)")  //
      ("quiet", "print nothing but errors")                                        //
      ("help", "show this text");
  const po::variables_map values = parse_inspect(arguments, visible);
  if (values.count("help") != 0) {
    std::cout
        << "berth inspect TRACE... [options]\n\nCharacterises traces, side by side: counts and "
           "shares by type, user, size and final state,\nquartiles and curves, submissions by "
           "hour and weekday, recorded load, oddities. TRACE is a trace\nor a configuration "
           "(.yaml) whose workload is taken, its transforms applied.\n\n"
        << visible;
    return ExitStatus::kDone;
  }
  const InspectOptions options = options_of(values);
  std::vector<fs::path> inputs;
  std::optional<ClusterSpec> cluster = cluster_of(options, inputs);
  const Registries registries = builtin_registries();
  std::map<std::string, int> names;
  std::vector<TraceProfile> profiles;
  for (const std::string& trace : options.traces) {
    ConfigReader reader(tree_of(trace, options, inputs));
    const WorkloadSpec spec = read_workload(reader.root().section("workload"), registries, 1);
    reader.throw_if_errors();
    for (const fs::path& file : spec.files()) inputs.push_back(file);
    ReadJobs read = read_jobs(spec, &stop);
    if (cluster) cluster->parts_per_gpu = spec.options.parts_per_gpu();
    profiles.push_back(profile_of(name_of(trace, names), *read.jobs, std::move(read.report),
                                  std::move(read.transforms), cluster ? &*cluster : nullptr));
  }
  write(options, profiles, inputs);
  if (!options.quiet) std::cout << profile_table(profiles, options.top);
  return ExitStatus::kDone;
}

}  // namespace berth::cli
