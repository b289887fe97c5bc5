#include "sim/inspect/profile_csv.hpp"

#include <charconv>
#include <functional>

#include "sim/core/check.hpp"
#include "sim/metrics/output_file.hpp"

namespace berth {
namespace {

// A row of fields.
class Row {
 public:
  Row(std::string& out, const std::string& trace) : out_(out) { append_csv_text(out_, trace); }
  ~Row() { out_ += '\n'; }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  Row& text(std::string_view value) {
    out_ += ',';
    append_csv_text(out_, value);
    return *this;
  }
  // The shortest text that reads back as the same number.
  Row& number(double value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out_ += ',';
    out_.append(digits, end);
    return *this;
  }
  Row& count(std::uint64_t value) {
    out_ += ',';
    append_integer(out_, static_cast<std::int64_t>(value));
    return *this;
  }

 private:
  std::string& out_;
};

void shares(const TraceProfile& profile, std::string& out) {
  const JobGroups& groups = profile.groups;
  const auto put = [&](const char* by, const std::vector<JobGroup>& all) {
    for (const JobGroup& group : all) {
      Row(out, profile.name)
          .text(by)
          .text(group.name)
          .count(group.jobs)
          .number(group.jobs_pct)
          .number(group.gpu_hours)
          .number(group.gpu_time_pct);
    }
  };
  put("type", groups.types);
  put("state", groups.states);
  put("cpu_state", groups.cpu_states);
  put("size", groups.sizes);
  put("user", groups.users);
  put("vc", groups.vcs);
  put("account", groups.accounts);
  put("priority", groups.priorities);
  put("gpu_model", groups.gpu_models);
}

void quartiles(const TraceProfile& profile, std::string& out) {
  for (const TypeCurves& type : profile.curves.types) {
    const auto put = [&](const char* quantity, const Quartiles& values) {
      if (values.count == 0) return;
      Row(out, profile.name)
          .text(type.type)
          .text(quantity)
          .count(values.count)
          .number(values.mean)
          .number(values.min)
          .number(values.p25)
          .number(values.p50)
          .number(values.p75)
          .number(values.p90)
          .number(values.p99)
          .number(values.max);
    };
    put("run_s", type.run_s);
    put("queue_s", type.queue_s);
    put("gpus", type.gpus);
    put("gpu_time_s", type.gpu_time_s);
  }
}

template <std::vector<CurvePoint> TypeCurves::*kCurve>
void type_curve(const TraceProfile& profile, std::string& out) {
  for (const TypeCurves& type : profile.curves.types) {
    for (const CurvePoint& point : type.*kCurve) {
      Row(out, profile.name).text(type.type).number(point.at).number(point.cdf_pct);
    }
  }
}

template <std::vector<CurvePoint> Curves::*kCurve>
void size_curve(const TraceProfile& profile, std::string& out) {
  for (const CurvePoint& point : profile.curves.*kCurve) {
    Row(out, profile.name).number(point.at).number(point.cdf_pct);
  }
}

void hours(const TraceProfile& profile, std::string& out) {
  if (!profile.arrivals) return;
  for (std::size_t hour = 0; hour < 24; ++hour) {
    Row(out, profile.name)
        .count(hour)
        .count(profile.arrivals->by_hour[hour])
        .number(profile.arrivals->per_hour(hour));
  }
}

void weekdays(const TraceProfile& profile, std::string& out) {
  if (!profile.arrivals) return;
  for (std::size_t day = 0; day < 7; ++day) {
    Row(out, profile.name)
        .count(day + 1)
        .count(profile.arrivals->by_weekday[day])
        .count(profile.arrivals->weekdays[day])
        .number(profile.arrivals->per_weekday(day));
  }
}

void days(const TraceProfile& profile, std::string& out) {
  if (!profile.days) return;
  for (std::size_t i = 0; i < profile.days->jobs.size(); ++i) {
    Row(out, profile.name)
        .text(date_text(profile.days->first_day + static_cast<std::int64_t>(i)))
        .count(profile.days->jobs[i])
        .count(profile.days->gpu_jobs[i]);
  }
}

void load(const TraceProfile& profile, std::string& out) {
  if (!profile.load) return;
  const double interval_s = to_seconds(profile.load->interval);
  for (std::size_t i = 0; i < profile.load->mean_gpus.size(); ++i) {
    Row(out, profile.name)
        .number(static_cast<double>(i) * interval_s)
        .number(profile.load->mean_gpus[i]);
  }
}

struct File {
  const char* name;
  const char* columns;
  void (*rows)(const TraceProfile&, std::string&);
};

constexpr File kFiles[] = {
    {"shares.csv", "trace,by,name,jobs,jobs_pct,gpu_h,gpu_time_pct", shares},
    {"quartiles.csv", "trace,type,quantity,count,mean,min,p25,p50,p75,p90,p99,max", quartiles},
    {"duration_cdf.csv", "trace,type,duration_s,cdf_pct", type_curve<&TypeCurves::run_cdf>},
    {"queue_cdf.csv", "trace,type,queue_s,cdf_pct", type_curve<&TypeCurves::queue_cdf>},
    {"gpu_num_cdf.csv", "trace,gpus,cdf_pct", size_curve<&Curves::size_cdf>},
    {"gpu_time_cdf.csv", "trace,gpus,cdf_pct", size_curve<&Curves::gpu_time_cdf>},
    {"arrivals_by_hour.csv", "trace,hour,jobs,jobs_per_day", hours},
    {"arrivals_by_weekday.csv", "trace,weekday,jobs,days,jobs_per_day", weekdays},
    {"days.csv", "trace,date,jobs,gpu_jobs", days},
    {"load.csv", "trace,time_s,mean_gpus", load},
};

}  // namespace

const std::vector<std::string>& profile_csv_files() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const File& file : kFiles) out.emplace_back(file.name);
    return out;
  }();
  return names;
}

void write_profile_csv(const std::string& name, const std::filesystem::path& path,
                       std::span<const TraceProfile> profiles) {
  for (const File& each : kFiles) {
    if (name != each.name) continue;
    OutputFile file(path);
    file.buffer() = std::string(each.columns) + "\n";
    for (const TraceProfile& profile : profiles) {
      each.rows(profile, file.buffer());
      file.flush_if_large();
    }
    file.close();
    return;
  }
  SIM_CHECK(false, "no CSV file of that name");
}

}  // namespace berth
