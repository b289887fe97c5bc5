// Where an option of a transform stands in the configuration, kept for faults that only the
// workload brings to light: a type that no job has, a window that ends before it begins.
#pragma once

#include <string>
#include <string_view>

#include "sim/config/config_node.hpp"
#include "sim/core/error.hpp"

namespace berth {

struct OptionPlace {
  std::string path;  // "workload.transforms[0].filter.types"
  Location where;

  DataError fault(std::string_view message) const {
    return DataError(where, path + ": " + std::string(message));
  }
};

// Of the whole section where `key` is empty.
inline OptionPlace place_of(const ConfigNode& node, std::string_view key = "") {
  return {key.empty() ? node.path() : node.path() + "." + std::string(key), node.where(key)};
}

}  // namespace berth
