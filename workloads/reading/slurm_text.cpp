#include "workloads/reading/slurm_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "workloads/reading/number.hpp"

namespace berth {
namespace {

// Cuts `text` at the last `separator`; what was behind it.
std::optional<std::string_view> cut_behind(std::string_view& text, char separator) {
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view behind = text.substr(at + 1);
  text = text.substr(0, at);
  return behind;
}

std::optional<double> part(std::string_view text, double below) {
  const std::optional<double> value = parse_number(text);
  if (!value || *value < 0 || *value >= below) return std::nullopt;
  return value;
}

bool is_whole(double value) { return value == std::floor(value); }

}  // namespace

std::optional<Duration> parse_slurm_duration(std::string_view text) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  double days = 0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const auto found = part(text.substr(0, dash), kAny);
    if (!found || !is_whole(*found)) return std::nullopt;
    days = *found;
    text.remove_prefix(dash + 1);
    // "1-02:03:04": hours, minutes and seconds follow, always.
    if (std::count(text.begin(), text.end(), ':') != 2) return std::nullopt;
  }
  const auto seconds = cut_behind(text, ':');
  if (!seconds) return std::nullopt;
  const auto minutes = cut_behind(text, ':');
  const auto s = part(*seconds, 60);
  const auto m = part(minutes.value_or(text), minutes ? 60 : kAny);
  const auto h = minutes ? part(text, days > 0 ? 24 : kAny) : 0.0;
  if (!s || !m || !h || !is_whole(*m) || !is_whole(*h)) return std::nullopt;
  const double all = ((days * 24 + *h) * 60 + *m) * 60 + *s;
  if (all > to_seconds(kLongestDuration)) return std::nullopt;
  return Duration(std::llround(all * 1000));
}

std::optional<double> parse_slurm_mib(std::string_view text) {
  double unit = 1;
  if (!text.empty()) {
    constexpr std::string_view kLetters = "KMGTP";
    if (const std::size_t letter = kLetters.find(text.back()); letter != std::string_view::npos) {
      unit = std::ldexp(1.0, 10 * (static_cast<int>(letter) - 1));
      text.remove_suffix(1);
    }
  }
  const std::optional<double> value = parse_number(text);
  if (!value || *value < 0) return std::nullopt;
  return *value * unit;
}

std::optional<SlurmTres> parse_slurm_tres(std::string_view text, std::string_view& fault) {
  constexpr std::string_view kGpu = "gres/gpu";
  SlurmTres out;
  std::uint64_t typed = 0;
  bool any_typed = false;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    fault = item;
    const std::size_t equals = item.find('=');
    if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
    const std::string_view name = item.substr(0, equals);
    const std::string_view value = item.substr(equals + 1);
    if (name == "mem") {
      out.memory_mib = parse_slurm_mib(value);
      if (!out.memory_mib) return std::nullopt;
    } else if (name == "cpu" || name == kGpu) {
      const auto count = parse_count(value);
      if (!count) return std::nullopt;
      (name == "cpu" ? out.cpus : out.gpus) = *count;
    } else if (name.starts_with(kGpu) && name.substr(kGpu.size()).starts_with(':')) {
      const auto count = parse_count(value);
      if (!count) return std::nullopt;
      typed += *count;
      out.several_models = any_typed;
      any_typed = true;
      out.gpu_model = name.substr(kGpu.size() + 1);
    }
  }
  if (out.several_models) out.gpu_model.clear();
  if (any_typed && !out.gpus) {
    if (typed > static_cast<std::uint64_t>(kLargestCount)) return std::nullopt;
    out.gpus = static_cast<std::uint32_t>(typed);
  }
  return out;
}

}  // namespace berth
