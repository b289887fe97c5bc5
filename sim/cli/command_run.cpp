// berth run CONFIG [--out DIR] [--set KEY=VALUE]... [--seed N]
#include <cstdio>
#include <iostream>

#include "sim/cli/commands.hpp"
#include "sim/cli/notes.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/progress.hpp"
#include "sim/experiment/run.hpp"
#include "sim/metrics/summary_table.hpp"

namespace berth::cli {

ExitStatus command_run(const std::vector<std::string>& arguments, const std::atomic<bool>& stop) {
  po::options_description visible("Options");
  visible.add_options()("out", po::value<std::string>()->value_name("DIR"),
                        "where results go (default: results/NAME-SHORT_HASH)");
  add_config_options(visible);
  const po::variables_map values = parse(arguments, visible, "CONFIG");
  if (values.count("help") != 0) {
    std::cout << "berth run CONFIG [options]\n\nSimulates the workload of CONFIG and writes "
                 "results.\n\n"
              << visible;
    return ExitStatus::kDone;
  }
  const bool quiet = values.count("quiet") != 0;
  RunSpec spec(config_request(values, "run"));
  const Workload workload = load_workload(spec, &stop);
  if (!quiet) print_notes(workload);

  RunOptions options;
  if (values.count("out") != 0) {
    options.out = values["out"].as<std::string>();
    if (options.out->empty()) throw ConfigError("berth run: --out needs the name of a folder");
  }
  options.stop = &stop;
  Progress progress(workload.jobs->size());
  if (!quiet) options.observer = &progress;
  const RunResult result = run(spec, workload, options);
  progress.clear();
  if (!quiet) {
    std::cout << summary_table(result.summary) << "results: " << result.folder.string() << "\n";
  }
  return ExitStatus::kDone;
}

}  // namespace berth::cli
