// Reading a trace in a test: by a format's name, with options as YAML.
#pragma once

#include <filesystem>
#include <string>

#include "sim/config/config_node.hpp"
#include "sim/experiment/builtin_registries.hpp"
#include "tests/support/temp_folder.hpp"

namespace berth::test {

// `yaml`: the options of the format, such as "timezone: UTC". Throws what reading throws.
inline void read_trace(const std::string& format, const std::filesystem::path& file,
                       const TraceOptions& options, JobTableBuilder& out, TraceReport& report,
                       const std::string& yaml = "{}") {
  const TempFolder folder;
  ConfigReader config(load_config(folder.write("trace.yaml", yaml), {}, {}));
  ConfigNode root = config.root();
  const auto reader = builtin_registries().formats.find(format)->make()->reader(root);
  root.finish();
  config.throw_if_errors();
  reader->read(file, options, out, report);
}

struct LoadedTrace {
  JobTable table;
  TraceReport report;

  const Job& operator[](std::size_t i) const { return table.jobs()[i]; }
  std::string id(std::size_t i) const { return std::string(table.id_of((*this)[i])); }
};

inline LoadedTrace load_trace(const std::string& format, const std::filesystem::path& file,
                              const TraceOptions& options = {}, const std::string& yaml = "{}") {
  LoadedTrace out;
  JobTableBuilder builder(options.parts_per_gpu());
  read_trace(format, file, options, builder, out.report, yaml);
  out.table = builder.finish();
  return out;
}

}  // namespace berth::test
