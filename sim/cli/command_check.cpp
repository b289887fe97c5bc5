// berth check CONFIG: validates the configuration and its trace; prints the resolved configuration.
#include <iostream>

#include "sim/cli/commands.hpp"
#include "sim/cli/notes.hpp"
#include "sim/cli/options.hpp"

namespace berth::cli {

ExitStatus command_check(const std::vector<std::string>& arguments, const std::atomic<bool>& stop) {
  po::options_description visible("Options");
  add_config_options(visible);
  const po::variables_map values = parse(arguments, visible, "CONFIG");
  if (values.count("help") != 0) {
    std::cout << "berth check CONFIG [options]\n\nValidates CONFIG and its trace; prints the fully "
                 "resolved configuration.\n\n"
              << visible;
    return ExitStatus::kDone;
  }
  RunSpec spec(config_request(values, "check"));
  const Workload workload = load_workload(spec, &stop);
  spec.parts().estimates->prepare(*workload.jobs);
  if (values.count("quiet") == 0) {
    print_notes(workload);
    std::cout << spec.resolved_yaml();
  }
  return ExitStatus::kDone;
}

}  // namespace berth::cli
