#include "workloads/synthetic/demand_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "sim/core/error.hpp"

namespace berth::synthetic {
namespace {

constexpr int kRounds = 400;
constexpr int kHalvings = 30;
// Quartiles hold with so much of a type to spare, so that rounding to whole jobs keeps them.
constexpr double kQuartileMargin = 0.01;
// The share of jobs of a size may miss the published one by so much; half a point.
constexpr double kMostOff = 0.005;

class Fit {
 public:
  explicit Fit(const Profile& profile)
      : profile_(profile),
        types_(profile.types.size()),
        sizes_(profile.sizes.size()),
        bins_(longest_curve(profile)),
        table_(types_, sizes_, bins_) {
    start();
    plan_time_of_sizes();
  }

  DemandTable run() {
    for (int round = 0; round < kRounds; ++round) {
      for (std::size_t t = 0; t < types_; ++t) hold_quartiles(t);
      for (std::size_t s = 0; s < sizes_; ++s) hold_size(s);
      for (std::size_t s = 0; s < sizes_; ++s) hold_time_of_size(s);
      for (std::size_t t = 0; t < types_; ++t) hold_time_of_type(t);
      if (is_met()) break;
    }
    check();
    return std::move(table_);
  }

 private:
  static std::size_t longest_curve(const Profile& profile) {
    std::size_t bins = 0;
    for (const TypeProfile& type : profile.types) bins = std::max(bins, type.duration.bins());
    return bins;
  }

  double share(std::size_t t, std::size_t b) const {
    const TypeProfile& type = profile_.types[t];
    return b < type.duration.bins() ? type.share * type.duration.share(b) : 0;
  }
  double seconds(std::size_t t, std::size_t b) const {
    const Curve& curve = profile_.types[t].duration;
    return b < curve.bins() ? curve.mean(b) : 0;
  }

  // Independence of type and size, but for what the box plots say: no demand below the fewest, and
  // less and less beyond the whisker.
  void start() {
    for (std::size_t t = 0; t < types_; ++t) {
      const TypeProfile& type = profile_.types[t];
      for (std::size_t s = 0; s < sizes_; ++s) {
        double weight = profile_.size_shares[s];
        const std::uint32_t gpus = profile_.sizes[s];
        if (gpus < type.fewest_gpus) weight = 0;
        if (type.whisker_gpus > 0 && gpus > type.whisker_gpus) {
          weight *= static_cast<double>(type.whisker_gpus) / gpus;
        }
        for (std::size_t b = 0; b < bins_; ++b) table_.at(t, s, b) = weight * share(t, b);
      }
    }
  }

  double type_share(std::size_t t, std::size_t from, std::size_t to) const {
    double sum = 0;
    for (std::size_t s = from; s < to; ++s) {
      for (std::size_t b = 0; b < bins_; ++b) sum += table_.at(t, s, b);
    }
    return sum;
  }

  void scale(std::size_t t, std::size_t from, std::size_t to, double factor) {
    for (std::size_t s = from; s < to; ++s) {
      for (std::size_t b = 0; b < bins_; ++b) table_.at(t, s, b) *= factor;
    }
  }

  // At most `most` (or at least `least`) of the type's jobs among the sizes before `end`.
  void hold_below(std::size_t t, std::size_t end, double least, double most) {
    const double below = type_share(t, 0, end), above = type_share(t, end, sizes_);
    const double part = below / (below + above);
    const double wanted = std::clamp(part, least, most);
    if (wanted == part || below <= 0 || above <= 0) return;
    scale(t, 0, end, wanted / part);
    scale(t, end, sizes_, (1 - wanted) / (1 - part));
  }

  std::size_t index_of(std::uint32_t gpus) const {
    return static_cast<std::size_t>(
        std::lower_bound(profile_.sizes.begin(), profile_.sizes.end(), gpus) -
        profile_.sizes.begin());
  }

  void hold_quartiles(std::size_t t) {
    const TypeProfile& type = profile_.types[t];
    if (!type.gpu_quartiles) return;
    for (std::size_t i = 0; i < 3; ++i) {
      const double level = 0.25 * static_cast<double>(i + 1);
      const std::size_t at = index_of((*type.gpu_quartiles)[i]);
      hold_below(t, at, 0, level - kQuartileMargin);
      hold_below(t, at + 1, level + kQuartileMargin, 1);
    }
  }

  double size_share(std::size_t s) const {
    double sum = 0;
    for (std::size_t t = 0; t < types_; ++t) {
      for (std::size_t b = 0; b < bins_; ++b) sum += table_.at(t, s, b);
    }
    return sum;
  }

