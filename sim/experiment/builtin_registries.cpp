#include "sim/experiment/builtin_registries.hpp"

#include "policies/builtin.hpp"
#include "workloads/builtin.hpp"

namespace berth {

Registries builtin_registries() {
  Registries registries;
  register_builtin_policies(registries);
  register_builtin_workloads(registries);
  return registries;
}

}  // namespace berth
