// berth: parses the command, shows errors, sets the exit status.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <new>

#include "sim/cli/commands.hpp"
#include "sim/cli/options.hpp"
#include "sim/core/check.hpp"
#include "sim/core/suggest.hpp"
#include "sim/experiment/run.hpp"

namespace {

using berth::ExitStatus;

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

extern "C" void request_stop(int) { stop_requested.store(true, std::memory_order_relaxed); }

constexpr const char* kUsage =
    "berth COMMAND ...   a discrete-event simulator of GPU clusters for LLM development\n"
    "\n"
    "  run CONFIG     one simulation: results as files and a table\n"
    "  check CONFIG   validate; print the fully resolved configuration\n"
    "  generate PROFILE   a synthetic trace in the Acme schema\n"
    "  inspect TRACE...   characterise traces: tables and curves\n"
    "  list [WHAT]    policies, placements, formats, presets\n"
    "\n"
    "berth COMMAND --help tells more; berth --version.\n"
    "Exit status: 0 done, 1 internal fault, 2 usage or configuration, 3 unreadable or invalid "
    "data,\n"
    "130 interrupted.\n";

ExitStatus dispatch(const std::vector<std::string>& words) {
  const std::vector<std::string> commands{"run", "check", "generate", "inspect", "list"};
  if (words.empty()) {
    std::fputs(kUsage, stderr);
    return ExitStatus::kUsageOrConfiguration;
  }
  const std::string& command = words.front();
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (command == "--help" || command == "-h" || command == "help") {
    std::fputs(kUsage, stdout);
    return ExitStatus::kDone;
  }
  if (command == "--version") {
    std::cout << "berth " << berth::version() << "\n";
    return ExitStatus::kDone;
  }
  if (command == "run") return berth::cli::command_run(rest, stop_requested);
  if (command == "check") return berth::cli::command_check(rest, stop_requested);
  if (command == "generate") return berth::cli::command_generate(rest, stop_requested);
  if (command == "inspect") return berth::cli::command_inspect(rest, stop_requested);
  if (command == "list") return berth::cli::command_list(rest);
  const std::string near = berth::nearest(command, commands);
  throw berth::ConfigError("\"" + command + "\" is not a command; there are " +
                           berth::join(commands) +
                           (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
}

int fail(ExitStatus status, const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());  // first on the line: editors jump to file:line
  return static_cast<int>(status);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  std::signal(SIGHUP, request_stop);
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error like a full disk
  try {
    const auto status = dispatch(std::vector<std::string>(argv + 1, argv + argc));
    std::cout.flush();
    if (!std::cout) return fail(ExitStatus::kData, "cannot write to standard output");
    return static_cast<int>(status);
  } catch (const berth::Interrupted& error) {
    return fail(error.status(), std::string(error.what()) + "; no results were written");
  } catch (const berth::Error& error) {
    return fail(error.status(), error.what());
  } catch (const boost::program_options::error& error) {
    return fail(ExitStatus::kUsageOrConfiguration, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitStatus::kInternalFault, "out of memory; no results were written");
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(ExitStatus::kData, error.what());
  } catch (const std::exception& error) {
    return fail(ExitStatus::kInternalFault,
                std::string("internal fault, please report it: ") + error.what());
  } catch (...) {  // a plugin may throw anything
    return fail(ExitStatus::kInternalFault, "internal fault: something that is no std::exception");
  }
}
