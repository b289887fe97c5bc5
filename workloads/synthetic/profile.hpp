// What a synthetic trace is drawn from: a YAML profile (configs/workloads/*.yaml; docs/generate.md
// says what each key means and where its numbers are from). `published` holds numbers with a
// source, `fitted` what was chosen to meet them, `assumed` what nobody published.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "workloads/synthetic/curve.hpp"

namespace berth::synthetic {

// The column sets of the Acme traces. In Kalos' the column `duration` is end - submission, so it
// counts the queue in, and so do its published durations, run time means and GPU time.
enum class Schema : std::uint8_t { kSeren, kKalos };

// A step curve over GPU counts, drawn straight between its knots; shares 0 to 1.
struct DemandCurve {
  std::vector<double> gpus;
  std::vector<double> cumulative;
  double at(double gpu_count) const;
};

struct CampaignProfile {
  std::uint32_t trials = 1;     // jobs of one user, submitted together, on average
  std::uint32_t gap_s = 0;      // seconds between two submissions, at most
  double alike = 0;             // share that take about as long as each other
  std::uint32_t most_gpus = 0;  // GPUs of all trials together, at most (one trial may exceed it)
};

struct TypeProfile {
  std::string name;
  double share = 0;                      // of the GPU jobs; all types together 1
  std::optional<double> gpu_time_share;  // of all GPU time
  std::uint32_t fewest_gpus = 1;
  std::optional<std::array<std::uint32_t, 3>> gpu_quartiles;
  std::uint32_t whisker_gpus = 0;  // beyond it demand is rare; 0: no whisker known
  Curve duration, queue;           // seconds
  CampaignProfile campaign;
};

// Completed, cancelled, failed; together 1.
using StateShares = std::array<double, 3>;

struct ChainProfile {
  std::string type;                   // the type whose jobs all belong to a team
  std::uint32_t others_above = 0;     // larger jobs of other types belong to one too
  std::vector<std::uint32_t> blocks;  // GPUs of each team
  double fill = 0;                    // share of the period that a team's runs may take
  double restart_s = 0;               // mean pause after a failure, in working time, before scaling
  double think_s = 0;                 // the same after any other end
  std::uint32_t team_users = 1;
};

struct Profile {
  Schema schema = Schema::kSeren;
  std::int64_t first_s = 0, last_s = 0;  // first and last possible submission, seconds after 1970
  std::uint32_t cluster_gpus = 0, gpus_per_node = 0, cpus_per_gpu = 0;
  std::uint64_t gpu_jobs = 0, cpu_jobs = 0;

  std::vector<TypeProfile> types;
  Curve cpu_duration, cpu_queue;
  CampaignProfile cpu_campaign;
  std::vector<std::uint32_t> cpu_counts;  // CPUs of a CPU job: each as likely
  std::vector<std::uint32_t> sizes;       // GPU counts that occur, ascending
  std::vector<double> size_shares;        // of the GPU jobs, after fitting; together 1
  std::vector<double> size_time_shares;   // of the GPU time
  // Fitted: GPU time of sizes from so many GPUs up, times this for each doubling above it.
  std::uint32_t gpu_time_tilt_from = 0;
  double gpu_time_tilt = 1;
  double gpu_seconds = 0;  // of all GPU jobs
  StateShares gpu_states{}, gpu_time_states{}, cpu_states{};

  std::array<double, 24> by_hour{};    // relative rates of submission, local time
  std::array<double, 7> by_weekday{};  // Monday first
  std::int64_t local_offset_s = 0;     // of people's clocks, to UTC
  std::int64_t stamp_offset_s = 0;     // of the times in the file, to UTC
  ChainProfile chains;
  std::uint32_t users = 1;

  std::uint64_t jobs() const { return gpu_jobs + cpu_jobs; }
  double span_s() const { return static_cast<double>(last_s - first_s); }
  bool duration_counts_queue() const { return schema == Schema::kKalos; }
};

// Throws ConfigError with every fault of the file (file:line:column), DataError if it cannot be
// read.
Profile load_profile(const std::filesystem::path& file);

}  // namespace berth::synthetic
