#include "sim/experiment/format_auto.hpp"

#include "sim/config/wording.hpp"
#include "sim/core/suggest.hpp"
#include "workloads/reading/trace_file.hpp"

namespace berth {
namespace {

std::string head_of(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return {};
  TraceFile file(path);
  std::string head(std::size_t{64} << 10, '\0');
  head.resize(file.read(head.data(), head.size()));
  return head;
}

}  // namespace

std::string recognise_format(const Registry<TraceFormat>& formats,
                             const std::filesystem::path& path) {
  const std::string head = head_of(path);
  for (const auto& entry : formats.entries()) {
    if (entry.make()->recognises(head, path)) return entry.name;
  }
  const std::size_t begin = std::min(head.find_first_not_of("\r\n"), head.size());
  const std::string first_line = head.substr(begin, head.find_first_of("\r\n", begin) - begin);
  throw DataError(Location{path.string(), 0, 0},
                  "no known format: it begins with " + in_quotes(first_line) +
                      "; say workload.trace.format: one of " + join(formats.names()));
}

}  // namespace berth
