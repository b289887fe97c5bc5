// What a user should know about the workload before its results, on standard error.
#pragma once

#include "sim/experiment/workload.hpp"

namespace berth::cli {

// What was read and as which format, each row's verdict by reason, what the columns turned out to
// mean, what transforms and feedback do, and the load that comes of it.
void print_notes(const Workload& workload);

}  // namespace berth::cli
