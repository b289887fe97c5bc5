// The options that commands on a configuration share.
#pragma once

#include <boost/program_options.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/experiment/spec.hpp"

namespace berth::cli {

namespace po = boost::program_options;

// --set, --seed, --quiet, --help.
inline void add_config_options(po::options_description& visible) {
  visible.add_options()                                                                       //
      ("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),                 //
       "set a configuration key, e.g. policy.order=sjf (repeatable)")                         //
      ("seed", po::value<std::string>()->value_name("N"), "the seed of every random stream")  //
      ("quiet", "print nothing but errors")                                                   //
      ("help", "show this text");
}

// Throws ConfigError for options that do not exist or positional arguments too many.
inline po::variables_map parse(const std::vector<std::string>& arguments,
                               const po::options_description& visible, const char* positional) {
  po::options_description all;
  all.add(visible).add_options()(positional, po::value<std::string>());
  po::positional_options_description positions;
  positions.add(positional, 1);
  po::variables_map values;
  // No guessing: an abbreviated option in a script breaks when a new option is added.
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  po::store(
      po::command_line_parser(arguments).options(all).positional(positions).style(style).run(),
      values);
  po::notify(values);
  return values;
}

inline ConfigRequest config_request(const po::variables_map& values, const char* command) {
  if (values.count("CONFIG") == 0) {
    throw ConfigError(std::string("berth ") + command +
                      ": which configuration? Give a YAML file; see berth " + command + " --help");
  }
  ConfigRequest request;
  request.file = values["CONFIG"].as<std::string>();
  if (values.count("set") != 0) request.overrides = values["set"].as<std::vector<std::string>>();
  if (values.count("seed") != 0) {
    request.overrides.push_back("seed=" + values["seed"].as<std::string>());
  }
  return request;
}

}  // namespace berth::cli
