// merge: the jobs of another trace beside those so far.
//
//   - merge:
//       trace: {format: acme, path: other.csv}   # with the options of that format
//       shift: align                             # align | keep | a duration
//       prefix: "b-"                             # put before the other's job ids; default none
//
// The other trace is read whole, by the rules of the workload (bad_rows, never_started, duplicates,
// fractional). `align`: its first submission comes with the first one so far; a duration: so long
// after it; `keep`: its dates stay. Recorded starts move along. Users, types and groups of one name
// are one. At equal times the jobs so far go first. Transforms further up the list were not
// applied to the other trace.
#include <filesystem>
#include <optional>

#include "sim/api/workload_transform.hpp"
#include "sim/config/wording.hpp"
#include "sim/core/digest.hpp"
#include "sim/core/time_zone.hpp"
#include "workloads/builtin.hpp"
#include "workloads/transforms/span.hpp"

namespace berth {
namespace {

class Merge final : public WorkloadTransform {
 public:
  Merge(ConfigNode& node, const TransformContext& context)
      : place_(place_of(node)), options_(context.options) {
    read_trace(node.section("trace"), context.formats);
    read_shift(node);
    prefix_ = node.text("prefix", "");
    if (prefix_.find('\0') != std::string::npos) node.error("prefix", "an id holds no NUL");
  }

  std::vector<std::filesystem::path> files() const override { return reader_->files(path_); }

  std::string apply(JobTableBuilder& rows) const override {
    TraceReport report;
    JobTableBuilder other(options_.parts_per_gpu());
    reader_->read(path_, options_, other, report);
    other.sort();
    const std::size_t before = rows.size();
    const Duration later = shift_for(rows, other, report);
    rows.reserve(before + other.size());
    Text text;
    for (const Job& job : other.jobs()) rows.add(row_of(job, other.names(), later, text));
    // The lines are those of another file than the trace's, which is the one that messages name.
    JobVector<Job>& jobs = rows.jobs();
    for (std::size_t i = before; i < jobs.size(); ++i) jobs[i].line = 0;

    std::string line = "merge: added " + std::to_string(other.size()) + " jobs of " +
                       path_.filename().string() + " to " + std::to_string(before);
    if (other.size() > 0) {
      line += ", the first submitted at " + civil_text(to_ms(other.jobs().front().submit + later)) +
              " UTC";
    }
    line +=
        " (" + format_ + ", " + std::to_string(report.rows) + " rows, XXH3-64 " + hex(report.hash);
    for (const TraceReport::Verdict& verdict : report.dropped) {
      line += "; left out " + std::to_string(verdict.rows) + ": " + verdict.reason;
    }
    return line + ")";
  }

 private:
  enum class Shift : std::uint8_t { kKeep, kAfterFirst };

  // What the views of a JobRow point to.
  struct Text {
    std::string id;
    std::string preceding;
  };

  void read_trace(ConfigNode trace, const Registry<TraceFormat>& formats) {
    format_ = trace.choice("format", formats.names(), {});
    path_ = trace.file("path");
    // An option of a format that was not chosen is out of place, not unknown: the message says so.
    for (const auto& entry : formats.entries()) {
      for (const OptionHelp& option : entry.options) trace.has(option.key);
    }
    if (const auto* entry = formats.find(format_)) reader_ = entry->make()->reader(trace);
    trace.finish();
  }

  void read_shift(ConfigNode& node) {
    const std::string text = node.text("shift", "align");
    if (text == "keep") {
      shift_ = Shift::kKeep;
    } else if (text != "align") {
      const std::optional<Duration> after = parse_duration(text);
      if (!after)
        node.error("shift", in_quotes(text) + " is not align, keep, or a duration such as 2d");
      after_first_ = after.value_or(Duration(0));
    }
  }

  Duration shift_for(JobTableBuilder& rows, JobTableBuilder& other,
                     const TraceReport& report) const {
    if (other.size() == 0) return {};
    if (shift_ == Shift::kKeep) {
      if (!report.has_dates) {
        throw place_.fault("shift: keep has no meaning: the times of " + path_.string() +
                           " count from an instant that it does not tell; use align or a duration");
      }
      return {};
    }
    const SimTime first =
        rows.size() == 0 ? other.jobs().front().submit : rows.jobs().front().submit;
    return first + after_first_ - other.jobs().front().submit;
  }

  JobRow row_of(const Job& job, const JobTable& names, Duration later, Text& text) const {
    const JobTraits& traits = names.traits_of(job);
    const TraitNames& tables = names.trait_names();
    text.id.assign(prefix_).append(names.id_of(job));
    text.preceding.clear();
    if (traits.preceding != NameId{}) {
      text.preceding.assign(prefix_).append(tables.names.name(traits.preceding));
    }
    JobRow row;
    row.id = text.id;
    row.user = names.user_of(job);
    row.type = names.type_of(job);
    row.name = tables.names.name(traits.name);
    row.vc = tables.groups.name(traits.vc);
    row.account = tables.groups.name(traits.account);
    row.priority = tables.priorities.name(traits.priority);
    row.gpu_model = tables.gpu_models.name(traits.gpu_model);
    row.preceding = text.preceding;
    row.think = traits.think;
    row.state = job.state;
    row.submit_unix_ms = to_ms(job.submit + later);
    row.run = job.run;
    row.never_started = job.never_started;
    if (!job.never_started) row.start_unix_ms = to_ms(job.recorded_start + later);
    row.time_limit = job.time_limit;
    row.gpu_parts = job.gpu_parts;
    row.cpus = job.cpus;
    row.memory_mib = job.memory_mib;
    return row;
  }

  OptionPlace place_;
  TraceOptions options_;  // a copy: the context's is gone when the trace is read
  std::string format_;
  std::filesystem::path path_;
  std::unique_ptr<TraceReader> reader_;
  Shift shift_ = Shift::kAfterFirst;
  Duration after_first_{};
  std::string prefix_;
};

}  // namespace

void register_merge(TransformRegistry& transforms) {
  transforms.add("merge", "the jobs of another trace besides",
                 {{"trace", "format, path and the options of the format, as workload.trace"},
                  {"shift",
                   "align: first submissions coincide | keep: its dates stay | a duration "
                   "after the first submission; default align"},
                  {"prefix", "put before the ids of its jobs; default none"}},
                 [](ConfigNode& node, const TransformContext& context) {
                   return std::make_unique<Merge>(node, context);
                 });
}

}  // namespace berth
