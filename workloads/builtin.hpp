// The trace formats and transforms that come with Berth; see builtin.def for the list.
#pragma once

#include "sim/api/registries.hpp"

namespace berth {

#define FORMAT(function) void function(Registry<TraceFormat>&);
#define TRANSFORM(function) void function(TransformRegistry&);
#include "workloads/builtin.def"
#undef TRANSFORM
#undef FORMAT

void register_builtin_workloads(Registries&);

}  // namespace berth
