// Damage of every kind to a trace of every format: it is read, every row accounted for, or refused
// with a place. And `format: auto`, which takes every sample for what it is.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "sim/config/wording.hpp"
#include "sim/core/error.hpp"
#include "sim/experiment/format_auto.hpp"
#include "tests/workloads/files.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

namespace fs = std::filesystem;

struct Sample {
  std::string format;
  std::string file;  // the one that is damaged
  std::string text;
  std::string options = "{}";
  std::vector<std::string> beside = {};  // files of workloads/samples/pai
};

std::string sample_text(const std::string& name) {
  return slurp(fs::path(BERTH_SOURCE_DIR) / "workloads/samples" / name);
}

std::vector<Sample> samples() {
  // Rows as models.md, section 6, quotes them.
  const std::string acme =
      "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
      "queue,gpu_time\n"
      "5778432,u5907,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,"
      "2023-03-01 00:20:51+08:00,117,32,936.0\n"
      "5778433,\"u,1\",1,1,16,Eval,CANCELLED,2023-03-01 00:19:00+08:00,,,0,0,0.0\r\n";
  const std::string helios =
      "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
      "queue\n"
      "1425511,uXBbc,vcJkd,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,"
      "2020-06-10 04:55:09,36848,0\n"
      "1425512,uXBbc,vcJkd,8,64,1,FAILED,2020-06-09 18:42:00,2020-06-09 18:43:00,"
      "2020-06-09 18:44:00,60,60\n";
  const std::string openb =
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
      "deletion_time,scheduled_time\n"
      "openb-pod-0000,12000,16384,1,1000,,LS,Running,0,12537496,0\n"
      "openb-pod-4998,32000,49152,0,0,,BE,Running,11979976,11980124,11979979\n";
  const std::string swf =
      "; Version: 2.2\n; UnixStartTime: 1027839845\n; TimeZoneString: Europe/Stockholm\n"
      ";\n 1 0 5 3600 8 -1 -1 8 7200 -1 1 3 1 -1 1 -1 -1 -1\n"
      " 2 60 -1 -1 -1 -1 -1 4 600 -1 5 4 1 -1 1 -1 1 30\n";
  std::vector<Sample> out{
      {"acme", "trace.csv", acme},
      {"helios", "trace.csv", helios},
      {"swf", "trace.swf", swf, "{processors_as: gpus}"},
      {"sacct", "sacct.txt", sample_text("sacct.txt"), "{timezone: UTC}"},
      {"openb", "pods.csv", openb},
      {"spot", "spot.csv", sample_text("spot.csv")},
      {"philly", "philly.json", sample_text("philly.json"), "{timezone: UTC}"},
      {"csv", "own.csv", sample_text("your-own.csv"),
       "{delimiter: semicolon, missing: [n/a], time_format: '%d/%m/%Y %H:%M', timezone: UTC, "
       "columns: {id: Job, user: Owner, state: Result, submit: Submitted, start: Started, end: "
       "Finished, gpus: Nodes}, states: {ok: COMPLETED, error: FAILED, killed: CANCELLED, running: "
       "RUNNING}}"},
  };
  const std::vector<std::string> tables{"pai_job_table.csv", "pai_task_table.csv",
                                        "pai_instance_table.csv", "pai_group_tag_table.csv"};
  for (const std::string& table : tables) {
    out.push_back({"pai", table, sample_text("pai/" + table), "{}", tables});
  }
  return out;
}

// The file in a folder of its own, with those it needs; what the reader is given.
fs::path lay(const TempFolder& folder, const Sample& sample, std::string_view text) {
  for (const std::string& other : sample.beside) folder.write(other, sample_text("pai/" + other));
  const fs::path file = folder.write(sample.file, text);
  return sample.beside.empty() ? file : folder.path() / sample.beside.front();
}

std::uint64_t dropped(const TraceReport& report) {
  std::uint64_t sum = 0;
  for (const TraceReport::Verdict& verdict : report.dropped) sum += verdict.rows;
  return sum;
}

enum class Outcome { kRead, kRefused };