  void hold_size(std::size_t s) {
    const double now = size_share(s);
    if (now <= 0) return;
    for (std::size_t t = 0; t < types_; ++t) scale(t, s, s + 1, profile_.size_shares[s] / now);
  }

  // The GPU time of each size: as published, but for a factor of its own on the sizes below a node
  // and one on those from gpu_time_tilt_from up (beside the profile's tilt of these), so that the
  // whole is the published GPU time and the mean duration, the sum of GPU time over size, that of
  // the duration curves.
  void plan_time_of_sizes() {
    const double whole = profile_.gpu_seconds / static_cast<double>(profile_.gpu_jobs);
    enum Group { kBelowNode, kMiddle, kTilted };
    std::vector<Group> groups;
    std::array<double, 3> gpu_s{}, seconds_each{};  // a job of the whole trace
    for (std::size_t s = 0; s < sizes_; ++s) {
      const std::uint32_t gpus = profile_.sizes[s];
      double time = whole * profile_.size_time_shares[s];
      const bool is_tilted = gpus >= profile_.gpu_time_tilt_from;
      for (std::uint32_t g = profile_.gpu_time_tilt_from; is_tilted && 2 * g <= gpus; g *= 2) {
        time *= profile_.gpu_time_tilt;
      }
      groups.push_back(is_tilted ? kTilted : gpus < profile_.gpus_per_node ? kBelowNode : kMiddle);
      time_of_size_.push_back(time);
      gpu_s[groups.back()] += time;
      seconds_each[groups.back()] += time / gpus;
    }
    double mean_s = 0;
    for (const TypeProfile& type : profile_.types) mean_s += type.share * type.duration.mean();
    // below * a + tilted * b = the rest, for GPU time and for durations.
    const double rest = whole - gpu_s[kMiddle], rest_s = mean_s - seconds_each[kMiddle];
    const double determinant =
        gpu_s[kBelowNode] * seconds_each[kTilted] - gpu_s[kTilted] * seconds_each[kBelowNode];
    if (determinant == 0) return;
    const double a = std::clamp(
        (rest * seconds_each[kTilted] - gpu_s[kTilted] * rest_s) / determinant, 0.1, 10.0);
    const double b = std::max(0.5, (rest - gpu_s[kBelowNode] * a) / gpu_s[kTilted]);
    for (std::size_t s = 0; s < sizes_; ++s) {
      time_of_size_[s] *= groups[s] == kBelowNode ? a : groups[s] == kTilted ? b : 1.0;
    }
  }

  // The types are exact after each round; are the sizes too?
  bool is_met() const {
    double jobs_off = 0, time_off = 0, time = 0;
    for (std::size_t s = 0; s < sizes_; ++s) {
      double jobs = 0, gpu_s = 0;
      for (std::size_t t = 0; t < types_; ++t) {
        for (std::size_t b = 0; b < bins_; ++b) {
          jobs += table_.at(t, s, b);
          gpu_s += table_.at(t, s, b) * seconds(t, b) * profile_.sizes[s];
        }
      }
      jobs_off += std::abs(jobs - profile_.size_shares[s]);
      time_off += std::abs(gpu_s - time_of_size_[s]);
      time += time_of_size_[s];
    }
    return jobs_off < 1e-5 && time_off < 1e-4 * time;
  }

  // Tilts the durations of one size by a power of `slope` a bin, its number of jobs kept.
  void hold_time_of_size(std::size_t s) {
    std::vector<double> jobs(bins_, 0), weighted(bins_, 0);
    for (std::size_t b = 0; b < bins_; ++b) {
      for (std::size_t t = 0; t < types_; ++t) {
        jobs[b] += table_.at(t, s, b);
        weighted[b] += table_.at(t, s, b) * seconds(t, b) * profile_.sizes[s];
      }
    }
    double whole = 0;
    for (const double n : jobs) whole += n;
    if (whole <= 0) return;
    double low = 0.5, high = 2, power = 1, kept = 0;
    for (int i = 0; i < kHalvings; ++i) {
      const double slope = 0.5 * (low + high);
      double time = 0;
      power = 1;
      kept = 0;
      for (std::size_t b = 0; b < bins_; ++b, power *= slope) {
        kept += power * jobs[b];
        time += power * weighted[b];
      }
      (time / kept * whole < time_of_size_[s] ? low : high) = slope;
    }
    const double slope = 0.5 * (low + high);
    power = whole / kept;
    for (std::size_t b = 0; b < bins_; ++b, power *= slope) {
      for (std::size_t t = 0; t < types_; ++t) table_.at(t, s, b) *= power;
    }
  }

