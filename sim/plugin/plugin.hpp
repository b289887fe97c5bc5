// What a third-party shared library exports to add policies, formats or placements.
//
//   #include "sim/plugin/plugin.hpp"
//   BERTH_PLUGIN("widest_first")
//   extern "C" void berth_register(berth::Registries& registries) {
//     registries.orders.add("widest_first", ...);
//   }
//
// C++ across a shared library needs the same compiler and the same version of Berth's headers; the
// exported datum says which, and the loader refuses others before it calls anything.
#pragma once

#include "sim/api/registries.hpp"

namespace berth {

// Raised whenever a type that plugins see changes.
inline constexpr int kPluginAbi = 1;
inline constexpr const char* kCompiler = __VERSION__;

struct PluginInfo {
  int abi;
  const char* name;
  const char* compiler;
};

}  // namespace berth

extern "C" void berth_register(berth::Registries& registries);

#define BERTH_PLUGIN(name) \
  extern "C" const berth::PluginInfo berth_plugin{berth::kPluginAbi, name, berth::kCompiler};
