// `format: auto`: the format of a trace, told by its first bytes.
#pragma once

#include <filesystem>
#include <string>

#include "sim/api/registry.hpp"
#include "sim/api/trace_reader.hpp"

namespace berth {

// The first format, in order of registration, that recognises the trace. Throws DataError where the
// file cannot be read or no format does.
std::string recognise_format(const Registry<TraceFormat>& formats,
                             const std::filesystem::path& path);

}  // namespace berth
