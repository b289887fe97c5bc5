// Philly's cluster_machine_list: a row a machine, spaces in odd places ("m31,8, 24GB").
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sim/core/error.hpp"
#include "workloads/reading/trace_file.hpp"

namespace berth {

class PhillyMachines {
 public:
  // The most GPUs of each machine that a log names at a time, and where.
  class Use {
   public:
    struct Most {
      std::uint32_t gpus = 0;
      Location where;
    };
    void note(const std::string& ip, std::uint32_t gpus, const Location& where);
    const std::map<std::string, Most>& machines() const { return machines_; }

   private:
    std::map<std::string, Most> machines_;
  };

  // Throws DataError on a row that is not a name, a number of GPUs and an amount of memory, and on
  // a machine that stands twice.
  static PhillyMachines read(TraceFile& file);

  std::optional<std::uint32_t> gpus_of(const std::string& ip) const;
  std::size_t size() const { return gpus_.size(); }

 private:
  std::map<std::string, std::uint32_t> gpus_;
};

}  // namespace berth
