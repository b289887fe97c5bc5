// Philly's cluster_job_log as a stream of jobs: a JSON list of any length in the memory of one job.
//
// nlohmann's SAX parser does the JSON; this keeps where things stand, which it does not. Unknown
// keys are skipped, whatever they hold. A value of the wrong kind does not end the reading: the job
// is handed over with its fault, so that workload.bad_rows decides.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "workloads/reading/trace_file.hpp"

namespace berth {

struct PhillyLog {
  struct Text {
    std::string value;  // empty: null, or not there
    Location where;     // of the value; of the job where there is none
  };
  struct Machine {
    std::string ip;
    std::uint32_t gpus = 0;
  };
  struct Attempt {
    Text start;
    Text end;
    std::vector<Machine> machines;
  };
  struct Job {
    Location where;  // of its opening brace
    Text id;
    Text user;
    Text vc;
    Text status;
    Text submitted;
    std::vector<Attempt> attempts;
    std::string fault;  // empty: none
    Location fault_where;
  };

  // Hands over every job in order, with the bytes read so far. Throws DataError where the file is
  // no JSON, or no list of objects.
  static void read(TraceFile& file, const std::function<void(Job&, std::uint64_t)>& take);
};

}  // namespace berth
