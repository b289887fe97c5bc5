// The summary for a terminal.
#pragma once

#include <string>

#include "sim/metrics/summary.hpp"

namespace berth {

// Lines of plain text, at most about 120 columns: a table per type, then cluster and balance.
std::string summary_table(const Summary& summary);

}  // namespace berth
