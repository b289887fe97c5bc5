#include "workloads/builtin.hpp"

namespace berth {

void register_builtin_workloads(Registries& registries) {
#define FORMAT(function) function(registries.formats);
#define TRANSFORM(function) function(registries.transforms);
#include "workloads/builtin.def"
#undef TRANSFORM
#undef FORMAT
}

}  // namespace berth
