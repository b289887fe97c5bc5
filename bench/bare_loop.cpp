// The yardstick of docs/performance.md: how fast can one file of C++ that knows only this one case
// parse an Acme trace and replay it first in, first out? Berth reads the same file, checks every
// field and writes every result; what that costs is the ratio of the two times.
//
//   bare_loop FILE [NODES [GPUS_PER_NODE]]      default 286 nodes of 8 GPUs
//
// It trusts its input: columns by position (job_id,user,node_num,gpu_num,cpu_num,type,state,
// submit,start,end,...), times of 25 characters in one zone, rows sorted by submission, every job
// started, ended, and no larger than the cluster. Single thread, arrays only, nothing of Berth.
// Prints the sum of all waits and the last end; bench/fifo_twin.py, a slow twin, prints the same.
//
// Rules (semantics.md): a job of n <= G GPUs goes to the fullest node that still has n free, the
// lowest on ties; a larger one takes ceil(n / G) free nodes, lowest first, and leaves the rest of
// the last to others. The head of the queue blocks. At an instant: ends, submissions, starts.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct Job {
  std::int64_t submit, run;
  std::uint32_t gpus;
};

int two(const char* p) { return (p[0] - '0') * 10 + (p[1] - '0'); }

// Seconds of "2023-03-01 00:18:22"; the date is worked out only when it differs from the last.
class Clock {
 public:
  std::int64_t operator()(const char* p) {
    std::uint64_t date;  // the 8 characters that change within a century: "23-03-01"
    std::memcpy(&date, p + 2, 8);
    if (date != date_) {
      date_ = date;
      const std::chrono::year_month_day d{std::chrono::year{two(p) * 100 + two(p + 2)},
                                          std::chrono::month(static_cast<unsigned>(two(p + 5))),
                                          std::chrono::day(static_cast<unsigned>(two(p + 8)))};
      midnight_ = std::chrono::sys_days{d}.time_since_epoch().count() * std::int64_t{86'400};
    }
    return midnight_ + two(p + 11) * 3600 + two(p + 14) * 60 + two(p + 17);
  }

 private:
  std::uint64_t date_ = 0;
  std::int64_t midnight_ = 0;
};

std::vector<Job> read_jobs(const char* path) {
  const int fd = open(path, O_RDONLY);
  struct stat st {};
  if (fd < 0 || fstat(fd, &st) != 0) {
    std::perror(path);
    std::exit(3);
  }
  const auto size = static_cast<std::size_t>(st.st_size);
  void* const map = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
  if (map == MAP_FAILED) {
    std::perror(path);
    std::exit(3);
  }
  const char* p = static_cast<const char*>(map);
  const char* const end = p + size;

  std::vector<Job> jobs;
  jobs.reserve(size / 110);
  Clock submit_clock, start_clock, end_clock;
  const auto skip = [&p](int fields) {
    while (fields > 0) fields -= *p++ == ',';
  };
  p = static_cast<const char*>(std::memchr(p, '\n', size)) + 1;
  while (p < end) {
    skip(3);
    std::uint32_t gpus = 0;
    while (*p != ',') gpus = gpus * 10 + static_cast<std::uint32_t>(*p++ - '0');
    skip(4);
    const std::int64_t submit = submit_clock(p);
    jobs.push_back({submit, end_clock(p + 52) - start_clock(p + 26), gpus});
    p = static_cast<const char*>(
            std::memchr(p + 78, '\n', static_cast<std::size_t>(end - p) - 78)) +
        1;
  }
  munmap(map, size);
  close(fd);
  return jobs;
}

// Nodes by how many GPUs they have free, each class a bitmap, so that the lowest index is the
// first set bit. Words are few (286 nodes: 5), so they are scanned.
class Nodes {
 public:
  Nodes(std::uint32_t nodes, std::uint32_t gpus)
      : gpus_(gpus),
        words_((nodes + 63) / 64),
        maps_(std::size_t{words_} * (gpus + 1)),
        count_(gpus + 1),
        free_(nodes, gpus),
        next_(nodes) {
    count_[gpus] = nodes;
    for (std::uint32_t n = 0; n < nodes; ++n) flip(gpus, n);
  }

