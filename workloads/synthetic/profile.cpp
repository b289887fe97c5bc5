#include "workloads/synthetic/profile.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "sim/config/config_node.hpp"
#include "sim/config/config_tree.hpp"
#include "sim/core/suggest.hpp"

namespace berth::synthetic {
namespace {

constexpr std::int64_t kMostGpus = 1'000'000;
constexpr std::int64_t kMostJobs = 100'000'000;
constexpr double kMostSeconds = 315'360'000;  // ten years
constexpr double kAboveZero = std::numeric_limits<double>::min();
const std::vector<std::string> kTypes{"Eval", "Pretrain", "SFT", "MLLM", "Debug", "Other"};

// "2023-03-01 00:00:00" as seconds after 1970, as if in UTC.
std::optional<std::int64_t> parse_time(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-dd dd:dd:dd";
  if (text.size() != kShape.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == 'd' ? !is_digit : text[i] != kShape[i]) return std::nullopt;
  }
  const auto field = [&](std::size_t at, std::size_t size) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + size, value);
    return value;
  };
  const std::chrono::year_month_day day{std::chrono::year(field(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(field(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(field(8, 2)))};
  const int hour = field(11, 2), minute = field(14, 2), second = field(17, 2);
  if (!day.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  if (field(0, 4) < 1971) return std::nullopt;  // so that no zone leads before 1970
  return std::chrono::sys_days(day).time_since_epoch().count() * std::int64_t{86'400} +
         hour * 3600 + minute * 60 + second;
}

std::int64_t read_time(ConfigNode& node, std::string_view key) {
  const std::string text = node.text(key, {});
  const std::optional<std::int64_t> time = parse_time(text);
  if (!time && node.has(key)) {
    node.error(key, "\"" + text + "\" is not a time; write 2023-03-01 00:00:00");
  }
  return time.value_or(0);
}

std::uint32_t read_count(ConfigNode& node, std::string_view key, std::optional<std::int64_t> other,
                         std::int64_t min, std::int64_t max) {
  return static_cast<std::uint32_t>(node.integer(key, other, min, max));
}

// Percentages that do not fall, as shares; empty after an error.
std::vector<double> read_cumulative(ConfigNode& node, std::string_view key) {
  std::vector<double> shares = node.numbers(key, 0, 100);
  if (!std::is_sorted(shares.begin(), shares.end())) {
    node.error(key, "a cumulative curve must not fall");
    return {};
  }
  for (double& share : shares) share /= 100;
  return shares;
}

// Per cent at most 2^i s, i = 0, 1, ...; what is missing at the last knot lies above it, at most
// at `tail_s`. Knots above `longest` say nothing that `longest` does not.
Curve read_curve(ConfigNode& node, std::string_view key, double bend, double longest,
                 std::optional<double> tail_s) {
  Curve nothing({{1, 1.0}}, 0);
  const std::vector<double> shares = read_cumulative(node, key);
  if (shares.empty()) return nothing;
  if (shares.size() > 28) {
    node.error(key, "more than 28 knots: 2^28 s are eight years");
    return nothing;
  }
  std::vector<Knot> knots;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double value = static_cast<double>(std::uint64_t{1} << i);
    if (i > 0 && shares[i - 1] >= 1.0) break;
    knots.push_back({std::min(value, longest), shares[i]});
    if (value >= longest) break;
  }
  if (knots.back().cumulative < 1.0 && knots.back().value < longest) {
    if (!tail_s || *tail_s <= knots.back().value) {
      node.error(key,
                 "the curve ends below 100 % and no fitted tail beyond its last knot says "
                 "where it gets there");
      return nothing;
    }
    knots.push_back({*tail_s, 1.0});
  }
  if (knots.back().cumulative < 1.0) {
    node.error(key, "the curve is below 100 % at published.longest_run_s");
    return nothing;
  }
  return Curve(std::move(knots), bend);
}

StateShares read_states(ConfigNode parent, std::string_view key) {
  ConfigNode node = parent.section(key);
  StateShares shares{};
  double sum = 0;
  constexpr std::array<std::string_view, 3> kStates{"completed", "cancelled", "failed"};
  for (std::size_t i = 0; i < 3; ++i) {
    shares[i] = node.number(kStates[i], {}, kAboveZero, 1e15);
    sum += shares[i];
  }
  node.finish();
  for (double& share : shares) share /= sum;
  return shares;
}

DemandCurve read_demand(ConfigNode parent, std::string_view key) {
  ConfigNode node = parent.section(key);
  DemandCurve curve;
  curve.gpus = node.numbers("gpus", 1, static_cast<double>(kMostGpus));
  curve.cumulative = read_cumulative(node, "pct");
  if (curve.gpus.size() != curve.cumulative.size()) {
    node.error("pct", "has " + std::to_string(curve.cumulative.size()) + " values for " +
                          std::to_string(curve.gpus.size()) + " GPU counts");
  } else if (std::adjacent_find(curve.gpus.begin(), curve.gpus.end(), std::greater_equal<>()) !=
             curve.gpus.end()) {
    node.error("gpus", "GPU counts must rise");
  } else if (curve.cumulative.empty() || curve.cumulative.back() < 1.0) {
    node.error("pct", "the curve must end at 100 %");
  } else {
    node.finish();
    return curve;
  }
  node.finish();
  return {{1.0}, {1.0}};
}

// The share of each size: the rise of the curve from just below it to just below the next one.
std::vector<double> size_shares(const DemandCurve& curve, const std::vector<std::uint32_t>& sizes) {
  std::vector<double> shares;
  double before = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double upto = i + 1 < sizes.size() ? curve.at(sizes[i + 1] - 1.0) : 1.0;
    shares.push_back(upto - before);
    before = upto;
  }
  return shares;
}

// Multiplies the share of every size from `gpus` up and gives the rest to the others in proportion.
void thin_large(const std::vector<std::uint32_t>& sizes, std::uint32_t gpus, double factor,
                std::vector<double>& shares) {
  double small = 0, large = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) (sizes[i] >= gpus ? large : small) += shares[i];
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (small > 0) shares[i] *= sizes[i] >= gpus ? factor : (1 - large * factor) / small;
  }
}

