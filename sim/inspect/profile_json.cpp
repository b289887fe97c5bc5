#include "sim/inspect/profile_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/metrics/output_file.hpp"
#include "sim/metrics/trace_json.hpp"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json groups_json(const std::vector<JobGroup>& groups) {
  Json out = Json::array();
  for (const JobGroup& group : groups) {
    out.push_back({{"name", group.name},
                   {"jobs", group.jobs},
                   {"jobs_pct", group.jobs_pct},
                   {"gpu_h", group.gpu_hours},
                   {"gpu_time_pct", group.gpu_time_pct}});
  }
  return out;
}

Json quartiles_json(const Quartiles& values) {
  if (values.count == 0) return nullptr;
  return {{"count", values.count}, {"mean", values.mean}, {"min", values.min},
          {"p25", values.p25},     {"p50", values.p50},   {"p75", values.p75},
          {"p90", values.p90},     {"p99", values.p99},   {"max", values.max}};
}

Json curve_json(const std::vector<CurvePoint>& curve, const char* at) {
  Json out = Json::array();
  for (const CurvePoint& point : curve) out.push_back({{at, point.at}, {"cdf_pct", point.cdf_pct}});
  return out;
}

Json arrivals_json(const Arrivals& arrivals) {
  static constexpr const char* kDays[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                          "Friday", "Saturday", "Sunday"};
  Json out = {{"by_hour", Json::array()}, {"by_weekday", Json::array()}};
  for (std::size_t hour = 0; hour < 24; ++hour) {
    out["by_hour"].push_back({{"hour", hour},
                              {"jobs", arrivals.by_hour[hour]},
                              {"jobs_per_day", arrivals.per_hour(hour)}});
  }
  for (std::size_t day = 0; day < 7; ++day) {
    out["by_weekday"].push_back({{"weekday", kDays[day]},
                                 {"jobs", arrivals.by_weekday[day]},
                                 {"days", arrivals.weekdays[day]},
                                 {"jobs_per_day", arrivals.per_weekday(day)}});
  }
  return out;
}

Json days_json(const SubmissionDays& days) {
  Json out = Json::array();
  for (std::size_t i = 0; i < days.jobs.size(); ++i) {
    out.push_back({{"date", date_text(days.first_day + static_cast<std::int64_t>(i))},
                   {"jobs", days.jobs[i]},
                   {"gpu_jobs", days.gpu_jobs[i]}});
  }
  return out;
}

Json load_json(const TraceProfile& profile) {
  const RecordedLoad& load = *profile.load;
  Json out = {{"mean_gpus", load.mean},
              {"peak_gpus", load.peak},
              {"peak_at_s", to_seconds(load.peak_at)},
              {"until_s", to_seconds(load.until)},
              {"interval_s", to_seconds(load.interval)}};
  if (profile.capacity) {
    out["mean_pct"] = 100 * load.mean / *profile.capacity;
    out["peak_pct"] = 100 * load.peak / *profile.capacity;
  }
  out["gpus"] = load.mean_gpus;
  return out;
}

Json profile_json(const TraceProfile& profile) {
  Json out;
  out["name"] = profile.name;
  out["trace"] = trace_json(profile.report);
  put_submissions(out["trace"], profile.report, profile.days ? &*profile.days : nullptr);
  out["transforms"] = profile.transforms;
  out["jobs"] = {{"all", profile.jobs}, {"gpu", profile.gpu_jobs}, {"cpu", profile.cpu_jobs}};
  out["gpu_h"] = profile.groups.gpu_hours;
  out["submissions_s"] = to_seconds(profile.submissions);
  out["run_scv"] = or_null(profile.curves.run_scv);
  out["run_log_lag1"] = or_null(profile.curves.run_log_lag1);
  out["capacity_gpus"] = profile.capacity ? Json(*profile.capacity) : Json(nullptr);
  out["offered_load_pct"] =
      profile.offered_load_pct ? Json(*profile.offered_load_pct) : Json(nullptr);
  out["by_type"] = groups_json(profile.groups.types);
  out["by_state"] = groups_json(profile.groups.states);
  out["cpu_by_state"] = groups_json(profile.groups.cpu_states);
  out["by_size"] = groups_json(profile.groups.sizes);
  out["by_user"] = groups_json(profile.groups.users);
  out["by_vc"] = groups_json(profile.groups.vcs);
  out["by_account"] = groups_json(profile.groups.accounts);
  out["by_priority"] = groups_json(profile.groups.priorities);
  out["by_gpu_model"] = groups_json(profile.groups.gpu_models);
  out["user_skew"] = Json::array();
  for (const JobGroups::Skew& skew : profile.groups.user_skew) {
    out["user_skew"].push_back({{"users_pct", skew.pct},
                                {"jobs_pct", skew.jobs_pct},
                                {"gpu_time_pct", skew.gpu_time_pct}});
  }
  out["types"] = Json::array();
  for (const TypeCurves& type : profile.curves.types) {
    out["types"].push_back({{"type", type.type},
                            {"run_s", quartiles_json(type.run_s)},
                            {"queue_s", quartiles_json(type.queue_s)},
                            {"gpus", quartiles_json(type.gpus)},
                            {"gpu_time_s", quartiles_json(type.gpu_time_s)},
                            {"run_cdf", curve_json(type.run_cdf, "run_s")},
                            {"queue_cdf", curve_json(type.queue_cdf, "queue_s")}});
  }
  out["size_cdf"] = curve_json(profile.curves.size_cdf, "gpus");
  out["gpu_time_cdf"] = curve_json(profile.curves.gpu_time_cdf, "gpus");
  out["arrivals"] = profile.arrivals ? arrivals_json(*profile.arrivals) : Json(nullptr);
  out["days"] = profile.days ? days_json(*profile.days) : Json(nullptr);
  out["load"] = profile.load ? load_json(profile) : Json(nullptr);
  out["oddities"] = Json::array();
  for (const Oddity& oddity : profile.oddities) {
    out["oddities"].push_back(
        {{"what", oddity.what}, {"count", oddity.count}, {"example", oddity.example}});
  }
  return out;
}

}  // namespace

void write_profile_json(const std::filesystem::path& path, std::span<const TraceProfile> profiles) {
  Json out = {{"traces", Json::array()}};
  for (const TraceProfile& profile : profiles) out["traces"].push_back(profile_json(profile));
  OutputFile file(path);
  file.buffer() = out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  file.close();
}

}  // namespace berth
