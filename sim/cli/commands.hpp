// The commands of the program. Each parses its own arguments (those after its name), prints to the
// given streams of the process and returns; errors are thrown and shown by main.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "sim/core/error.hpp"

namespace berth::cli {

ExitStatus command_run(const std::vector<std::string>& arguments, const std::atomic<bool>& stop);
ExitStatus command_check(const std::vector<std::string>& arguments, const std::atomic<bool>& stop);
ExitStatus command_generate(const std::vector<std::string>& arguments,
                            const std::atomic<bool>& stop);
ExitStatus command_inspect(const std::vector<std::string>& arguments,
                           const std::atomic<bool>& stop);
ExitStatus command_list(const std::vector<std::string>& arguments);

}  // namespace berth::cli