void read_type(ConfigNode node, const Profile& profile, double bend, double longest,
               std::optional<double> queue_tail, TypeProfile& type) {
  type.share = node.number("share", {}, kAboveZero, 1e9);
  if (node.has("gpu_time_pct")) {
    type.gpu_time_share = node.number("gpu_time_pct", {}, kAboveZero, 100) / 100;
  } else {
    node.number("gpu_time_pct", 0.0, 0, 100);
  }
  type.fewest_gpus = read_count(node, "fewest_gpus", 1, 1, kMostGpus);
  type.whisker_gpus = read_count(node, "whisker_gpus", 0, 0, kMostGpus);
  if (node.has("gpu_quartiles")) {
    const std::vector<double> q = node.numbers("gpu_quartiles", 1, static_cast<double>(kMostGpus));
    if (q.size() != 3 || !std::is_sorted(q.begin(), q.end())) {
      node.error("gpu_quartiles", "three GPU counts that do not fall: lower, median, upper");
    } else {
      std::array<std::uint32_t, 3> quartiles{};
      for (std::size_t i = 0; i < 3; ++i) {
        quartiles[i] = static_cast<std::uint32_t>(q[i]);
        if (std::find(profile.sizes.begin(), profile.sizes.end(), quartiles[i]) ==
            profile.sizes.end()) {
          node.error("gpu_quartiles", std::to_string(quartiles[i]) + " is not one of fitted.sizes");
        }
        if (quartiles[i] < type.fewest_gpus) {
          node.error("gpu_quartiles", std::to_string(quartiles[i]) + " is below fewest_gpus");
        }
      }
      type.gpu_quartiles = quartiles;
    }
  }
  if (!profile.sizes.empty() && type.fewest_gpus > profile.sizes.back()) {
    node.error("fewest_gpus", "none of fitted.sizes is so large");
  }
  type.duration = read_curve(node, "duration_pct", bend, longest, {});
  type.queue = read_curve(node, "queue_pct", 0, kMostSeconds, queue_tail);
  node.finish();
}

