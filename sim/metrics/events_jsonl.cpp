#include "sim/metrics/events_jsonl.hpp"

#include <nlohmann/json.hpp>

namespace berth {
namespace {

std::string json_text(std::string_view text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

EventsJsonl::EventsJsonl(const std::filesystem::path& path, const JobTable& jobs,
                         const ClusterSpec& cluster)
    : file_(path), jobs_(jobs), with_nodes_(cluster.packing == Packing::kGang) {}

void EventsJsonl::consume(std::span<const Record> records) {
  for (const Record& record : records) {
    switch (record.kind) {
      case RecordKind::kSubmitted:
        begin_line(record, "submitted");
        end_line();
        break;
      case RecordKind::kStarted:
        begin_line(record, "started");
        break;
      case RecordKind::kFinished:
        begin_line(record, "finished");
        end_line();
        break;
      case RecordKind::kPreempted:
        begin_line(record, "preempted");
        end_line();
        break;
      case RecordKind::kTaken:
        if (!line_open_ || line_subject_ != record.subject) begin_line(record, "moved");
        file_.buffer() += any_node_ ? "," : ",\"nodes\":[";
        any_node_ = true;
        append_integer(file_.buffer(), record.a);
        break;
      case RecordKind::kGiven:
        end_line();  // what is taken next belongs to a move, also of the task just started
        break;
    }
  }
}

void EventsJsonl::begin_line(const Record& record, std::string_view event) {
  end_line();
  const Job& job = jobs_[JobId(record.subject)];
  std::string& out = file_.buffer();
  out += "{\"time_s\":";
  append_seconds(out, record.time.time_since_epoch());
  out += ",\"event\":\"";
  out += event;
  out += "\",\"job_id\":";
  out += json_text(jobs_.id_of(job));
  out += ",\"gpus\":";
  append_gpus(out, job.gpu_parts, jobs_.parts_per_gpu());
  out += ",\"attempt\":";
  append_integer(out, record.attempt);
  line_open_ = true;
  line_subject_ = record.subject;
  any_node_ = false;
}

void EventsJsonl::end_line() {
  if (!line_open_) return;
  if (any_node_) file_.buffer() += ']';
  file_.buffer() += "}\n";
  file_.flush_if_large();
  line_open_ = false;
}

void EventsJsonl::finish() {
  end_line();
  file_.close();
}

}  // namespace berth
