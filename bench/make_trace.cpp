// Writes a synthetic trace in the Acme schema of Seren (13 columns), for benchmarks and the tour.
//
//   make_trace --out FILE [--profile seren|sample] [--jobs N] [--nodes N] [--load L] [--seed S]
//
//   seren   1,031,550 jobs on 286 nodes of 8 GPUs at load 0.59: the published counts and shares of
//           types, GPU demand and run times of the Acme study (NSDI 2024; figures of the data set
//           InternLM/AcmeTrace, CC BY 4.0). Evaluations come in bursts, fewer at night.
//   sample  3,000 jobs on 32 nodes at load 0.85: small enough to read, busy enough for policies to
//           differ. workloads/samples/synthetic-acme.csv is its output.
//
// Nothing in it is a recorded job. The offered load, sum(gpus x run time) / (GPUs x span of the
// submissions), is L: the span is chosen so, up to its rounding to a second. Recorded starts are
// submission plus a drawn wait; they are not checked against the cluster.
//
// The same arguments give the same bytes on every machine: all arithmetic is on integers, draws are
// Rng::below (no <random>, no libm), and the calendar is <chrono>'s.
#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/rng.hpp"

namespace {

using berth::Rng;

constexpr std::uint32_t kGpusPerNode = 8;
constexpr std::uint32_t kCpusPerGpu = 16;

// A distribution over integers, as steps of its cumulative curve: a value is at most `upto` with
// probability `cumulative` / 100,000, and uniform within a step.
struct Step {
  std::uint32_t upto;
  std::uint32_t cumulative;
};
using Curve = std::vector<Step>;
constexpr std::uint32_t kWhole = 100'000;

std::size_t draw_step(Rng& rng, const Curve& curve) {
  const std::uint32_t draw = rng.below(kWhole);
  std::size_t i = 0;
  while (draw >= curve[i].cumulative) ++i;
  return i;
}

std::uint32_t draw_within(Rng& rng, const Curve& curve, std::size_t step) {
  const std::uint32_t floor = step == 0 ? 0 : curve[step - 1].upto + 1;
  return floor + rng.below(curve[step].upto - floor + 1);
}

// The published curves give percent at most 2^i seconds, in thousandths. What lies at or below one
// second is split: 7/8 (run times) or 1/2 (waits) of it is zero.
Curve powers_of_two(std::initializer_list<std::uint32_t> at, std::uint32_t zero_in_8) {
  Curve curve{{0, *at.begin() * zero_in_8 / 8}};
  std::uint32_t upto = 1;
  for (const std::uint32_t cumulative : at) {
    curve.push_back({upto, cumulative});
    upto *= 2;
  }
  return curve;
}

struct Sizes {
  std::uint32_t gpus;
  std::uint32_t cumulative;
};

struct JobType {
  std::string_view name;
  std::uint32_t share;                 // of the GPU jobs, per mille; the last type takes the rest
  std::vector<Sizes> gpus;             // empty: CPU jobs
  Curve run_s;                         // `duration`
  Curve queue_s;                       // recorded wait
  Curve burst;                         // jobs submitted together
  std::uint32_t completed, cancelled;  // percent; the rest failed
};

struct Profile {
  std::uint64_t jobs;
  std::uint32_t nodes;
  std::uint64_t load_ppm;           // millionths
  std::uint64_t cpu_jobs, of_jobs;  // this many in so many need no GPU
  JobType cpu;
  std::vector<JobType> types;
};

// Run times, waits and shares: ../shared/data/acme, thousandths of a percent. GPU demand by type is
// fitted to the quartiles per type and to the curve over all jobs.
Profile seren() {
  const Curve one{{0, 0}, {1, kWhole}};
  const Curve campaign{{0, 0}, {1, 40'000}, {8, 60'000}, {32, 85'000}, {64, 97'000}, {150, kWhole}};
  const Curve few{{0, 0}, {1, 80'000}, {4, kWhole}};
  Profile p{.jobs = 1'031'550,
            .nodes = 286,
            .load_ppm = 590'000,
            .cpu_jobs = 367'737,
            .of_jobs = 1'031'550,
            .cpu = {},
            .types = {}};
  p.cpu = {"CPU",
           0,
           {},
           powers_of_two({2641, 3015, 3634, 8393, 63745, 83849, 87941, 90857, 93180, 95271, 96680,
                          97266, 98540, 98905, 99371, 99605, 99900, kWhole},
                         7),
           {{0, 60'000}, {1, 80'000}, {2, 90'000}, {8, 96'000}, {32, 99'000}, {256, kWhole}},
           few,
           86,
           4};
  p.types = {
      {"Eval",
       649,
       {{1, 63000}, {2, 74800}, {4, 77500}, {8, 98300}, {16, 99000}, {32, 99700}, {64, kWhole}},
       powers_of_two({2307,  2922,  5215,  10569, 25177, 32782, 37375, 49747, 67169, 79966, 88797,
                      93855, 96526, 98190, 99063, 99572, 99790, 99910, 99964, 99988, kWhole},
                     7),
       powers_of_two({47617, 56846, 61972, 65310, 70420, 75546, 79195, 84410, 88828, 92640, 96216,
                      97844, 98977, 99577, 99847, kWhole},
                     4),
       campaign,
       52,
       5},
      {"SFT",
       149,
       {{1, 20000},
        {2, 33000},
        {4, 35000},
        {8, 97000},
        {16, 98600},
        {32, 99500},
        {64, 99900},
        {128, kWhole}},
       powers_of_two({1018,  1487,  3464,  6560,  12623, 21675, 27590, 37515, 57609, 78797, 89270,
                      94486, 97338, 98637, 99158, 99515, 99798, 99924, 99978, 99994, kWhole},
                     7),
       powers_of_two({60534, 70522, 75168, 76349, 78889, 82728, 84980, 88111, 92282, 95564, 97872,
                      98840, 99425, 99767, 99834, kWhole},
                     4),
       few,
       47,
       12},
      {"MLLM",
       29,
       {{1, 45000},
        {2, 52000},
        {4, 56000},
        {8, 90000},
        {16, 94000},
        {32, 97000},
        {64, 99000},
        {128, kWhole}},
       powers_of_two({2092,  3070,  5095,  9407,  14697, 27371, 33444, 40849, 50173, 66842, 79703,
                      85611, 89163, 91300, 92911, 97313, 98879, 99466, 99827, 99985, kWhole},
                     7),
       powers_of_two({72735, 82187, 87967, 89427, 90984, 93046, 93776, 94792, 95831, 96455, 96847,
                      97283, 98525, 98555, 99345, kWhole},
                     4),
       few,
       45,
       20},
      {"Debug",
       19,
       {{1, 10000},
        {2, 12000},
        {4, 14000},
        {8, 92000},
        {16, 95000},
        {32, 97500},
        {64, 99000},
        {128, kWhole}},
       powers_of_two({3684,  4617,  6317,  11725, 19341, 29803, 39131, 52155, 68367, 81946, 91215,
                      95501, 97355, 98288, 98807, 99221, 99563, 99787, 99858, 99965, kWhole},
                     7),
       powers_of_two({84780, 90766, 94486, 95631, 97072, 98382, 98807, 99221, 99539, 99705, 99846,
                      99906, 99941, 99976, 99988, kWhole},
                     4),
       one,
       40,
       25},
      {"Pretrain",
       9,
       {{8, 1000},
        {16, 3000},
        {32, 12000},
        {64, 30000},
        {128, 52000},
        {256, 75000},
        {512, 88000},
        {768, 94000},
        {1024, kWhole}},
       powers_of_two({4272,  5713,  9861,  12096, 15599, 20492, 27372, 34873, 46796, 61798, 73423,
                      80452, 84078, 86612, 88450, 91083, 94312, 97193, 98783, 99627, kWhole},
                     7),
       powers_of_two({71982, 77074, 79856, 82514, 86165, 91679, 94411, 96523, 97566, 98361, 99056,
                      99305, 99652, 99776, 99901, kWhole},
                     4),
       one,
       25,
       45},
      {"Other",
       145,
       {{1, 60000},
        {2, 70000},
        {4, 73000},
        {8, 97000},
        {16, 98300},
        {32, 99200},
        {64, 99700},
        {128, kWhole}},
       powers_of_two({2495,  3022,  9391,  22829, 29085, 39022, 46811, 58884, 70912, 79480, 85533,
                      89202, 94190, 95319, 96649, 98007, 99311, 99627, 99835, 99938, kWhole},
                     7),
       powers_of_two({72720, 81574, 85906, 87431, 90235, 93754, 94929, 95685, 96267, 96550, 96652,
                      96692, 96936, 97103, 97289, kWhole},
                     4),
       few,
       45,
       10},
  };
  return p;
}

// A team's fortnight: a few large pretraining runs, and campaigns of short evaluations behind them.
Profile sample() {
  const Curve one{{0, 0}, {1, kWhole}};
  const Curve wait{{0, 40'000}, {1, 60'000}, {60, 90'000}, {900, 99'000}, {7200, kWhole}};
  const std::uint32_t minute = 60, hour = 3600;
  Profile p{.jobs = 3'000,
            .nodes = 32,
            .load_ppm = 850'000,
            .cpu_jobs = 3,
            .of_jobs = 100,
            .cpu = {},
            .types = {}};
  p.cpu = {"CPU", 0,   {}, {{0, 5'000}, {20, 60'000}, {10 * minute, 95'000}, {2 * hour, kWhole}},
           wait,  one, 90, 3};
  p.types = {
      {"Eval",
       690,
       {{1, 60000}, {2, 75000}, {4, 82000}, {8, kWhole}},
       {{0, 2'000},
        {30, 15'000},
        {3 * minute, 50'000},
        {10 * minute, 80'000},
        {30 * minute, 95'000},
        {2 * hour, kWhole}},
       wait,
       {{7, 0}, {16, 25'000}, {40, 75'000}, {64, kWhole}},
       90,
       2},
      {"SFT",
       110,
       {{4, 10000}, {8, 75000}, {16, 90000}, {32, kWhole}},
       {{0, 1'000}, {5 * minute, 20'000}, {hour, 60'000}, {4 * hour, 95'000}, {10 * hour, kWhole}},
       wait,
       one,
       60,
       15},
      {"MLLM",
       50,
       {{2, 20000}, {8, 60000}, {16, kWhole}},
       {{0, 2'000}, {10 * minute, 35'000}, {2 * hour, 80'000}, {8 * hour, kWhole}},
       wait,
       one,
       55,
       20},
      {"Debug",
       60,
       {{1, 20000}, {8, 90000}, {16, kWhole}},
       {{0, 4'000}, {2 * minute, 50'000}, {10 * minute, 90'000}, {hour, kWhole}},
       wait,
       one,
       45,
       30},
      {"Pretrain",
       20,
       {{32, 25000}, {64, 65000}, {96, 85000}, {128, kWhole}},
       {{0, 4'000},
        {10 * minute, 20'000},
        {4 * hour, 45'000},
        {16 * hour, 85'000},
        {36 * hour, kWhole}},
       wait,
       one,
       30,
       40},
      {"Other",
       70,
       {{1, 60000}, {4, 80000}, {8, kWhole}},
       {{0, 3'000}, {2 * minute, 50'000}, {hour, 95'000}, {6 * hour, kWhole}},
       wait,
       one,
       60,
       15},
  };
  return p;
}

struct Job {
  std::uint32_t submit_s, run_s, queue_s;
  std::uint16_t gpus, cpus, user;
  std::uint8_t type, state;
};

constexpr std::array<std::string_view, 5> kStates{"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT",
                                                  "NODE_FAIL"};

std::uint8_t draw_state(Rng& rng, const JobType& type, std::uint32_t run_s) {
  const std::uint32_t draw = rng.below(1000);
  if (draw >= 998) return run_s > 3600 ? 3 : 4;
  if (draw < type.completed * 10) return run_s > 86'400 ? 1 : 0;  // long runs are stopped by hand
  return draw < (type.completed + type.cancelled) * 10 ? 1 : 2;
}

std::uint32_t draw_gpus(Rng& rng, const JobType& type, std::uint32_t cluster_gpus) {
  if (type.gpus.empty()) return 0;
  const std::uint32_t draw = rng.below(kWhole);
  std::size_t i = 0;
  while (draw >= type.gpus[i].cumulative) ++i;
  std::uint32_t gpus = type.gpus[i].gpus;
  while (gpus > cluster_gpus) gpus /= 2;
  return gpus;
}

// Everything but submissions, burst by burst; `bursts` gets the number of jobs of each.
void draw_jobs(Rng& rng, const JobType& type, std::uint8_t index, std::uint64_t count,
               std::uint32_t cluster_gpus, std::vector<Job>& jobs,
               std::vector<std::uint32_t>& bursts) {
  while (count > 0) {
    const std::uint64_t drawn = draw_within(rng, type.burst, draw_step(rng, type.burst));
    const auto size = static_cast<std::uint32_t>(std::min(drawn, count));
    const std::uint32_t user = rng.below(rng.below(400) + 1);  // few submit most
    const std::uint32_t burst_gpus = draw_gpus(rng, type, cluster_gpus);
    const std::size_t burst_run = draw_step(rng, type.run_s);
    for (std::uint32_t i = 0; i < size; ++i) {
      // Half of a burst run about as long as each other, and most ask for the same GPUs.
      const std::size_t step = rng.below(2) == 0 ? burst_run : draw_step(rng, type.run_s);
      Job job{};
      const std::uint32_t gpus =
          rng.below(8) == 0 ? draw_gpus(rng, type, cluster_gpus) : burst_gpus;
      job.run_s = draw_within(rng, type.run_s, step);
      if (gpus > 256) {  // the largest runs are cut short more often: the shorter of two draws
        job.run_s = std::min(job.run_s, draw_within(rng, type.run_s, draw_step(rng, type.run_s)));
      }
      job.queue_s = draw_within(rng, type.queue_s, draw_step(rng, type.queue_s));
      job.gpus = static_cast<std::uint16_t>(gpus);
      job.cpus = static_cast<std::uint16_t>(gpus > 0 ? gpus * kCpusPerGpu : 1u << rng.below(6));
      job.user = static_cast<std::uint16_t>(1000 + user);
      job.type = index;
      job.state = draw_state(rng, type, job.run_s);
      jobs.push_back(job);
    }
    bursts.push_back(size);
    count -= size;
  }
}

// Second within the span; nights and weekends are quieter. Second 0 is a Wednesday's midnight.
std::uint32_t draw_submission(Rng& rng, std::uint32_t span) {
  static constexpr std::array<std::uint8_t, 24> kByHour{45, 35, 28, 24, 22, 22, 25, 32,
                                                        48, 70, 88, 95, 85, 80, 95, 100,
                                                        98, 92, 80, 76, 78, 74, 66, 55};
  while (true) {
    const std::uint32_t t = rng.below(span + 1);
    const std::uint32_t weekday = (t / 86'400 + 2) % 7;  // 0 is Monday
    const std::uint32_t weight = kByHour[t / 3600 % 24] * (weekday >= 5 ? 6u : 10u);
    if (rng.below(1000) < weight) return t;
  }
}

void draw_submissions(Rng& rng, std::span<const std::uint32_t> bursts, std::uint32_t span,
                      std::vector<Job>& jobs) {
  std::size_t next = 0;
  for (const std::uint32_t size : bursts) {
    std::uint64_t at = draw_submission(rng, span);
    for (std::uint32_t i = 0; i < size; ++i) {
      jobs[next++].submit_s = static_cast<std::uint32_t>(std::min<std::uint64_t>(at, span));
      if (rng.below(3) == 0) at += 1 + rng.below(4);
    }
  }
}

class CsvWriter {
 public:
  explicit CsvWriter(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) fail("cannot create");
    buffer_.resize(kFlushAt + 4096);
  }
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;
  ~CsvWriter() {
    if (file_ != nullptr) std::fclose(file_);
  }

  void text(std::string_view s) {
    std::memcpy(&buffer_[size_], s.data(), s.size());
    size_ += s.size();
  }
  void number(std::uint64_t n) {
    size_ = static_cast<std::size_t>(std::to_chars(&buffer_[size_], &buffer_[size_] + 20, n).ptr -
                                     buffer_.data());
  }
  // Seconds after 2023-03-01 00:00:00+08:00.
  void time(std::uint64_t s) {
    const std::uint64_t day = s / 86'400;
    while (days_.size() <= day) days_.push_back(date(days_.size()));
    text(days_[day]);
    two(s / 3600 % 24);
    text(":");
    two(s / 60 % 60);
    text(":");
    two(s % 60);
    text("+08:00");
  }
  void end_row() {
    buffer_[size_++] = '\n';
    if (size_ >= kFlushAt) flush();
  }
  void close() {
    flush();
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("cannot write");
  }

 private:
  static constexpr std::size_t kFlushAt = 1u << 20;

  static std::string date(std::size_t day) {
    using namespace std::chrono;
    const year_month_day d{sys_days{year{2023} / March / 1} + days{day}};
    const int packed =
        int{d.year()} * 10'000 + static_cast<int>(unsigned{d.month()} * 100 + unsigned{d.day()});
    std::string s = std::to_string(packed);
    s.insert(6, "-").insert(4, "-");
    return s + ' ';
  }
  void two(std::uint64_t n) {
    buffer_[size_++] = static_cast<char>('0' + n / 10);
    buffer_[size_++] = static_cast<char>('0' + n % 10);
  }
  void flush() {
    if (std::fwrite(buffer_.data(), 1, size_, file_) != size_) fail("cannot write");
    size_ = 0;
  }
  [[noreturn]] void fail(const char* what) const {
    throw std::runtime_error(path_ + ": " + what + ": " + std::strerror(errno));
  }

  std::string path_;
  std::FILE* file_;
  std::vector<char> buffer_;
  std::size_t size_ = 0;
  std::vector<std::string> days_;
};

struct Summary {
  std::uint64_t span_s = 0, gpu_s = 0;
};

Summary make_trace(const Profile& p, std::uint64_t seed, const std::string& path) {
  const std::uint32_t cluster_gpus = p.nodes * kGpusPerNode;
  std::vector<const JobType*> types{&p.cpu};
  for (const JobType& type : p.types) types.push_back(&type);

  Rng rng(seed, "make_trace jobs");
  std::vector<Job> jobs;
  jobs.reserve(p.jobs);
  std::vector<std::uint32_t> bursts;
  const std::uint64_t cpu_jobs = p.jobs * p.cpu_jobs / p.of_jobs;
  for (std::size_t i = 0; i < types.size(); ++i) {
    std::uint64_t count = i == 0 ? cpu_jobs : (p.jobs - cpu_jobs) * types[i]->share / 1000;
    if (i + 1 == types.size()) count = p.jobs - jobs.size();
    draw_jobs(rng, *types[i], static_cast<std::uint8_t>(i), count, cluster_gpus, jobs, bursts);
  }

  Summary sum;
  for (const Job& job : jobs) sum.gpu_s += std::uint64_t{job.gpus} * job.run_s;
  // Millionths of a GPU-second stay below 2^63 up to 9e12 GPU-seconds, 400 times Seren's half year.
  sum.span_s = std::max<std::uint64_t>(
      1, (sum.gpu_s * 1'000'000 / cluster_gpus + p.load_ppm / 2) / p.load_ppm);
  if (sum.span_s > 0x7fffffff)
    throw std::runtime_error("the submissions would span more than 68 years");
  const auto span = static_cast<std::uint32_t>(sum.span_s);

  Rng arrivals(seed, "make_trace submissions");
  draw_submissions(arrivals, bursts, span, jobs);
  std::vector<std::uint64_t> order(jobs.size());  // submission, then as drawn
  for (std::size_t i = 0; i < jobs.size(); ++i)
    order[i] = std::uint64_t{jobs[i].submit_s} << 32 | i;
  std::sort(order.begin(), order.end());
  jobs[order.front() & 0xffffffff].submit_s = 0;  // the span is what it is said to be
  jobs[order.back() & 0xffffffff].submit_s = span;

  Rng ids(seed, "make_trace ids");
  std::uint64_t id = 1'000'000;
  CsvWriter out(path);
  out.text(
      "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
      "queue,gpu_time\n");
  for (const std::uint64_t key : order) {
    const Job& job = jobs[key & 0xffffffff];
    id += 1 + (ids.below(4) == 0 ? ids.below(9) : 0);
    const std::uint64_t start = std::uint64_t{job.submit_s} + job.queue_s;
    out.number(id);
    out.text(",u");
    out.number(job.user);
    out.text(",");
    out.number(std::max(1u, (job.gpus + kGpusPerNode - 1u) / kGpusPerNode));
    out.text(",");
    out.number(job.gpus);
    out.text(",");
    out.number(job.cpus);
    out.text(",");
    out.text(types[job.type]->name);
    out.text(",");
    out.text(kStates[job.state]);
    out.text(",");
    out.time(job.submit_s);
    out.text(",");
    out.time(start);
    out.text(",");
    out.time(start + job.run_s);
    out.text(",");
    out.number(job.run_s);
    out.text(",");
    out.number(job.queue_s);
    out.text(",");
    out.number(std::uint64_t{job.run_s} * job.gpus);
    out.text(".0");
    out.end_row();
  }
  out.close();
  return sum;
}

// "0.59" as millionths, without a floating-point number on the way.
std::uint64_t parse_ppm(const std::string& text) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  std::string digits = text.substr(0, dot);
  std::string decimals = dot < text.size() ? text.substr(dot + 1) : "";
  decimals.resize(std::max<std::size_t>(decimals.size(), 6), '0');
  digits += decimals;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (decimals.size() > 6 || error != std::errc{} || end != digits.data() + digits.size() ||
      value == 0 || value > 100'000'000) {
    throw std::runtime_error("--load " + text +
                             ": want a number above 0, at most 100, with up to six decimals");
  }
  return value;
}

}  // namespace

int main(int argc, char** argv) try {
  namespace po = boost::program_options;
  po::options_description options("make_trace: a synthetic trace in the Acme schema. Options");
  std::string profile_name = "seren", out, load;
  std::uint64_t jobs = 0, seed = 1;
  std::uint32_t nodes = 0;
  auto add = options.add_options();
  add("help", "this text");
  add("profile", po::value(&profile_name), "seren (default) or sample");
  add("jobs", po::value(&jobs), "number of jobs (default: the profile's)");
  add("nodes", po::value(&nodes), "nodes of 8 GPUs (default: the profile's)");
  add("load", po::value(&load), "offered load (default: the profile's)");
  add("seed", po::value(&seed), "seed (default 1)");
  add("out", po::value(&out), "file to write");
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, options), given);
  po::notify(given);
  if (given.count("help") > 0) {
    std::cout << options;
    return 0;
  }
  if (profile_name != "seren" && profile_name != "sample")
    throw std::runtime_error("--profile: seren or sample");
  if (out.empty()) throw std::runtime_error("--out FILE is missing");
  Profile profile = profile_name == "seren" ? seren() : sample();
  if (given.count("jobs") > 0) profile.jobs = jobs;
  if (given.count("nodes") > 0) profile.nodes = nodes;
  if (!load.empty()) profile.load_ppm = parse_ppm(load);
  if (profile.jobs < 2 || profile.jobs > 100'000'000)
    throw std::runtime_error("--jobs: 2 to 100,000,000");
  if (profile.nodes < 1 || profile.nodes > 8'000) throw std::runtime_error("--nodes: 1 to 8,000");

  const Summary sum = make_trace(profile, seed, out);
  std::cout << out << ": " << profile.jobs << " synthetic jobs, " << sum.gpu_s / 3600
            << " GPU-hours over " << sum.span_s / 86'400 << " days on " << profile.nodes
            << " nodes of 8 GPUs\n";
  return 0;
} catch (const std::exception& e) {
  std::cerr << "make_trace: " << e.what() << '\n';
  return 2;
}
