// The one rule for duplicate rows: a row that says in every column just what an earlier row said is
// the same job written twice.
//
// Ids take part unless the reader made them up (then two rows of one content cannot be told apart).
// Rows with the same id and other contents are different jobs: attempts, or ids used again.
#pragma once

#include <cstdint>
#include <functional>

#include "sim/workload/job_table.hpp"

namespace berth {

// Sorts the rows and calls `found` for each row that repeats an earlier one, with the line of that
// one; removes it if `remove`. Returns how many there are. O(n log n) within a submission instant.
std::uint64_t find_duplicates(
    JobTableBuilder& rows, bool ids_are_ours, bool remove,
    const std::function<void(const Job& repeated, std::uint32_t first_line)>& found);

}  // namespace berth
