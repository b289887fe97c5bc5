#include "workloads/formats.hpp"

#include "workloads/acme.hpp"

namespace berth {

void register_formats(Registry<TraceReader>& formats) {
  formats.add("acme", "CSV in the schema of the Acme traces (Seren, Kalos); plain, gzip or zstd",
              {}, make_acme_reader);
}

}  // namespace berth
