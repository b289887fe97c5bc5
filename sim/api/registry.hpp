// What exists by name: policies, placements, formats. Filled by explicit calls (no static
// initialisers: a static library's linker drops them, and nobody controls their order), by the
// built-ins and by plugins through the same door.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"

namespace berth {

// A key that an entry reads, for `berth list` and for messages about keys out of place.
struct OptionHelp {
  std::string key;
  std::string help;  // values, range, default
};

// T: the interface. Args: what a factory is given.
template <class T, class... Args>
class Registry {
 public:
  using Factory = std::function<std::unique_ptr<T>(Args...)>;
  struct Entry {
    std::string name;
    std::string summary;  // one line for `berth list`
    std::vector<OptionHelp> options;
    Factory make;
  };

  // A name that is taken is an error: two things of one name would make results ambiguous.
  void add(std::string name, std::string summary, std::vector<OptionHelp> options, Factory make) {
    if (find(name) != nullptr) throw ConfigError("\"" + name + "\" is registered twice");
    entries_.push_back({std::move(name), std::move(summary), std::move(options), std::move(make)});
  }
  const Entry* find(std::string_view name) const {
    for (const Entry& entry : entries_) {
      if (entry.name == name) return &entry;
    }
    return nullptr;
  }
  // In order of registration.
  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const Entry& entry : entries_) out.push_back(entry.name);
    return out;
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace berth
