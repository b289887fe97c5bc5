#include "sim/metrics/timeline_csv.hpp"

#include "sim/core/error.hpp"

namespace berth {

TimelineCsv::TimelineCsv(const std::filesystem::path& path, const JobTable& jobs,
                         const ClusterSpec& cluster, Duration every)
    : file_(path), jobs_(jobs), gpus_total_(cluster.total_parts()), every_(every) {
  file_.buffer() +=
      "time_s,gpus_total,gpus_up,gpus_allocated,gpus_productive,jobs_pending,gpus_pending,"
      "jobs_running\n";
}

void TimelineCsv::consume(std::span<const Record> records) {
  for (const Record& record : records) {
    write_rows_before(record.time);
    const std::int64_t gpus = jobs_[JobId(record.subject)].gpu_parts;
    switch (record.kind) {
      case RecordKind::kSubmitted:
        ++jobs_pending_;
        gpus_pending_ += gpus;
        break;
      case RecordKind::kStarted:
        --jobs_pending_;
        gpus_pending_ -= gpus;
        ++jobs_running_;
        gpus_allocated_ += gpus;
        break;
      case RecordKind::kPreempted:
        ++jobs_pending_;
        gpus_pending_ += gpus;
        [[fallthrough]];
      case RecordKind::kFinished:
        --jobs_running_;
        gpus_allocated_ -= gpus;
        break;
      case RecordKind::kTaken:
      case RecordKind::kGiven:
        break;
    }
  }
}

void TimelineCsv::write_rows_before(SimTime time) {
  while (next_row_ < time) write_row();
}

void TimelineCsv::finish(SimTime end) {
  write_rows_before(end);
  write_row();
  file_.close();
}

void TimelineCsv::write_row() {
  if (++rows_ > kMostRows) {
    throw ConfigError("output.timeline: " + format_duration(every_) + " makes more than " +
                      std::to_string(kMostRows) + " rows by " +
                      describe(next_row_.time_since_epoch()) +
                      " of simulated time; choose a longer interval, or off");
  }
  std::string& out = file_.buffer();
  append_seconds(out, next_row_.time_since_epoch());
  const auto total = static_cast<std::int64_t>(gpus_total_);
  const std::uint32_t parts = jobs_.parts_per_gpu();
  const auto put = [&out](std::int64_t value, std::uint32_t parts_per_unit) {
    out += ',';
    append_gpus(out, value, parts_per_unit);
  };
  for (const std::int64_t gpus : {total, total, gpus_allocated_, gpus_allocated_}) put(gpus, parts);
  put(jobs_pending_, 1);
  put(gpus_pending_, parts);
  put(jobs_running_, 1);
  out += '\n';
  file_.flush_if_large();
  next_row_ += every_;
}

}  // namespace berth
