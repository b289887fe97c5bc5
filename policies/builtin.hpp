// The policies that come with Berth; see builtin.def for the list.
#pragma once

#include <memory>

#include "sim/api/registries.hpp"

namespace berth {

#define BUILTIN(function) void function(Registries&);
#include "policies/builtin.def"
#undef BUILTIN

void register_builtin_policies(Registries&);

}  // namespace berth
