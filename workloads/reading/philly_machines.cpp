#include "workloads/reading/philly_machines.hpp"

#include "workloads/reading/csv_table.hpp"
#include "workloads/reading/number.hpp"
#include "workloads/reading/spaced_rows.hpp"

namespace berth {

void PhillyMachines::Use::note(const std::string& ip, std::uint32_t gpus, const Location& where) {
  Most& most = machines_[ip];
  if (most.where.line != 0 && gpus <= most.gpus) return;
  most = {gpus, where};
}

PhillyMachines PhillyMachines::read(TraceFile& file) {
  PhillyMachines out;
  CsvRows rows(file);
  while (rows.next()) {
    const auto fields = rows.fields();
    const auto fail = [&](std::size_t field, const std::string& message) {
      throw DataError(rows.where(field), message);
    };
    if (fields.size() != 3) {
      fail(std::min<std::size_t>(fields.size(), 3),
           "the row has " + std::to_string(fields.size()) +
               " fields, expected 3: machineId, number of GPUs, single GPU mem");
    }
    const std::string_view name = trimmed(fields[0]);
    if (name == "machineId") continue;  // the header
    if (name.empty()) fail(0, "machineId is empty, expected a name");
    const auto gpus = parse_count(trimmed(fields[1]));
    if (!gpus) fail(1, "number of GPUs is " + shown(fields[1]) + ", expected " + kExpectedCount);
    std::string_view memory = trimmed(fields[2]);
    if (memory.ends_with("GB")) memory = trimmed(memory.substr(0, memory.size() - 2));
    if (!parse_number(memory)) {
      fail(2, "single GPU mem is " + shown(fields[2]) + ", expected an amount such as 24GB");
    }
    if (!out.gpus_.emplace(name, *gpus).second) {
      fail(0, "machine " + shown(name) + " stands twice in the list");
    }
  }
  return out;
}

std::optional<std::uint32_t> PhillyMachines::gpus_of(const std::string& ip) const {
  const auto found = gpus_.find(ip);
  if (found == gpus_.end()) return std::nullopt;
  return found->second;
}

}  // namespace berth
