#include "sim/experiment/builtin_registries.hpp"

#include "policies/builtin.hpp"
#include "workloads/formats.hpp"

namespace berth {

Registries builtin_registries() {
  Registries registries;
  register_builtin_policies(registries);
  register_formats(registries.formats);
  return registries;
}

}  // namespace berth