  // Takes n GPUs: `first` heads a chain of whole nodes, `last` is the node of the rest, of which
  // the job has `part`. False, and nothing taken, where it does not fit.
  struct Held {
    std::uint32_t first, last, part;
  };
  bool take(std::uint32_t n, Held& held) {
    if (n <= gpus_) {
      for (std::uint32_t f = n; f <= gpus_; ++f) {
        if (count_[f] == 0) continue;
        held = {kNone, lowest(f), n};
        set_free(held.last, f - n);
        return true;
      }
      return false;
    }
    const std::uint32_t whole = (n - 1) / gpus_;
    if (count_[gpus_] < whole + 1) return false;
    std::uint32_t* link = &held.first;
    for (std::uint32_t i = 0; i < whole; ++i) {
      const std::uint32_t node = lowest(gpus_);
      set_free(node, 0);
      *link = node;
      link = &next_[node];
    }
    *link = kNone;
    held.last = lowest(gpus_);
    held.part = n - whole * gpus_;
    set_free(held.last, gpus_ - held.part);
    return true;
  }
  void give(const Held& held) {
    for (std::uint32_t node = held.first; node != kNone; node = next_[node]) set_free(node, gpus_);
    set_free(held.last, free_[held.last] + held.part);
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  void flip(std::uint32_t f, std::uint32_t node) {
    maps_[f * words_ + node / 64] ^= std::uint64_t{1} << (node % 64);
  }
  void set_free(std::uint32_t node, std::uint32_t f) {
    flip(free_[node], node);
    --count_[free_[node]];
    flip(f, node);
    ++count_[f];
    free_[node] = f;
  }
  std::uint32_t lowest(std::uint32_t f) const {
    const std::uint64_t* word = &maps_[f * words_];
    while (*word == 0) ++word;
    return static_cast<std::uint32_t>((word - &maps_[f * words_]) * 64 + std::countr_zero(*word));
  }

  std::uint32_t gpus_, words_;
  std::vector<std::uint64_t> maps_;
  std::vector<std::uint32_t> count_, free_, next_;
};

struct End {
  std::int64_t time;
  Nodes::Held held;
};

// A binary min-heap of ends.
class Ends {
 public:
  bool empty() const { return heap_.empty(); }
  const End& top() const { return heap_.front(); }
  void push(const End& e) {
    std::size_t i = heap_.size();
    heap_.push_back(e);
    for (; i > 0 && heap_[(i - 1) / 2].time > e.time; i = (i - 1) / 2)
      heap_[i] = heap_[(i - 1) / 2];
    heap_[i] = e;
  }
  void pop() {
    const End e = heap_.back();
    heap_.pop_back();
    const std::size_t n = heap_.size();
    if (n == 0) return;
    std::size_t i = 0;
    for (std::size_t child = 1; child < n; child = 2 * i + 1) {
      if (child + 1 < n && heap_[child + 1].time < heap_[child].time) ++child;
      if (heap_[child].time >= e.time) break;
      heap_[i] = heap_[child];
      i = child;
    }
    heap_[i] = e;
  }

 private:
  std::vector<End> heap_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bare_loop FILE [NODES [GPUS_PER_NODE]]\n");
    return 2;
  }
  using Steady = std::chrono::steady_clock;
  const auto seconds = [](Steady::time_point a, Steady::time_point b) {
    return std::chrono::duration<double>(b - a).count();
  };
  const Steady::time_point t0 = Steady::now();
  const std::vector<Job> jobs = read_jobs(argv[1]);
  const Steady::time_point t1 = Steady::now();

  Nodes nodes(argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 286u,
              argc > 3 ? static_cast<std::uint32_t>(std::atoi(argv[3])) : 8u);
  Ends ends;
  constexpr std::int64_t kNever = INT64_MAX;
  std::size_t head = 0, submitted = 0;  // the queue is jobs[head, submitted)
  std::int64_t wait_sum = 0, last_end = 0;
  while (submitted < jobs.size() || !ends.empty()) {
    const std::int64_t arrival = submitted < jobs.size() ? jobs[submitted].submit : kNever;
    const std::int64_t now = ends.empty() || arrival < ends.top().time ? arrival : ends.top().time;
    for (; !ends.empty() && ends.top().time == now; ends.pop()) {
      if (ends.top().held.part > 0) nodes.give(ends.top().held);
    }
    while (submitted < jobs.size() && jobs[submitted].submit == now) ++submitted;
    for (; head < submitted; ++head) {
      Nodes::Held held{0, 0, 0};
      if (jobs[head].gpus > 0 && !nodes.take(jobs[head].gpus, held)) break;
      wait_sum += now - jobs[head].submit;
      last_end = std::max(last_end, now + jobs[head].run);
      ends.push({now + jobs[head].run, held});
    }
  }
  const Steady::time_point t2 = Steady::now();

  const std::int64_t zero = jobs.empty() ? 0 : jobs.front().submit;
  std::printf("jobs %zu  wait_sum_s %lld  last_end_s %lld  mean_wait_s %.3f\n", jobs.size(),
              static_cast<long long>(wait_sum), static_cast<long long>(last_end - zero),
              static_cast<double>(wait_sum) / static_cast<double>(jobs.empty() ? 1 : jobs.size()));
  std::fprintf(stderr, "parse %.3f s, simulate %.3f s, together %.3f s\n", seconds(t0, t1),
               seconds(t1, t2), seconds(t0, t2));
  return head == jobs.size() ? 0 : 1;
}