CampaignProfile read_campaign(ConfigNode parent, std::string_view key) {
  ConfigNode node = parent.section(key);
  CampaignProfile campaign;
  campaign.trials = read_count(node, "trials", 1, 1, 100'000);
  campaign.gap_s = read_count(node, "gap_s", 0, 0, 86'400);
  campaign.alike = node.number("alike", 0.0, 0, 1);
  campaign.most_gpus = read_count(node, "most_gpus", kMostGpus, 1, kMostGpus);
  node.finish();
  return campaign;
}

template <std::size_t kCount>
void read_rates(ConfigNode& node, std::string_view key, std::array<double, kCount>& rates) {
  const std::vector<double> given = node.numbers(key, 0, 1e6);
  double sum = 0;
  for (const double rate : given) sum += rate;
  if (given.size() != kCount || sum <= 0) {
    node.error(key, std::to_string(kCount) + " relative rates, not all 0");
    rates.fill(1);
    return;
  }
  std::copy(given.begin(), given.end(), rates.begin());
}

std::vector<std::uint32_t> read_gpu_list(ConfigNode& node, std::string_view key, bool must_rise) {
  std::vector<std::uint32_t> out;
  for (const double value : node.numbers(key, 1, static_cast<double>(kMostGpus))) {
    if (value != std::floor(value)) {
      node.error(key, "whole numbers only");
      return {1};
    }
    out.push_back(static_cast<std::uint32_t>(value));
  }
  if (must_rise &&
      std::adjacent_find(out.begin(), out.end(), std::greater_equal<>()) != out.end()) {
    node.error(key, "the numbers must rise");
  }
  if (out.empty()) out.push_back(1);
  return out;
}

void read_chains(ConfigNode node, const std::vector<std::string>& names, Profile& profile) {
  ChainProfile& chains = profile.chains;
  chains.type = node.choice("type", names, {});
  chains.others_above = read_count(node, "others_above", kMostGpus, 0, kMostGpus);
  chains.blocks = read_gpu_list(node, "blocks", false);
  std::uint64_t sum = 0;
  for (const std::uint32_t block : chains.blocks) sum += block;
  if (sum > profile.cluster_gpus) {
    node.error("blocks", "the teams hold " + std::to_string(sum) + " GPUs together, the cluster " +
                             std::to_string(profile.cluster_gpus));
  }
  chains.fill = node.number("fill", 0.9, kAboveZero, 1);
  chains.restart_s = node.number("restart_s", {}, 0, kMostSeconds);
  chains.think_s = node.number("think_s", {}, 0, kMostSeconds);
  chains.team_users = read_count(node, "team_users", 1, 1, 10'000);
  node.finish();
}

// Shares of types that are there; an error if there are none.
void read_types(ConfigNode published, double bend, std::optional<double> queue_tail,
                const ConfigNode& campaigns, Profile& profile) {
  const double longest = published.number("longest_run_s", {}, 1, kMostSeconds);
  ConfigNode node = published.section("types");
  double sum = 0;
  for (const std::string& name : kTypes) {
    if (!node.has(name)) continue;
    TypeProfile type;
    type.name = name;
    read_type(node.section(name), profile, bend, longest, queue_tail, type);
    type.campaign = read_campaign(campaigns, name);
    sum += type.share;
    profile.types.push_back(std::move(type));
  }
  if (profile.types.empty()) published.error("types", "no type of job; known are " + join(kTypes));
  for (TypeProfile& type : profile.types) type.share /= sum;
  node.finish();
}

void read_period(ConfigNode node, Profile& profile) {
  profile.first_s = read_time(node, "first");
  profile.last_s = read_time(node, "last");
  if (profile.last_s - profile.first_s < 3600) {
    node.error("last", "must be an hour or more after period.first");
    profile.last_s = profile.first_s + 3600;
  } else if (static_cast<double>(profile.last_s - profile.first_s) > kMostSeconds) {
    node.error("last", "more than ten years after period.first");
  }
  profile.local_offset_s = node.integer("local_hours", 8, -12, 14) * 3600;
  profile.stamp_offset_s = profile.schema == Schema::kSeren ? 8 * 3600 : 0;
  node.finish();
}

void read_gpus(ConfigNode published, ConfigNode fitted, Profile& profile) {
  profile.sizes = read_gpu_list(fitted, "sizes", true);
  profile.size_shares = size_shares(read_demand(published, "gpu_demand"), profile.sizes);
  profile.size_time_shares = size_shares(read_demand(published, "gpu_time"), profile.sizes);
  ConfigNode large = fitted.section("large_sizes");
  const std::uint32_t from = read_count(large, "from_gpus", kMostGpus, 1, kMostGpus);
  thin_large(profile.sizes, from, large.number("factor", 1.0, 0, 1), profile.size_shares);
  large.finish();
  ConfigNode tilt = fitted.section("gpu_time_tilt");
  profile.gpu_time_tilt_from = read_count(tilt, "from_gpus", 64, 1, kMostGpus);
  profile.gpu_time_tilt = tilt.number("per_doubling", 1.0, 0.5, 2);
  tilt.finish();
  profile.gpu_states = read_states(published, "gpu_job_states");
  profile.gpu_time_states = read_states(published, "gpu_second_states");
  profile.cpu_states = read_states(published, "cpu_job_states");
  profile.gpu_seconds = published.number("gpu_seconds", {}, kAboveZero, 1e15);
}

}  // namespace

double DemandCurve::at(double gpu_count) const {
  if (gpu_count < gpus.front()) return 0;
  if (gpu_count >= gpus.back()) return 1;
  const auto above = static_cast<std::size_t>(
      std::upper_bound(gpus.begin(), gpus.end(), gpu_count) - gpus.begin());
  const double part = (gpu_count - gpus[above - 1]) / (gpus[above] - gpus[above - 1]);
  return cumulative[above - 1] + part * (cumulative[above] - cumulative[above - 1]);
}

Profile load_profile(const std::filesystem::path& file) {
  ConfigReader reader(load_config(file, {}, {}));
  ConfigNode root = reader.root();
  Profile profile;
  const bool is_seren = root.choice("schema", {"seren", "kalos"}, {}) == "seren";
  profile.schema = is_seren ? Schema::kSeren : Schema::kKalos;

  ConfigNode cluster = root.section("cluster");
  profile.cluster_gpus = read_count(cluster, "gpus", {}, 1, kMostGpus);
  profile.gpus_per_node = read_count(cluster, "gpus_per_node", {}, 1, 1024);
  profile.cpus_per_gpu = read_count(cluster, "cpus_per_gpu", {}, 1, 1024);
  cluster.finish();
  read_period(root.section("period"), profile);

  ConfigNode published = root.section("published");
  ConfigNode fitted = root.section("fitted");
  ConfigNode assumed = root.section("assumed");
  profile.gpu_jobs = static_cast<std::uint64_t>(published.integer("gpu_jobs", {}, 1, kMostJobs));
  profile.cpu_jobs = static_cast<std::uint64_t>(published.integer("cpu_jobs", {}, 0, kMostJobs));
  read_gpus(published, fitted, profile);

  const double bend = fitted.number("duration_bend", 0.0, 0, 1);
  const auto tail = [&](std::string_view key) -> std::optional<double> {
    const double seconds = fitted.number(key, 0.0, 0, kMostSeconds);
    return seconds > 0 ? std::optional(seconds) : std::nullopt;
  };
  ConfigNode campaigns = assumed.section("campaigns");
  read_types(published, bend, tail("queue_tail_s"), campaigns, profile);
  profile.cpu_campaign = read_campaign(campaigns, "CPU");
  campaigns.finish();
  profile.cpu_duration =
      read_curve(published, "cpu_duration_pct", 0, kMostSeconds, tail("cpu_duration_tail_s"));
  profile.cpu_queue =
      read_curve(fitted, "cpu_queue_pct", 0, kMostSeconds, tail("cpu_queue_tail_s"));
  published.finish();
  fitted.finish();

  profile.cpu_counts = read_gpu_list(assumed, "cpu_job_cpus", false);
  profile.users = read_count(assumed, "users", {}, 1, 10'000);
  ConfigNode rates = assumed.section("rates");
  read_rates(rates, "by_hour", profile.by_hour);
  read_rates(rates, "by_weekday", profile.by_weekday);
  rates.finish();
  std::vector<std::string> names;
  for (const TypeProfile& type : profile.types) names.push_back(type.name);
  if (names.empty()) names = kTypes;
  read_chains(assumed.section("chains"), names, profile);
  assumed.finish();
  root.finish();
  reader.throw_if_errors();
  return profile;
}

}  // namespace berth::synthetic
