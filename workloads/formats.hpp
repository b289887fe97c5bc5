// The trace formats that are built in.
#pragma once

#include "sim/api/registry.hpp"
#include "sim/api/trace_reader.hpp"

namespace berth {

void register_formats(Registry<TraceReader>& formats);

}  // namespace berth