// Anything but a DataError that names the file is a failure.
Outcome expect_read_or_refused(const Sample& sample, const std::string& text, RowRule rule) {
  const TempFolder folder;
  const fs::path path = lay(folder, sample, text);
  TraceOptions options;
  options.bad_rows = rule;
  const auto what = [&] {
    return sample.format + " " + sample.file + ":\n" + printable(text, 3000);
  };
  try {
    const LoadedTrace trace = load_trace(sample.format, path, options, sample.options);
    EXPECT_EQ(trace.report.kept, trace.table.size()) << what();
    EXPECT_EQ(trace.report.rows, trace.report.kept + dropped(trace.report)) << what();
    for (const Job& job : trace.table.jobs()) {
      EXPECT_GE(job.submit, SimTime{}) << what();
      EXPECT_GE(job.run, Duration(0)) << what();
      EXPECT_LE(job.run, kLongestDuration) << what();
      EXPECT_TRUE(job.never_started || job.recorded_start >= job.submit) << what();
    }
    return Outcome::kRead;
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find(folder.path().string()), std::string::npos)
        << error.what() << "\n"
        << what();
    return Outcome::kRefused;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "not a DataError: " << error.what() << "\n" << what();
    return Outcome::kRefused;
  }
}

class DamagedTraces : public testing::TestWithParam<Sample> {};

TEST_P(DamagedTraces, TheSampleItselfIsRead) {
  EXPECT_EQ(expect_read_or_refused(GetParam(), GetParam().text, RowRule::kError), Outcome::kRead);
}

// Cut off after every byte (long samples: every seventh).
TEST_P(DamagedTraces, CutOffAnywhere) {
  const Sample& sample = GetParam();
  const std::size_t step = sample.text.size() < 1000 ? 1 : 7;
  for (std::size_t size = 0; size < sample.text.size(); size += step) {
    expect_read_or_refused(sample, sample.text.substr(0, size),
                           size % 2 == 0 ? RowRule::kError : RowRule::kSkip);
    if (HasFailure()) return;
  }
}

TEST_P(DamagedTraces, BytesChangedLostOrDoubled) {
  const Sample& sample = GetParam();
  std::mt19937_64 random(1);
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  static constexpr char kLiteral[] = "\0\n\r\t \",;|:-+.0123456789eE[]{}nN/\\\x80\xff";
  constexpr std::string_view kBytes(kLiteral, sizeof kLiteral - 1);
  std::map<Outcome, int> outcomes;
  for (int i = 0; i < 600; ++i) {
    std::string text = sample.text;
    for (std::size_t faults = 1 + below(3); faults > 0; --faults) {
      const std::size_t at = below(text.size());
      const std::size_t length = std::min(text.size() - at, 1 + below(40));
      switch (below(4)) {
        case 0:
          text[at] = kBytes[below(kBytes.size())];
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, text.substr(below(text.size()), length));
          break;
        default:
          text.insert(at, 1 + below(30), '9');
          break;
      }
      if (text.empty()) text = "\n";
    }
    ++outcomes[expect_read_or_refused(sample, text, i % 2 == 0 ? RowRule::kError : RowRule::kSkip)];
    if (HasFailure()) return;
  }
  // The damage is neither always fatal nor never seen.
  EXPECT_GT(outcomes[Outcome::kRefused], 30);
  EXPECT_GT(outcomes[Outcome::kRead], 30);
}

// csv is what no other format is, and asks for its mapping.
TEST_P(DamagedTraces, AutoTakesItForWhatItIs) {
  const Sample& sample = GetParam();
  const TempFolder folder;
  const fs::path path = lay(folder, sample, sample.text);
  const Registries registries = builtin_registries();
  if (sample.format == "csv") {
    EXPECT_THROW(recognise_format(registries.formats, path), DataError);
    return;
  }
  EXPECT_EQ(recognise_format(registries.formats, path), sample.format);
  if (sample.beside.empty()) {
    const TempFolder gzip;
    EXPECT_EQ(recognise_format(registries.formats,
                               gzip.write(sample.file + ".gz", packed(Pack::kGzip, sample.text))),
              sample.format);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DamagedTraces, testing::ValuesIn(samples()),
                         [](const testing::TestParamInfo<Sample>& it) {
                           return it.param.format == "pai"
                                      ? it.param.file.substr(0, it.param.file.size() - 4)
                                      : it.param.format;
                         });

TEST(FormatAuto, SaysHowAFileThatNobodyKnowsBegins) {
  const Registries registries = builtin_registries();
  const TempFolder folder;
  for (const char* text :
       {"", "\n\n", "hello\nworld\n", "a,b,c\n1,2,3\n", "{}", "[]", "\x1f\x8b"}) {
    try {
      recognise_format(registries.formats, folder.write("x.csv", text));
      ADD_FAILURE() << "recognised: " << text;
    } catch (const DataError& error) {
      EXPECT_NE(std::string(error.what()).find("x.csv"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace berth::test
