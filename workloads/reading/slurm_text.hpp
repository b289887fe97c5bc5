// How Slurm writes durations, amounts of memory and trackable resources (TRES); see sacct(1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/time.hpp"

namespace berth {

// "1-02:03:04", "02:03:04", "03:04", with a fraction of the seconds or without. Minutes and seconds
// are below 60; the foremost part may be anything. At most kLongestDuration.
std::optional<Duration> parse_slurm_duration(std::string_view text);

// "1T", "1.50G", "4000M", "128000K", "4000": powers of 1024, megabytes where there is no letter.
std::optional<double> parse_slurm_mib(std::string_view text);

// What "billing=128,cpu=128,gres/gpu:a100=8,gres/gpu=8,mem=1T,node=1" says of what a job takes.
struct SlurmTres {
  std::optional<std::uint32_t> gpus;  // gres/gpu, or all gres/gpu:MODEL together
  std::optional<std::uint32_t> cpus;
  std::optional<double> memory_mib;
  std::string gpu_model;  // empty: not said, or several
  bool several_models = false;
};
// Empty where the text is no such list, and then `fault` is the part that is not.
std::optional<SlurmTres> parse_slurm_tres(std::string_view text, std::string_view& fault);

}  // namespace berth
