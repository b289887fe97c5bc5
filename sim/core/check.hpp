// SIM_CHECK: our own invariants, on in every build. A failure is a bug of ours (or of a plugin),
// never of the user's input; it ends the run with exit status 1 and no results.
#pragma once

#include <stdexcept>
#include <string>

namespace berth {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void check_failed(const char* file, int line, const char* condition,
                                      const char* message) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + message + " (" +
                      condition + " does not hold)");
}

}  // namespace berth

#define SIM_CHECK(condition, message)                                 \
  do {                                                                \
    if (!(condition)) [[unlikely]]                                    \
      ::berth::check_failed(__FILE__, __LINE__, #condition, message); \
  } while (0)
