// The Acme trace format: CSV as published for the clusters Seren (13 columns) and Kalos (17).
//
// Columns are found by their names in the header line, in any order; others are ignored.
//
//   job_id          required; need not be unique
//   user            required
//   gpu_num         required; 0: a CPU job
//   type            required; Eval, Pretrain, SFT, MLLM, Debug, Other, CPU, also spelt out
//                   ("Evaluation") and in any case; any other name is kept as it is
//   state           required; COMPLETED, CANCELLED, FAILED, TIMEOUT, NODE_FAIL, PREEMPTED, RUNNING
//   submit_time     required; "2023-03-01 00:18:22+08:00", see timestamp.hpp
//   start_time      both or neither; empty start: the job never ran; empty end: it still runs
//   end_time        (state RUNNING only)
//   duration        seconds; required where there is no start_time and end_time
//   queue           seconds; used only where there is no start_time
//   node_num        optional, as all that follow; an empty value is an unknown one
//   cpu_num         over all nodes
//   mem_per_pod_GB  read as GiB, times node_num
//   time_limit      seconds; Berth's own addition, the run time that the user asked for
//   gpu_time, shared_mem_per_pod, fail_time, stop_time      checked, not used
//
// Run time is end - start where both are there, whatever `duration` says: the published Kalos
// rows count the wait in (duration 18 with queue 10 for a run of 8 s), Seren's do not. Rows where
// the two differ by a second or more are counted. A job that still runs is taken to run until the
// last instant that the trace names. Cancelled and failed jobs are load like any other.
#pragma once

#include <memory>

#include "sim/api/trace_reader.hpp"

namespace berth {

std::unique_ptr<TraceReader> make_acme_reader();

}  // namespace berth
