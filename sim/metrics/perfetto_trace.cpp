#include "sim/metrics/perfetto_trace.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/core/check.hpp"

namespace berth {
namespace {

// The format wants microseconds.
std::int64_t to_us(SimTime time) { return to_ms(time) * 1000; }

std::string json_text(std::string_view text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

constexpr std::int64_t kQueueProcess = 0;  // nodes follow from 1

}  // namespace

PerfettoTrace::PerfettoTrace(const std::filesystem::path& path, const JobTable& jobs,
                             const ClusterSpec& cluster)
    : file_(path),
      jobs_(jobs),
      open_(cluster.packing == Packing::kPool ? cluster.groups.size() : cluster.total_nodes()) {
  file_.buffer() += "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
  name_processes(cluster);
}

void PerfettoTrace::begin_event() {
  if (any_event_) file_.buffer() += ",\n";
  any_event_ = true;
  file_.flush_if_large();
}

void PerfettoTrace::name_processes(const ClusterSpec& cluster) {
  const auto name = [&](std::int64_t process, const std::string& text) {
    begin_event();
    file_.buffer() += "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" + std::to_string(process) +
                      ",\"args\":{\"name\":" + json_text(text) + "}}";
  };
  name(kQueueProcess, "queue");
  for (std::size_t node = 0; node < open_.size(); ++node) {
    name(static_cast<std::int64_t>(node) + 1,
         cluster.packing == Packing::kGang ? "node " + std::to_string(node)
         : cluster.is_uniform()            ? "pool"
                                           : "pool " + cluster.groups[node].name);
  }
}

void PerfettoTrace::consume(std::span<const Record> records) {
  for (const Record& record : records) {
    if (counters_changed_ && record.time != counted_at_) write_counters();
    counted_at_ = record.time;
    switch (record.kind) {
      case RecordKind::kTaken:
        open_slice(record);
        break;
      case RecordKind::kGiven:
        close_slice(record);
        break;
      default:
        count(record);
    }
  }
}

void PerfettoTrace::open_slice(const Record& record) {
  auto& slices = open_[static_cast<std::size_t>(record.a)];
  // The lowest track that is not in use on this node.
  std::uint32_t track = 0;
  while (std::ranges::any_of(slices, [&](const Slice& s) { return s.track == track; })) ++track;
  slices.push_back({record.subject, track, record.time});
}

void PerfettoTrace::close_slice(const Record& record) {
  auto& slices = open_[static_cast<std::size_t>(record.a)];
  const auto found = std::ranges::find(slices, record.subject, &Slice::subject);
  SIM_CHECK(found != slices.end(), "a job leaves a node it is not on");
  const Job& job = jobs_[JobId(record.subject)];
  begin_event();
  std::string& out = file_.buffer();
  out += "{\"ph\":\"X\",\"name\":" + json_text(jobs_.id_of(job)) +
         ",\"cat\":" + json_text(jobs_.type_of(job)) + ",\"pid\":";
  append_integer(out, record.a + 1);
  out += ",\"tid\":";
  append_integer(out, found->track);
  out += ",\"ts\":";
  append_integer(out, to_us(found->since));
  out += ",\"dur\":";
  append_integer(out, to_us(record.time) - to_us(found->since));
  out += ",\"args\":{\"user\":" + json_text(jobs_.user_of(job)) + ",\"gpus_here\":";
  append_gpus(out, record.b, jobs_.parts_per_gpu());
  out += ",\"gpus\":";
  append_gpus(out, job.gpu_parts, jobs_.parts_per_gpu());
  out += ",\"attempt\":";
  append_integer(out, record.attempt);
  out += "}}";
  slices.erase(found);
}

void PerfettoTrace::count(const Record& record) {
  const std::int64_t gpus = jobs_[JobId(record.subject)].gpu_parts;
  if (record.kind == RecordKind::kSubmitted || record.kind == RecordKind::kPreempted)
    ++jobs_pending_;
  if (record.kind == RecordKind::kStarted) --jobs_pending_;
  gpus_allocated_ += record.kind == RecordKind::kStarted ? gpus : 0;
  const bool stops = record.kind == RecordKind::kFinished || record.kind == RecordKind::kPreempted;
  if (stops) gpus_allocated_ -= gpus;
  counters_changed_ = true;
}

void PerfettoTrace::write_counters() {
  const auto write = [&](const char* name, std::int64_t value, std::uint32_t parts) {
    begin_event();
    file_.buffer() += "{\"ph\":\"C\",\"name\":\"" + std::string(name) +
                      "\",\"pid\":" + std::to_string(kQueueProcess) +
                      ",\"ts\":" + std::to_string(to_us(counted_at_)) + ",\"args\":{\"value\":";
    append_gpus(file_.buffer(), value, parts);
    file_.buffer() += "}}";
  };
  write("jobs pending", jobs_pending_, 1);
  write("GPUs allocated", gpus_allocated_, jobs_.parts_per_gpu());
  counters_changed_ = false;
}

void PerfettoTrace::finish() {
  if (counters_changed_) write_counters();
  file_.buffer() += "\n]}\n";
  file_.close();
}

}  // namespace berth
