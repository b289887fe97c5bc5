// In what order waiting tasks are considered. Combines with every backfill.
#pragma once

#include <cstdint>

#include "sim/api/scheduler_policy.hpp"

namespace berth {

class QueueOrder {
 public:
  virtual ~QueueOrder() = default;
  // Smaller goes first; equal keys in order of submission, then of the trace. Asked once, when the
  // task becomes pending.
  virtual std::int64_t key(const PassView& view, TaskId task) const = 0;
};

}  // namespace berth
