#include "policies/builtin.hpp"

namespace berth {

void register_builtin_policies(Registries& registries) {
#define BUILTIN(function) function(registries);
#include "policies/builtin.def"
#undef BUILTIN
}

}  // namespace berth
