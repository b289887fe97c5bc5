// What ends a run, by who can mend it. Each kind has its exit status (docs: interface).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

enum class ExitStatus : int {
  kDone = 0,
  kInternalFault = 1,
  kUsageOrConfiguration = 2,
  kData = 3,
  kInterrupted = 130,
};

// A place in a file that the user can open. Line and column count from 1; 0 means "the whole file".
// For a value given by --set, `file` is "--set KEY=VALUE" and line is 0.
struct Location {
  std::string file;
  std::int64_t line = 0;
  std::int64_t column = 0;

  // "file:line:column", without the parts that are 0.
  std::string text() const;
};

// The base of every error that is shown to people: a message of one or two lines, no more.
class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, const std::string& message)
      : std::runtime_error(message), status_(status) {}
  ExitStatus status() const { return status_; }

 private:
  ExitStatus status_;
};

// The command line or the configuration is wrong. May carry several findings, one a line.
class ConfigError : public Error {
 public:
  explicit ConfigError(const std::string& message)
      : Error(ExitStatus::kUsageOrConfiguration, message) {}
  ConfigError(const Location& where, std::string_view message);
};

// A trace or another data file cannot be read, or holds something impossible.
class DataError : public Error {
 public:
  explicit DataError(const std::string& message) : Error(ExitStatus::kData, message) {}
  DataError(const Location& where, std::string_view message);
};

// Results could not be written: no permission, no space.
class OutputError : public Error {
 public:
  explicit OutputError(const std::string& message) : Error(ExitStatus::kData, message) {}
};

// Ctrl-C or SIGTERM.
class Interrupted : public Error {
 public:
  explicit Interrupted(const std::string& message) : Error(ExitStatus::kInterrupted, message) {}
};

}  // namespace berth
