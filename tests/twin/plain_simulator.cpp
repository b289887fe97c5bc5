#include "tests/twin/plain_simulator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace berth::twin {
namespace {

using std::int64_t;
using Row = std::size_t;  // a job: its row in the trace

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
constexpr int64_t kNone = -1;

// ---- Packing --------------------------------------------------------------------------------

struct Part {
  std::size_t node;
  int64_t gpus;
};
using Placement = std::vector<Part>;
using FreeGpus = std::vector<int64_t>;  // by node; under pool packing one node has everything

struct Node {
  int64_t size;
  int model;
};

bool may_run_on(const PlainJob& job, const Node& node) {
  return job.models.empty() ||
         std::find(job.models.begin(), job.models.end(), node.model) != job.models.end();
}

// The largest size below `size`; 0 if there is none.
int64_t next_smaller(const std::vector<Node>& nodes, int64_t size) {
  int64_t found = 0;
  for (const Node& node : nodes) {
    if (node.size < size) found = std::max(found, node.size);
  }
  return found;
}

// Finds where a job goes; false if it does not fit.
bool find_place(const std::vector<Node>& nodes, bool gang, const FreeGpus& free,
                const PlainJob& job, Placement& out) {
  out.clear();
  if (job.gpus == 0) return true;
  // Some node it may run on is large enough: then one node, the fullest that has room.
  bool one_node = false;
  std::size_t best = nodes.size();
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!may_run_on(job, nodes[n]) || nodes[n].size < job.gpus) continue;
    one_node = true;
    if (free[n] < job.gpus) continue;
    if (best == nodes.size() || free[n] < free[best]) best = n;
  }
  if (one_node) {
    if (best == nodes.size()) return false;
    out.push_back({best, job.gpus});
    return true;
  }
  if (!gang) return false;
  // Else entirely free nodes of the largest size of which the cluster has enough.
  for (int64_t size = next_smaller(nodes, kNever); size > 0; size = next_smaller(nodes, size)) {
    int64_t there_are = 0;
    for (const Node& node : nodes) {
      if (node.size == size && may_run_on(job, node)) ++there_are;
    }
    if (there_are * size < job.gpus) continue;
    int64_t missing = job.gpus;
    for (std::size_t n = 0; n < nodes.size() && missing > 0; ++n) {
      if (nodes[n].size != size || free[n] != size || !may_run_on(job, nodes[n])) continue;
      const int64_t part = std::min(missing, size);
      out.push_back({n, part});
      missing -= part;
    }
    return missing == 0;
  }
  return false;
}

void take(FreeGpus& free, const Placement& placement) {
  for (const Part& part : placement) free[part.node] -= part.gpus;
}

void give(FreeGpus& free, const Placement& placement) {
  for (const Part& part : placement) free[part.node] += part.gpus;
}

// ---- The profile of conservative backfill -----------------------------------------------------

// Free GPUs as a step function of time from `now` on. Step i holds until the time of step i + 1.
class Profile {
 public:
  Profile(int64_t now, int64_t gpus) : now_(now), steps_{{now, gpus}} {}

  // `gpus` fewer are free in [from, to); more, if negative.
  void hold(int64_t from, int64_t to, int64_t gpus) {
    from = std::max(from, now_);
    if (to <= from || gpus == 0) return;
    cut(from);
    cut(to);
    for (Step& step : steps_) {
      if (from <= step.time && step.time < to) step.free -= gpus;
    }
  }

  // The first step (or now) from which `gpus` are free for `length`.
  int64_t earliest(int64_t gpus, int64_t length) const {
    if (gpus == 0) return now_;  // always fits
    for (std::size_t first = 0; first < steps_.size(); ++first) {
      bool enough = true;
      for (std::size_t i = first; i < steps_.size(); ++i) {
        if (steps_[i].time >= steps_[first].time + length) break;
        if (steps_[i].free >= gpus) continue;
        enough = false;
        first = i;  // no start up to this step can do
        break;
      }
      if (enough) return steps_[first].time;
    }
    throw std::logic_error("twin: a job that never fits");
  }

 private:
  struct Step {
    int64_t time;
    int64_t free;
  };

  // Makes a step begin at `time`.
  void cut(int64_t time) {
    std::size_t i = steps_.size();
    while (steps_[i - 1].time > time) --i;
    if (steps_[i - 1].time == time) return;
    const Step step{time, steps_[i - 1].free};
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(i), step);
  }

  int64_t now_;
  std::vector<Step> steps_;
};

// ---- The simulator ----------------------------------------------------------------------------

struct State {
  int64_t predicted = 0;    // factor x duration
  int64_t estimate = 0;     // ... and at least a second
  int64_t work_done = 0;    // before the current start
  int64_t started = kNone;  // the current start
  int64_t reservation = kNone;
  Placement placement;
};

