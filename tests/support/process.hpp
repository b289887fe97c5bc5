// Running a program in a test and seeing what it did.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace berth::test {

struct ProcessResult {
  int status = -1;  // exit status; 128 + signal if it was killed
  std::string out;
  std::string err;
};

struct ProcessOptions {
  std::filesystem::path folder;          // working directory; empty: this one
  std::int64_t file_size_limit = -1;     // bytes; what a full disk is in the small
  std::int64_t interrupt_after_ms = -1;  // sends SIGINT then
};

// words[0] is the program. Standard input is empty.
ProcessResult run_process(const std::vector<std::string>& words,
                          const ProcessOptions& options = {});

// The berth binary of this build with these arguments.
ProcessResult run_berth(std::vector<std::string> arguments, const ProcessOptions& options = {});

std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace berth::test
