#include "sim/inspect/profile_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sim/config/wording.hpp"
#include "sim/metrics/trace_notes.hpp"

namespace berth {
namespace {

constexpr std::size_t kLongestName = 28;

std::string format(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

// Three significant digits, and whole numbers whole: 0.25, 12.5, 8, 1,414.
std::string short_number(double value) {
  if (!std::isfinite(value)) return "-";
  const bool whole = value == std::floor(value);
  if (!whole && value < 10) return format("%.2f", value);
  if (!whole && value < 100) return format("%.1f", value);
  return with_commas(static_cast<std::uint64_t>(std::llround(value)));
}

// A table of texts, columns as wide as what is in them; the first one is flush left.
class TextTable {
 public:
  explicit TextTable(std::string title) : title_(std::move(title)) {}

  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string out = title_ + "\n";
    for (const auto& row : rows_) {
      std::string line = "  ";
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string padding(widths[i] - row[i].size(), ' ');
        line += i == 0 ? row[i] + padding : "  " + padding + row[i];
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out + "\n";
  }

 private:
  std::string title_;
  std::vector<std::vector<std::string>> rows_;
};

using Profiles = std::span<const TraceProfile>;

// A heading row: empty, then the names of the traces.
std::vector<std::string> names_of(Profiles profiles) {
  std::vector<std::string> out{""};
  for (const TraceProfile& profile : profiles) out.push_back(printable(profile.name, kLongestName));
  return out;
}

template <class Cell>
std::vector<std::string> cells(const std::string& label, Profiles profiles, Cell cell) {
  std::vector<std::string> out{label};
  for (const TraceProfile& profile : profiles) out.push_back(cell(profile));
  return out;
}

std::string submission(const TraceProfile& profile, bool last, bool local) {
  if (!profile.days) return "-";
  const SubmissionDays& days = *profile.days;
  if (local) return civil_text(last ? days.last_civil_ms : days.first_civil_ms);
  return civil_text(last ? days.last_unix_ms : days.first_unix_ms) + "Z";
}

std::string overview(Profiles profiles) {
  TextTable table("Traces");
  table.row(names_of(profiles));
  const auto add = [&](const char* label, auto cell) { table.row(cells(label, profiles, cell)); };
  add("format", [](const TraceProfile& p) { return p.report.format; });
  add("rows", [](const TraceProfile& p) { return with_commas(p.report.rows); });
  add("rows kept", [](const TraceProfile& p) { return with_commas(p.report.kept); });
  add("jobs", [](const TraceProfile& p) { return with_commas(p.jobs); });
  add("  with GPUs", [](const TraceProfile& p) { return with_commas(p.gpu_jobs); });
  add("  CPU only", [](const TraceProfile& p) { return with_commas(p.cpu_jobs); });
  add("users of GPUs", [](const TraceProfile& p) { return with_commas(p.groups.users.size()); });
  add("first submission", [](const TraceProfile& p) { return submission(p, false, false); });
  add("last submission", [](const TraceProfile& p) { return submission(p, true, false); });
  add("clock", [](const TraceProfile& p) { return p.days ? p.report.zone.name() : "-"; });
  add("first, local", [](const TraceProfile& p) { return submission(p, false, true); });
  add("last, local", [](const TraceProfile& p) { return submission(p, true, true); });
  add("submissions span", [](const TraceProfile& p) { return describe(p.submissions); });
  add("days with jobs", [](const TraceProfile& p) {
    return p.days ? with_commas(p.days->days_covered) + " of " + with_commas(p.days->jobs.size())
                  : "-";
  });
  add("GPU-hours", [](const TraceProfile& p) { return short_number(p.groups.gpu_hours); });
  add("running GPUs, mean",
      [](const TraceProfile& p) { return p.load ? short_number(p.load->mean) : "-"; });
  add("running GPUs, most",
      [](const TraceProfile& p) { return p.load ? short_number(p.load->peak) : "-"; });
  if (std::ranges::any_of(profiles, [](const TraceProfile& p) { return p.capacity.has_value(); })) {
    add("GPUs of the cluster",
        [](const TraceProfile& p) { return p.capacity ? short_number(*p.capacity) : "-"; });
    add("  mean load, %", [](const TraceProfile& p) {
      return p.capacity && p.load ? format("%.1f", 100 * p.load->mean / *p.capacity) : "-";
    });
    add("  most load, %", [](const TraceProfile& p) {
      return p.capacity && p.load ? format("%.1f", 100 * p.load->peak / *p.capacity) : "-";
    });
    add("  offered load, %", [](const TraceProfile& p) {
      return p.offered_load_pct ? format("%.1f", *p.offered_load_pct) : "-";
    });
  }
  add("run time, variance / mean^2",
      [](const TraceProfile& p) { return short_number(p.curves.run_scv); });
  add("log run time, lag-1 correlation", [](const TraceProfile& p) {
    const double value = p.curves.run_log_lag1;
    return std::isfinite(value) ? format("%.3f", value) : "-";
  });
  return table.text();
}

// Names in the order of the first trace, then those that only later ones have.
std::vector<std::string> all_names(Profiles profiles, std::vector<JobGroup> JobGroups::*groups,
                                   std::size_t most) {
  std::vector<std::string> out;
  for (const TraceProfile& profile : profiles) {
    std::size_t taken = 0;
    for (const JobGroup& group : profile.groups.*groups) {
      if (taken++ == most) break;
      if (std::ranges::find(out, group.name) == out.end()) out.push_back(group.name);
    }
  }
  return out;
}

std::string share_cell(const TraceProfile& profile, std::vector<JobGroup> JobGroups::*groups,
                       const std::string& name, bool with_time) {
  for (const JobGroup& group : profile.groups.*groups) {
    if (group.name != name) continue;
    const std::string jobs = with_commas(group.jobs) + format("  %5.1f", group.jobs_pct);
    return with_time ? jobs + format("  %5.1f", group.gpu_time_pct) : jobs;
  }
  return "-";
}

// Jobs, their share, their share of the GPU time. Empty where no trace has such groups.
std::string shares(Profiles profiles, const char* title, std::vector<JobGroup> JobGroups::*groups,
                   std::size_t most, bool with_time = true) {
  std::vector<std::string> names = all_names(profiles, groups, most);
  if (names.empty()) return {};
  if (groups == &JobGroups::sizes) {
    std::ranges::stable_sort(names, {}, [](const std::string& name) { return std::stod(name); });
  }
  TextTable table(std::string(title) +
                  (with_time ? "   (jobs, % of jobs, % of GPU time)" : "   (jobs, % of jobs)"));
  table.row(names_of(profiles));
  for (const std::string& name : names) {
    const std::string label = name.empty() ? "(none)" : printable(name, kLongestName);
    table.row(cells(label, profiles, [&](const TraceProfile& profile) {
      return share_cell(profile, groups, name, with_time);
    }));
  }
  return table.text();
}

std::string skew(Profiles profiles) {
  TextTable table(
      "The most active users   (% of jobs; % of GPU time of those with the most of it)");
  table.row(names_of(profiles));
  std::size_t rows = 0;
  for (const TraceProfile& profile : profiles) {
    rows = std::max(rows, profile.groups.user_skew.size());
  }
  if (rows == 0) return {};
  for (std::size_t i = 0; i < rows; ++i) {
    double pct = 0;
    std::vector<std::string> row = cells("", profiles, [&](const TraceProfile& profile) {
      if (i >= profile.groups.user_skew.size()) return std::string("-");
      const JobGroups::Skew& each = profile.groups.user_skew[i];
      pct = each.pct;
      return format("%.1f", each.jobs_pct) + format("  %5.1f", each.gpu_time_pct);
    });
    row.front() = "first " + format("%.0f", pct) + " %";
    table.row(std::move(row));
  }
  return table.text();
}

const TypeCurves* curves_of_type(const TraceProfile& profile, const std::string& type) {
  for (const TypeCurves& each : profile.curves.types) {
    if (each.type == type) return &each;
  }
  return nullptr;
}

std::string quartiles(Profiles profiles, const char* title, Quartiles TypeCurves::*quantity) {
  std::vector<std::string> types;
  for (const TraceProfile& profile : profiles) {
    for (const TypeCurves& each : profile.curves.types) {
      if (each.type == "CPU jobs" && quantity == &TypeCurves::gpus) continue;
      if (each.type == "CPU jobs" && quantity == &TypeCurves::gpu_time_s) continue;
      if ((each.*quantity).count == 0) continue;
      if (std::ranges::find(types, each.type) == types.end()) types.push_back(each.type);
    }
  }
  if (types.empty()) return {};
  TextTable table(std::string(title) + "   (quartiles; mean)");
  table.row(names_of(profiles));
  for (const std::string& type : types) {
    table.row(cells(printable(type, kLongestName), profiles, [&](const TraceProfile& profile) {
      const TypeCurves* const found = curves_of_type(profile, type);
      if (found == nullptr || (found->*quantity).count == 0) return std::string("-");
      const Quartiles& q = found->*quantity;
      return short_number(q.p25) + " / " + short_number(q.p50) + " / " + short_number(q.p75) +
             "; " + short_number(q.mean);
    }));
  }
  return table.text();
}

std::string arrivals(Profiles profiles) {
  if (std::ranges::none_of(profiles, [](const auto& p) { return p.arrivals.has_value(); })) {
    return {};
  }
  static constexpr const char* kDays[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  TextTable table(
      "Submissions   (jobs a day on such days; jobs in that hour of a day; local time)");
  table.row(names_of(profiles));
  for (std::size_t day = 0; day < 7; ++day) {
    table.row(cells(kDays[day], profiles, [&](const TraceProfile& p) {
      return p.arrivals && p.arrivals->weekdays[day] != 0
                 ? short_number(p.arrivals->per_weekday(day))
                 : "-";
    }));
  }
  for (std::size_t hour = 0; hour < 24; ++hour) {
    char label[8];
    std::snprintf(label, sizeof label, "%02zu h", hour);
    table.row(cells(label, profiles, [&](const TraceProfile& p) {
      return p.arrivals ? short_number(p.arrivals->per_hour(hour)) : "-";
    }));
  }
  return table.text();
}

// What was dropped, fixed and found, a trace after the other.
std::string notes(const TraceProfile& profile) {
  std::string out = printable(profile.name, 60) + ":\n";
  const auto line = [&](const std::string& text) { out += "  " + text + "\n"; };
  if (profile.days) line("clock " + profile.report.zone.name() + ": " + profile.report.zone_source);
  for (const TraceReport::ColumnTest& test : profile.report.column_tests) {
    line(column_meaning(test).text);
  }
  for (const TraceReport::Verdict& verdict : profile.report.dropped) {
    line("dropped " + verdict_text(verdict));
  }
  for (const TraceReport::Verdict& verdict : profile.report.fixed) {
    line("kept " + verdict_text(verdict));
  }
  for (const std::string& transform : profile.transforms) line("transform " + transform);
  for (const Oddity& oddity : profile.oddities) {
    line("odd: " + with_commas(oddity.count) + " " + oddity.what +
         (oddity.example.empty() ? "" : " (" + printable(oddity.example, 80) + ")"));
  }
  return out;
}

}  // namespace

std::string profile_table(Profiles profiles, std::size_t top) {
  constexpr std::size_t kAll = ~std::size_t{0};
  std::string out = overview(profiles);
  out += shares(profiles, "GPU jobs by type", &JobGroups::types, kAll);
  out += shares(profiles, "GPU jobs by final state", &JobGroups::states, kAll);
  out += shares(profiles, "CPU jobs by final state", &JobGroups::cpu_states, kAll, false);
  out += shares(profiles, "GPU jobs by size", &JobGroups::sizes, kAll);
  out += shares(profiles, "GPU jobs by virtual cluster", &JobGroups::vcs, top);
  out += shares(profiles, "GPU jobs by account", &JobGroups::accounts, top);
  out += shares(profiles, "GPU jobs by priority", &JobGroups::priorities, top);
  out += shares(profiles, "GPU jobs by required model", &JobGroups::gpu_models, top);
  out += shares(profiles, "GPU jobs by user", &JobGroups::users, top);
  out += skew(profiles);
  out += quartiles(profiles, "Run time, s", &TypeCurves::run_s);
  out += quartiles(profiles, "Queuing delay, s", &TypeCurves::queue_s);
  out += quartiles(profiles, "GPUs", &TypeCurves::gpus);
  out += quartiles(profiles, "GPU time, s", &TypeCurves::gpu_time_s);
  out += arrivals(profiles);
  out += "Notes\n";
  for (const TraceProfile& profile : profiles) out += notes(profile);
  return out;
}

}  // namespace berth