class PlainSimulator {
 public:
  PlainSimulator(const std::vector<PlainJob>& jobs, const PlainSetup& setup)
      : jobs_(jobs), setup_(setup), state_(jobs.size()), outcome_(jobs.size()) {
    std::vector<PlainGroup> groups = setup.groups;
    if (groups.empty()) groups = {{.nodes = setup.nodes, .gpus_per_node = setup.gpus_per_node}};
    for (const PlainGroup& group : groups) {
      const int64_t size = setup.gang ? group.gpus_per_node : group.nodes * group.gpus_per_node;
      for (int64_t n = 0; n < (setup.gang ? group.nodes : 1); ++n) {
        nodes_.push_back({size, group.model});
        empty_.push_back(size);
      }
    }
    free_ = empty_;
    for (Row j = 0; j < jobs.size(); ++j) {
      if (!fits_in(empty_, j)) {
        throw std::logic_error("twin: a job larger than the cluster");
      }
      state_[j].predicted =
          std::llround(setup.estimate_factor * static_cast<double>(jobs[j].run_ms));
      state_[j].estimate = std::max<int64_t>(1000, state_[j].predicted);
    }
    arrivals_.resize(jobs.size());
    std::iota(arrivals_.begin(), arrivals_.end(), Row{0});
    std::stable_sort(arrivals_.begin(), arrivals_.end(),
                     [&](Row a, Row b) { return jobs[a].submit_ms < jobs[b].submit_ms; });
  }

  std::vector<PlainOutcome> run() {
    while (true) {
      int64_t next = wake_;
      for (const Row j : running_) next = std::min(next, true_end(j));
      if (arrived_ < arrivals_.size()) next = std::min(next, jobs_[arrivals_[arrived_]].submit_ms);
      if (next == kNever) break;
      now_ = next;
      wake_ = kNever;
      complete();
      submit();
      decide();
    }
    return outcome_;
  }

 private:
  bool place_in(const FreeGpus& free, Row j, Placement& out) const {
    return find_place(nodes_, setup_.gang, free, jobs_[j], out);
  }
  bool fits_in(const FreeGpus& free, Row j) const {
    Placement ignored;
    return place_in(free, j, ignored);
  }

  // -- An instant

  int64_t true_end(Row j) const {
    return state_[j].started + jobs_[j].run_ms - state_[j].work_done;
  }
  int64_t estimated_end(Row j) const { return state_[j].started + state_[j].estimate; }

  void complete() {
    ended_early_ = false;
    std::vector<Row> still;
    for (const Row j : running_) {
      if (true_end(j) != now_) {
        still.push_back(j);
        continue;
      }
      if (now_ < estimated_end(j)) ended_early_ = true;
      give(free_, state_[j].placement);
      outcome_[j].end_ms = now_;
    }
    running_ = still;
  }

  void submit() {
    while (arrived_ < arrivals_.size() && jobs_[arrivals_[arrived_]].submit_ms == now_) {
      waiting_.push_back(arrivals_[arrived_++]);
    }
  }

  void decide() {
    if (setup_.order == Order::kSrtf) {
      repack();
      return;
    }
    sort_waiting();
    switch (setup_.backfill) {
      case Backfill::kNone:
        start_from_the_head();
        break;
      case Backfill::kGreedy:
        start_all_that_fit();
        break;
      case Backfill::kEasy:
        start_from_the_head();
        if (!waiting_.empty()) overtake_without_delaying_the_head();
        break;
      case Backfill::kReplan:
        plan_anew();
        break;
      case Backfill::kCompress:
        keep_reservations();
        break;
    }
  }

  // -- The queue

  // What an order looks at first: fifo: nothing; sjf: the length; srtf: what is left of it.
  int64_t key(Row j) const {
    if (setup_.order == Order::kFifo) return 0;
    int64_t left = state_[j].predicted - state_[j].work_done;
    if (state_[j].started != kNone) left -= now_ - state_[j].started;
    return left;
  }
  bool before(Row a, Row b) const {
    if (key(a) != key(b)) return key(a) < key(b);
    if (jobs_[a].submit_ms != jobs_[b].submit_ms) return jobs_[a].submit_ms < jobs_[b].submit_ms;
    return a < b;
  }
  void sort_waiting() {
    std::sort(waiting_.begin(), waiting_.end(), [&](Row a, Row b) { return before(a, b); });
  }

  // Does not take the job out of waiting_.
  void start(Row j, const Placement& placement) {
    state_[j].placement = placement;
    state_[j].started = now_;
    state_[j].reservation = kNone;
    take(free_, placement);
    running_.push_back(j);
    if (outcome_[j].start_ms == kNone) outcome_[j].start_ms = now_;
  }
  bool try_start(Row j) {
    Placement placement;
    if (!place_in(free_, j, placement)) return false;
    start(j, placement);
    return true;
  }
  void drop_started_from_waiting() {
    std::vector<Row> still;
    for (const Row j : waiting_) {
      if (state_[j].started == kNone) still.push_back(j);
    }
    waiting_ = still;
  }

  // -- none, greedy

  void start_from_the_head() {
    for (const Row j : waiting_) {
      if (!try_start(j)) break;
    }
    drop_started_from_waiting();
  }

  void start_all_that_fit() {
    for (const Row j : waiting_) try_start(j);
    drop_started_from_waiting();
  }

  // -- easy