  // floor(log2) of a size; for a type with a whisker it stays as it is at four times the whisker.
  std::size_t level(std::size_t t, std::size_t s) const {
    const std::uint32_t whisker = profile_.types[t].whisker_gpus;
    const std::uint32_t most = whisker > 0 ? 4 * whisker : profile_.sizes.back();
    return static_cast<std::size_t>(std::bit_width(std::min(profile_.sizes[s], most)) - 1);
  }

  // Tilts a type's table by `slope` a bin and doubling of size; every bin keeps its share, exactly.
  // Without a target the shares are restored only.
  void hold_time_of_type(std::size_t t) {
    const std::size_t levels = level(t, sizes_ - 1) + 1;
    std::vector<double> jobs(bins_ * levels, 0), gpus(bins_ * levels, 0);
    for (std::size_t s = 0; s < sizes_; ++s) {
      const std::size_t l = level(t, s);
      for (std::size_t b = 0; b < bins_; ++b) {
        jobs[b * levels + l] += table_.at(t, s, b);
        gpus[b * levels + l] += table_.at(t, s, b) * profile_.sizes[s];
      }
    }
    const TypeProfile& type = profile_.types[t];
    double slope = 1;
    if (type.gpu_time_share) {
      const double target =
          profile_.gpu_seconds / static_cast<double>(profile_.gpu_jobs) * *type.gpu_time_share;
      double low = 0.8, high = 1.25;
      for (int i = 0; i < kHalvings; ++i) {
        slope = 0.5 * (low + high);
        double time = 0, of_bin = 1;
        for (std::size_t b = 0; b < bins_; ++b, of_bin *= slope) {
          double kept = 0, asked = 0, power = 1;
          for (std::size_t l = 0; l < levels; ++l, power *= of_bin) {
            kept += power * jobs[b * levels + l];
            asked += power * gpus[b * levels + l];
          }
          if (kept > 0) time += asked / kept * share(t, b) * seconds(t, b);
        }
        (time < target ? low : high) = slope;
      }
    }
    double of_bin = 1;
    for (std::size_t b = 0; b < bins_; ++b, of_bin *= slope) {
      std::vector<double> powers(levels, 1);
      for (std::size_t l = 1; l < levels; ++l) powers[l] = powers[l - 1] * of_bin;
      double kept = 0;
      for (std::size_t l = 0; l < levels; ++l) kept += powers[l] * jobs[b * levels + l];
      for (std::size_t s = 0; s < sizes_; ++s) {
        table_.at(t, s, b) *= kept > 0 ? powers[level(t, s)] * share(t, b) / kept : 0;
      }
    }
  }

  void check() const {
    for (std::size_t t = 0; t < types_; ++t) {
      const TypeProfile& type = profile_.types[t];
      const double whole = type_share(t, 0, sizes_);
      if (!(whole > 0.999 * type.share)) {
        throw ConfigError("published.types." + type.name +
                          ": no GPU count is left for its jobs; see fewest_gpus and gpu_demand");
      }
      if (!type.gpu_quartiles) continue;
      for (std::size_t i = 0; i < 3; ++i) {
        const double level = 0.25 * static_cast<double>(i + 1);
        const std::uint32_t gpus = (*type.gpu_quartiles)[i];
        if (type_share(t, 0, index_of(gpus)) < level * whole &&
            type_share(t, 0, index_of(gpus) + 1) > level * whole) {
          continue;
        }
        throw ConfigError("published.types." + type.name +
                          ".gpu_quartiles: " + std::to_string(gpus) +
                          " cannot be met together with published.gpu_demand and the other types");
      }
    }
    for (std::size_t s = 0; s < sizes_; ++s) {
      if (std::abs(size_share(s) - profile_.size_shares[s]) < kMostOff) continue;
      throw ConfigError("published.gpu_demand: the share of jobs of " +
                        std::to_string(profile_.sizes[s]) +
                        " GPUs cannot be met together with the gpu_quartiles of the types");
    }
  }

  const Profile& profile_;
  std::size_t types_, sizes_, bins_;
  DemandTable table_;
  // The type with most GPU time has what the sizes have and the other types have not.
  std::vector<double> time_of_size_;  // GPU-seconds, a job of the whole trace
};

}  // namespace

DemandTable fit_demand(const Profile& profile) { return Fit(profile).run(); }

}  // namespace berth::synthetic
