// Everything that comes with Berth, by name.
#pragma once

#include "sim/api/registries.hpp"

namespace berth {

Registries builtin_registries();

}  // namespace berth