  void overtake_without_delaying_the_head() {
    const Row head = waiting_.front();
    // The running jobs end at their estimated ends until the head fits.
    FreeGpus future = free_;
    int64_t shadow = kNone;
    std::vector<Row> left = running_;
    while (!fits_in(future, head)) {
      shadow = kNever;
      for (const Row j : left) shadow = std::min(shadow, estimated_end(j));
      if (shadow == kNever) throw std::logic_error("twin: the head never fits");
      std::vector<Row> later;
      for (const Row j : left) {
        if (estimated_end(j) == shadow) {
          give(future, state_[j].placement);
        } else {
          later.push_back(j);
        }
      }
      left = later;
    }
    for (std::size_t i = 1; i < waiting_.size(); ++i) {
      const Row j = waiting_[i];
      Placement placement;
      if (!place_in(free_, j, placement)) continue;
      if (now_ + state_[j].estimate <= shadow) {
        start(j, placement);
        continue;
      }
      FreeGpus without = future;
      take(without, placement);
      if (!fits_in(without, head)) continue;
      future = without;
      start(j, placement);
    }
    drop_started_from_waiting();
  }

  // -- conservative

  // Free GPUs with the running jobs until their estimated ends, and with the reservations held.
  Profile profile() const {
    Profile out(now_, empty_.front());  // a pool of one group
    for (const Row j : running_) out.hold(now_, estimated_end(j), jobs_[j].gpus);
    for (const Row j : waiting_) {
      const int64_t from = state_[j].reservation;
      if (from != kNone) out.hold(from, from + state_[j].estimate, jobs_[j].gpus);
    }
    return out;
  }
  bool place_is_free(int64_t held) const {
    return setup_.reservation_depth < 0 || held < setup_.reservation_depth;
  }
  // A reservation that falls due is an instant.
  void wake_at_next_reservation() {
    for (const Row j : waiting_) {
      if (state_[j].reservation > now_) wake_ = std::min(wake_, state_[j].reservation);
    }
  }

  void plan_anew() {
    for (const Row j : waiting_) state_[j].reservation = kNone;
    give_slots_and_start();
  }

  // The golden files settle two readings: the waiting jobs give up their reservations one by one,
  // not all at once, and the jobs that are new in this instant come after that.
  void keep_reservations() {
    if (ended_early_) {
      Profile planned = profile();
      for (const Row j : waiting_) {
        State& state = state_[j];
        if (state.reservation == kNone) continue;  // new, its turn comes below
        planned.hold(state.reservation, state.reservation + state.estimate, -jobs_[j].gpus);
        state.reservation = planned.earliest(jobs_[j].gpus, state.estimate);
        planned.hold(state.reservation, state.reservation + state.estimate, jobs_[j].gpus);
      }
    }
    give_slots_and_start();
  }

  // The earliest slot behind those that are held, for whom has none, as long as a place among the
  // first `reservation_depth` is free; then the start of whom is due (or was due: a job outran its
  // estimate and held the GPUs) and fits; that may make a place free.
  void give_slots_and_start() {
    bool again = true;
    while (again) {
      again = false;
      Profile planned = profile();
      int64_t held = 0;
      for (const Row j : waiting_) {
        if (!place_is_free(held)) break;
        ++held;
        if (state_[j].reservation != kNone) continue;
        const int64_t slot = planned.earliest(jobs_[j].gpus, state_[j].estimate);
        planned.hold(slot, slot + state_[j].estimate, jobs_[j].gpus);
        state_[j].reservation = slot;
      }
      for (const Row j : waiting_) {
        const bool due = state_[j].reservation != kNone && state_[j].reservation <= now_;
        if (due && try_start(j)) again = true;
      }
      drop_started_from_waiting();
    }
    wake_at_next_reservation();
  }

  // -- srtf

  void repack() {
    std::vector<Row> all = running_;
    all.insert(all.end(), waiting_.begin(), waiting_.end());
    std::sort(all.begin(), all.end(), [&](Row a, Row b) { return before(a, b); });
    free_ = empty_;
    running_.clear();
    waiting_.clear();
    for (const Row j : all) {
      State& state = state_[j];
      const bool ran = state.started != kNone;
      if (ran) {
        state.work_done += now_ - state.started;
        state.started = kNone;
      }
      if (try_start(j)) continue;
      if (ran) ++outcome_[j].preemptions;
      waiting_.push_back(j);
    }
  }

  const std::vector<PlainJob>& jobs_;
  const PlainSetup setup_;
  std::vector<Node> nodes_;
  FreeGpus empty_;
  std::vector<State> state_;
  std::vector<PlainOutcome> outcome_;

  int64_t now_ = 0;
  int64_t wake_ = kNever;
  std::vector<Row> arrivals_;  // every job, in queue order
  std::size_t arrived_ = 0;
  std::vector<Row> waiting_;
  std::vector<Row> running_;
  FreeGpus free_;
  bool ended_early_ = false;  // some job, in this round, before its estimated end
};

}  // namespace

std::vector<PlainOutcome> plain_simulate(const std::vector<PlainJob>& jobs,
                                         const PlainSetup& setup) {
  return PlainSimulator(jobs, setup).run();
}

}  // namespace berth::twin
