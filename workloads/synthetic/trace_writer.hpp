// Rows of the Acme schema: Seren's 13 columns or Kalos' 17, as docs/traces.md describes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/synthetic/jobs.hpp"

namespace berth::synthetic {

class TraceWriter {
 public:
  TraceWriter(const Profile& profile, std::uint64_t seed);

  // Append to `out` the header; the next job.
  void header(std::string& out) const;
  void row(const Job& job, std::string& out);

 private:
  void job_id(std::string& out);
  void time(std::int64_t seconds, std::string& out);

  const Profile& profile_;
  bool is_kalos_;
  std::uint64_t seed_;
  std::uint64_t rows_ = 0;
  std::vector<std::string> users_;
  std::vector<std::string> days_;  // "2023-03-01 ", from the first day of the period on
};

}  // namespace berth::synthetic
