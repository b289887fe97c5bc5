#include "workloads/synthetic/trace_writer.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "workloads/synthetic/users.hpp"

namespace berth::synthetic {
namespace {

constexpr std::string_view kSerenHeader =
    "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
    "queue,gpu_time\n";
constexpr std::string_view kKalosHeader =
    "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,"
    "submit_time,start_time,end_time,fail_time,stop_time,duration,queue,gpu_time\n";
constexpr std::string_view kStates[] = {"COMPLETED", "CANCELLED", "FAILED"};
constexpr std::int64_t kDay = 86'400;
// The first job of the published Seren rows has this number.
constexpr std::uint64_t kFirstId = 5'778'432;
// In the published Kalos rows a pod of 8 GPUs has 1000 GB and 100 GB of shared memory.
constexpr std::uint32_t kGbPerGpu = 125, kSharedTenthsPerGpu = 125;
constexpr std::uint32_t kGbPerCpu = 4;  // assumed, for CPU jobs

void number(std::uint64_t value, std::string& out) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void two_digits(std::int64_t value, std::string& out) {
  out += static_cast<char>('0' + value / 10);
  out += static_cast<char>('0' + value % 10);
}

std::string day_text(std::int64_t days_after_1970) {
  const std::chrono::year_month_day day{std::chrono::sys_days(std::chrono::days(days_after_1970))};
  std::string text = std::to_string(int{day.year()}) + "-";
  two_digits(static_cast<std::int64_t>(unsigned{day.month()}), text);
  text += '-';
  two_digits(static_cast<std::int64_t>(unsigned{day.day()}), text);
  return text + ' ';
}

// A permutation of all 64-bit numbers (SplitMix64's finalizer), so ids never repeat.
std::uint64_t permute(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

TraceWriter::TraceWriter(const Profile& profile, std::uint64_t seed)
    : profile_(profile), is_kalos_(profile.schema == Schema::kKalos), seed_(seed) {
  for (std::uint32_t user = 0; user < profile.users; ++user) {
    users_.push_back(user_name(profile.schema, static_cast<std::uint16_t>(user)));
  }
}

void TraceWriter::header(std::string& out) const { out += is_kalos_ ? kKalosHeader : kSerenHeader; }

// Seren counts up; Kalos' are "dlc" and 13 digits to the base 36.
void TraceWriter::job_id(std::string& out) {
  if (!is_kalos_) {
    number(kFirstId + rows_, out);
    return;
  }
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  char digits[13];
  std::uint64_t rest = permute(rows_ + seed_ * 0x9e3779b97f4a7c15u);
  for (std::size_t i = sizeof digits; i-- > 0; rest /= 36) digits[i] = kDigits[rest % 36];
  out.append("dlc").append(digits, sizeof digits);
}

void TraceWriter::time(std::int64_t seconds, std::string& out) {
  const std::int64_t first_day = profile_.first_s / kDay;
  const std::int64_t at = profile_.first_s + seconds;
  const auto day = static_cast<std::size_t>(at / kDay - first_day);
  while (days_.size() <= day) {
    days_.push_back(day_text(first_day + static_cast<std::int64_t>(days_.size())));
  }
  out += days_[day];
  two_digits(at % kDay / 3600, out);
  out += ':';
  two_digits(at % 3600 / 60, out);
  out += ':';
  two_digits(at % 60, out);
  out += is_kalos_ ? "+00:00" : "+08:00";
}

void TraceWriter::row(const Job& job, std::string& out) {
  const std::uint32_t per_node = profile_.gpus_per_node;
  const std::int64_t start = std::int64_t{job.submit_s} + job.queue_s;
  const std::int64_t end = start + job.run_s;
  job_id(out);
  out.append(",").append(users_[job.user]).append(",");
  number(std::max(1u, (job.gpus + per_node - 1) / per_node), out);
  out += ',';
  number(job.gpus, out);
  out += ',';
  number(job.cpus, out);
  out += ',';
  if (is_kalos_) {
    const std::uint32_t in_pod = std::min(job.gpus, per_node);
    number(job.gpus > 0 ? in_pod * kGbPerGpu : job.cpus * kGbPerCpu, out);
    out += ',';
    number(in_pod * kSharedTenthsPerGpu / 10, out);
    out += '.';
    number(in_pod * kSharedTenthsPerGpu % 10, out);
    out += ',';
  }
  out.append(job.gpus > 0 ? std::string_view(profile_.types[job.type].name) : "CPU").append(",");
  out.append(kStates[static_cast<std::size_t>(job.state)]).append(",");
  time(job.submit_s, out);
  out += ',';
  time(start, out);
  out += ',';
  time(end, out);
  out += ',';
  if (is_kalos_) {
    if (job.state == State::kFailed) time(end, out);
    out += ',';
    if (job.state == State::kCancelled) time(end, out);
    out += ',';
  }
  const std::uint32_t duration = counted_seconds(profile_, job);
  number(duration, out);
  out += ',';
  number(job.queue_s, out);
  out += is_kalos_ ? ".0," : ",";
  number(std::uint64_t{duration} * job.gpus, out);
  out += ".0\n";
  ++rows_;
}

}  // namespace berth::synthetic
