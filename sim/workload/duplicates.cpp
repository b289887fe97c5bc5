#include "sim/workload/duplicates.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

namespace berth {
namespace {

// Everything but the place in the file.
auto contents_of(const Job& job) {
  return std::tuple(job.submit, job.run, job.recorded_start, job.time_limit, job.gpu_parts,
                    job.cpus, job.memory_mib, job.user, job.type, job.traits, job.state,
                    job.never_started);
}

}  // namespace

std::uint64_t find_duplicates(
    JobTableBuilder& rows, bool ids_are_ours, bool remove,
    const std::function<void(const Job& repeated, std::uint32_t first_line)>& found) {
  rows.sort();
  JobVector<Job>& jobs = rows.jobs();
  const auto id_of = [&](const Job& job) {
    return ids_are_ours ? std::string_view() : rows.names().id_of(job);
  };
  std::vector<std::uint32_t> order;  // of one instant, equal contents side by side
  std::vector<std::uint32_t> repeats;
  std::size_t kept = 0;
  std::uint64_t count = 0;
  for (std::size_t begin = 0; begin < jobs.size();) {
    std::size_t end = begin + 1;
    while (end < jobs.size() && jobs[end].submit == jobs[begin].submit) ++end;
    repeats.clear();
    if (end - begin > 1) {
      order.resize(end - begin);
      for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = static_cast<std::uint32_t>(begin + i);
      }
      const auto key = [&](std::uint32_t i) {
        return std::tuple(contents_of(jobs[i]), id_of(jobs[i]));
      };
      // By index last, so that the first of equal rows is the earliest.
      std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(key(a), a) < std::tuple(key(b), b);
      });
      for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
        if (key(order[i]) == key(order[first])) {
          repeats.push_back(order[i]);
          found(jobs[order[i]], jobs[order[first]].line);
        } else {
          first = i;
        }
      }
      count += repeats.size();
      std::sort(repeats.begin(), repeats.end());
    }
    auto next_repeat = repeats.begin();
    for (std::size_t i = begin; i < end; ++i) {
      if (next_repeat != repeats.end() && *next_repeat == i) {
        ++next_repeat;
        if (remove) continue;
      }
      if (kept != i) jobs[kept] = jobs[i];
      ++kept;
    }
    begin = end;
  }
  jobs.resize(kept);
  return count;
}

}  // namespace berth
