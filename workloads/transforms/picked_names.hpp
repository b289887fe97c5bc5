// From names in the configuration to marks on the ids of a name table.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/wording.hpp"
#include "sim/core/suggest.hpp"
#include "sim/workload/job_table.hpp"
#include "workloads/transforms/option_place.hpp"

namespace berth {

// Names as an option lists them.
struct PickedNames {
  std::vector<std::string> names;
  OptionPlace place;

  // A mark for each id of the table. A name that no job of the trace ever had is a slip of the
  // keyboard that would silently pick nobody: it is an error. `what`: "job type".
  template <class Id>
  std::vector<bool> marks(const NameTable<Id>& table, std::string_view what) const {
    std::vector<bool> out(table.names().size());
    for (const std::string& name : names) {
      const auto at = std::ranges::find(table.names(), name);
      if (at == table.names().end()) {
        const std::string near = nearest(name, table.names());
        throw place.fault("the workload has no " + std::string(what) + " " + in_quotes(name) +
                          (near.empty() ? "" : " (did you mean " + in_quotes(near) + "?)"));
      }
      out[static_cast<std::size_t>(at - table.names().begin())] = true;
    }
    return out;
  }
};

// The option `key`; without names where it is absent. An empty list is an error.
inline PickedNames read_names(ConfigNode& node, std::string_view key) {
  const bool is_given = node.has(key);
  PickedNames picked{is_given ? node.words(key) : std::vector<std::string>{}, place_of(node, key)};
  if (is_given && picked.names.empty()) node.error(key, "an empty list picks no job");
  return picked;
}

}  // namespace berth
