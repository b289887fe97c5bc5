// berth generate PROFILE --out FILE [--seed N] [--jobs N]
#include <unistd.h>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "sim/cli/commands.hpp"
#include "sim/cli/hidden_file.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/presets.hpp"
#include "sim/core/suggest.hpp"
#include "sim/metrics/output_file.hpp"
#include "sim/metrics/trace_notes.hpp"
#include "workloads/synthetic/generator.hpp"
#include "workloads/synthetic/trace_writer.hpp"

namespace berth::cli {
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostJobs = 100'000'000;

std::uint64_t parse_number(const std::string& text, const char* option, std::uint64_t min,
                           std::uint64_t max) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [after, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || after != end || value < min || value > max) {
    throw ConfigError("berth generate: " + std::string(option) + " \"" + text +
                      "\" is not a whole number from " + std::to_string(min) + " to " +
                      std::to_string(max));
  }
  return value;
}

// A path, or the name of a profile that comes with Berth.
fs::path find_profile(const std::string& profile) {
  std::error_code error;
  if (fs::exists(profile, error) || profile.find('/') != std::string::npos) return profile;
  std::vector<std::string> names;
  for (const Preset& preset : presets("workloads")) {
    if (preset.file.stem() == profile) return preset.file;
    names.push_back(preset.file.stem().string());
  }
  if (profile.ends_with(".yaml")) return profile;  // its absence is told where it is read
  const std::string near = nearest(profile, names);
  throw ConfigError("berth generate: \"" + profile +
                    "\" is neither a file nor a profile that comes with Berth (" + join(names) +
                    ")" + (near.empty() ? "" : "; did you mean \"" + near + "\"?"));
}

fs::path output_path(const po::variables_map& values) {
  const std::string given = values.count("out") != 0 ? values["out"].as<std::string>() : "";
  if (given.empty()) throw ConfigError("berth generate: which file? Give --out FILE");
  return replaceable(given);
}

}  // namespace

ExitStatus command_generate(const std::vector<std::string>& arguments,
                            const std::atomic<bool>& stop) {
  po::options_description visible("Options");
  visible.add_options()                                                                       //
      ("out", po::value<std::string>()->value_name("FILE"), "the trace to write (required)")  //
      ("seed", po::value<std::string>()->value_name("N"), "seed of all random streams (default 1)")(
          "jobs", po::value<std::string>()->value_name("N"),
          "GPU and CPU jobs together, in the profile's mix and period (default: the profile's)")  //
      ("quiet", "print nothing but errors")                                                       //
      ("help", "show this text");
  const po::variables_map values = parse(arguments, visible, "PROFILE");
  if (values.count("help") != 0) {
    std::cout << "berth generate PROFILE --out FILE [options]\n\nWrites a synthetic trace in the "
                 "Acme schema. PROFILE is a file, or one of these:\n";
    for (const Preset& preset : presets("workloads")) {
      std::cout << "  " << preset.file.stem().string() << "  " << preset.summary << "\n";
    }
    std::cout << "\n" << visible;
    return ExitStatus::kDone;
  }
  if (values.count("PROFILE") == 0) {
    throw ConfigError(
        "berth generate: which profile? Give a name or a YAML file; see berth "
        "generate --help");
  }
  const fs::path out = output_path(values);
  const std::uint64_t seed =
      values.count("seed") == 0
          ? 1
          : parse_number(values["seed"].as<std::string>(), "--seed", 0, INT64_MAX);
  const synthetic::Profile profile =
      synthetic::load_profile(find_profile(values["PROFILE"].as<std::string>()));
  const std::uint64_t jobs =
      values.count("jobs") == 0
          ? profile.jobs()
          : parse_number(values["jobs"].as<std::string>(), "--jobs", 1, kMostJobs);

  const synthetic::Trace trace = synthetic::generate(profile, jobs, seed);
  HiddenFile hidden(out);
  OutputFile file(hidden.path());
  synthetic::TraceWriter writer(profile, seed);
  writer.header(file.buffer());
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    if (i % 65'536 == 0 && stop) throw Interrupted("interrupted");
    writer.row(trace.jobs[i], file.buffer());
    file.flush_if_large();
  }
  file.close();
  const std::uint64_t bytes = fs::file_size(hidden.path());
  hidden.put_in_place();

  if (values.count("quiet") != 0) return ExitStatus::kDone;
  const std::uint64_t span = trace.jobs.back().submit_s - trace.jobs.front().submit_s;
  std::cout << out.string() << ": " << with_commas(jobs) << " synthetic jobs ("
            << with_commas(trace.gpu_jobs) << " with GPUs), submitted over " << span / 86'400
            << " d " << span / 3600 % 24 << " h, " << with_commas(bytes) << " bytes\n";
  if (trace.team_gpus > profile.cluster_gpus) {
    std::cout << "note: so many pretraining jobs need " << with_commas(trace.team_gpus)
              << " GPUs at once, more than the cluster's " << with_commas(profile.cluster_gpus)
              << ": expect them to queue\n";
  }
  return ExitStatus::kDone;
}

}  // namespace berth::cli
