#include "tests/support/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "tests/support/temp_folder.hpp"

namespace berth::test {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

ProcessResult run_process(const std::vector<std::string>& words, const ProcessOptions& options) {
  const TempFolder folder;
  const std::string out_path = (folder.path() / "out").string();
  const std::string err_path = (folder.path() / "err").string();
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    const int in = ::open("/dev/null", O_RDONLY);
    const int out = ::open(out_path.c_str(), O_WRONLY | O_CREAT, 0600);
    const int err = ::open(err_path.c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(in, 0);
    ::dup2(out, 1);
    ::dup2(err, 2);
    if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(126);
    if (options.file_size_limit >= 0) {
      const auto limit = static_cast<rlim_t>(options.file_size_limit);
      const rlimit both{limit, limit};
      ::setrlimit(RLIMIT_FSIZE, &both);
    }
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  if (options.interrupt_after_ms >= 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(options.interrupt_after_ms));
    ::kill(child, SIGINT);
  }
  int state = 0;
  ::waitpid(child, &state, 0);
  ProcessResult result;
  result.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
  result.out = read_text(out_path);
  result.err = read_text(err_path);
  return result;
}

ProcessResult run_berth(std::vector<std::string> arguments, const ProcessOptions& options) {
  arguments.insert(arguments.begin(), BERTH_BINARY);
  return run_process(arguments, options);
}

}  // namespace berth::test
