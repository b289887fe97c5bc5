#include "sim/core/error.hpp"

namespace berth {
namespace {

std::string located(const Location& where, std::string_view message) {
  std::string out = where.text();
  if (!out.empty()) out += ": ";
  out += message;
  return out;
}

}  // namespace

std::string Location::text() const {
  std::string out = file;
  if (line > 0) out += ":" + std::to_string(line);
  if (line > 0 && column > 0) out += ":" + std::to_string(column);
  return out;
}

ConfigError::ConfigError(const Location& where, std::string_view message)
    : ConfigError(located(where, message)) {}

DataError::DataError(const Location& where, std::string_view message)
    : DataError(located(where, message)) {}

}  // namespace berth
