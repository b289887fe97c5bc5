// The format csv, rule by rule. Expected values are worked out by hand from the text of the trace;
// instants are from `date -u -d TIME +%s`.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "sim/core/error.hpp"
#include "tests/workloads/files.hpp"
#include "tests/workloads/read_trace.hpp"

namespace berth::test {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::int64_t kNine = 1'709'283'600'000;  // 2024-03-01 09:00 UTC

SimTime at(Duration d) { return SimTime(d); }

// The rows that met a fate for a reason that begins so.
std::uint64_t rows_with(const std::vector<TraceReport::Verdict>& verdicts,
                        std::string_view reason) {
  for (const TraceReport::Verdict& verdict : verdicts) {
    if (verdict.reason.starts_with(reason)) return verdict.rows;
  }
  return 0;
}

class CsvTest : public testing::Test {
 protected:
  LoadedTrace load(std::string_view text, const std::string& yaml,
                   const TraceOptions& options = {}) {
    return load_trace("csv", folder_.write("trace.csv", text), options, yaml);
  }
  // Times in seconds, columns t, d and g.
  LoadedTrace simple(std::string_view rows, const std::string& more = {},
                     const TraceOptions& options = {}) {
    return load("t,d,g\n" + std::string(rows),
                "columns: {submit: t, duration: d, gpus: g}\ntime_format: seconds\n" + more,
                options);
  }

  TempFolder folder_;
};

TEST_F(CsvTest, ReadsEveryFieldOfARow) {
  const LoadedTrace trace = load(
      "#,title,who,project,vc,kind,result,class,gpu,in,begin,finish,run,wait,limit,gpus,cores,ram\n"
      "a1,train it,ada,p1,vcA,train,Pass,HP,A100,2024-03-01 09:00:00,2024-03-01 09:10:00,"
      "2024-03-01 10:10:00,3600,600,120,8,64,1.5\n",
      "columns: {id: '#', name: title, user: who, account: project, vc: vc, type: kind,\n"
      "  state: result, priority: class, gpu_model: gpu, submit: in, start: begin, end: finish,\n"
      "  duration: run, queue: wait, time_limit: limit, gpus: gpus, cpus: cores, memory: ram}\n"
      "units: {time_limit: min, memory: TiB}\n"
      "states: {Pass: COMPLETED, Killed: CANCELLED}\n"
      "types: {train: Pretrain}\n"
      "timezone: '+08:00'\n");
  ASSERT_EQ(trace.table.size(), 1U);
  const Job& job = trace[0];
  const JobTraits& traits = trace.table.traits_of(job);
  const TraitNames& names = trace.table.trait_names();
  EXPECT_EQ(trace.id(0), "a1");
  EXPECT_EQ(names.names.name(traits.name), "train it");
  EXPECT_EQ(trace.table.user_of(job), "ada");
  EXPECT_EQ(names.groups.name(traits.account), "p1");
  EXPECT_EQ(names.groups.name(traits.vc), "vcA");
  EXPECT_EQ(trace.table.type_of(job), "Pretrain");
  EXPECT_EQ(job.state, JobState::kCompleted);
  EXPECT_EQ(names.priorities.name(traits.priority), "HP");
  EXPECT_EQ(names.gpu_models.name(traits.gpu_model), "A100");
  EXPECT_EQ(trace.table.epoch_unix_ms(), kNine - 8 * 3'600'000);
  EXPECT_EQ(job.submit, at(seconds(0)));
  EXPECT_EQ(job.recorded_start, at(minutes(10)));
  EXPECT_EQ(job.run, hours(1));
  EXPECT_EQ(job.time_limit, hours(2));
  EXPECT_EQ(job.gpu_parts, 8U);
  EXPECT_EQ(job.cpus, 64U);
  EXPECT_EQ(job.memory_mib, 1'572'864U);  // 1.5 x 1024 x 1024
  EXPECT_EQ(job.line, 2U);
  EXPECT_EQ(trace.report.format, "csv");
  EXPECT_EQ(trace.report.zone.name(), "+08:00");
  EXPECT_EQ(trace.report.zone_source, "option timezone");
  EXPECT_TRUE(trace.report.has_dates);
  EXPECT_TRUE(trace.report.has_starts);
  EXPECT_TRUE(trace.report.fixed.empty());
  ASSERT_EQ(trace.report.column_tests.size(), 2U);  // duration is end - start, queue is the wait
  EXPECT_EQ(trace.report.column_tests[0].agreements[0].rows, 1U);
  EXPECT_EQ(trace.report.column_tests[1].agreements[0].rows, 1U);
}

TEST_F(CsvTest, WhatIsNotMappedHasPlainDefaults) {
  const LoadedTrace trace = simple("10,60,1\n10,30,4\n0,5,0\n");
  ASSERT_EQ(trace.table.size(), 3U);
  EXPECT_EQ(trace.id(0), "row3");  // in order of submission
  EXPECT_EQ(trace.id(1), "row1");
  EXPECT_EQ(trace.id(2), "row2");
  EXPECT_EQ(trace[1].submit, at(seconds(10)));
  EXPECT_EQ(trace[1].run, seconds(60));
  EXPECT_EQ(trace[2].gpu_parts, 4U);
  EXPECT_EQ(trace[0].gpu_parts, 0U);
  EXPECT_EQ(trace.table.user_of(trace[1]), "");
  EXPECT_EQ(trace.table.type_of(trace[1]), "Other");
  EXPECT_EQ(trace[1].state, JobState::kCompleted);
  EXPECT_LT(trace[1].time_limit, Duration(0));
  EXPECT_EQ(trace[1].traits, 0U);
  EXPECT_FALSE(trace.report.has_dates);
  EXPECT_FALSE(trace.report.has_starts);
}

TEST_F(CsvTest, ConstantsAreReadAsIfTheyStoodInEveryRow) {
  const LoadedTrace trace = load("t,d\n0,1\n1,2\n",
                                 "columns: {submit: t, duration: d}\n"
                                 "constants: {gpus: 150, type: t1, state: Killed, user: x, vc: v,\n"
                                 "  memory: 2, cpus: 3, time_limit: 4, priority: HP}\n"
                                 "units: {gpus: percent, memory: GiB, time_limit: h}\n"
                                 "states: {Killed: CANCELLED}\n"
                                 "types: {t1: Eval}\n"
                                 "time_format: seconds\n");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(trace[i].gpu_parts, 2U);  // 1.5 rounded up
    EXPECT_EQ(trace.table.type_of(trace[i]), "Eval");
    EXPECT_EQ(trace[i].state, JobState::kCancelled);
    EXPECT_EQ(trace.table.user_of(trace[i]), "x");
    EXPECT_EQ(trace[i].memory_mib, 2048U);
    EXPECT_EQ(trace[i].cpus, 3U);
    EXPECT_EQ(trace[i].time_limit, hours(4));
  }
  const LoadedTrace timed = load("t,g\n0,1\n",
                                 "columns: {submit: t, gpus: g}\n"
                                 "constants: {duration: 1.5}\n"
                                 "units: {duration: h}\n"
                                 "time_format: seconds\n");
  EXPECT_EQ(timed[0].run, minutes(90));
}

struct Dialect {
  const char* delimiter;
  char character;
};

TEST_F(CsvTest, DelimitersByWordOrCharacter) {
  const Dialect cases[] = {{"comma", ','}, {"tab", '\t'},     {"semicolon", ';'},
                           {"pipe", '|'},  {"space", ' '},    {"';'", ';'},
                           {"'^'", '^'},   {"\"\\t\"", '\t'}, {"'~'", '~'}};
  for (const Dialect& each : cases) {
    std::string text = "t,d,g\n5,60,8\n";
    std::replace(text.begin(), text.end(), ',', each.character);
    const LoadedTrace trace = load(text,
                                   "columns: {submit: t, duration: d, gpus: g}\n"
                                   "time_format: seconds\ndelimiter: " +
                                       std::string(each.delimiter) + "\n");
    EXPECT_EQ(trace[0].gpu_parts, 8U) << each.delimiter;
  }
}

TEST_F(CsvTest, QuotesMayBeOrdinaryText) {
  const std::string yaml =
      "columns: {name: n, submit: t, duration: d, gpus: g}\ntime_format: seconds\n";
  const LoadedTrace quoted = load("n,t,d,g\n\"a, \"\"b\"\"\",0,1,1\n", yaml);
  EXPECT_EQ(quoted.table.trait_names().names.name(quoted.table.traits_of(quoted[0]).name),
            "a, \"b\"");
  const LoadedTrace plain = load("n,t,d,g\nsay \"b\",0,1,1\n", yaml + "quotes: false\n");
  EXPECT_EQ(plain.table.trait_names().names.name(plain.table.traits_of(plain[0]).name),
            "say \"b\"");
}

TEST_F(CsvTest, WithoutAHeaderColumnsAreNumbers) {
  const LoadedTrace trace = load("x\t60\t\"y\t5\t8\nx\t61\tz\t6\t9\n",
                                 "header: false\ndelimiter: tab\nquotes: false\n"
                                 "columns: {submit: 4, duration: 2, gpus: 5}\n"
                                 "time_format: seconds\n");
  ASSERT_EQ(trace.table.size(), 2U);
  EXPECT_EQ(trace.report.rows, 2U);
  EXPECT_EQ(trace[1].submit, at(seconds(1)));
  EXPECT_EQ(trace[1].run, seconds(61));
  EXPECT_EQ(trace[1].gpu_parts, 9U);
  EXPECT_EQ(trace[1].line, 2U);
}

TEST_F(CsvTest, AColumnMayServeTwice) {
  const LoadedTrace trace = load("t,e,g\n5,65,8\n",
                                 "columns: {submit: t, start: t, end: e, gpus: g}\n"
                                 "time_format: seconds\n");
  EXPECT_EQ(trace[0].recorded_start, at(seconds(0)));
  EXPECT_EQ(trace[0].run, seconds(60));
}

TEST_F(CsvTest, UnitsOfTime) {
  const std::pair<const char*, Duration> cases[] = {
      {"s", Duration(2500)},    {"ms", Duration(3)},  // 2.5 to the nearest, away from zero
      {"min", seconds(150)},    {"h", minutes(150)},  {"d", hours(60)},
      {"350ms", Duration(875)}, {"10s", seconds(25)}, {"1min30s", seconds(225)}};
  for (const auto& [unit, expected] : cases) {
    const LoadedTrace trace = simple("0,2.5,1\n", "units: {duration: " + std::string(unit) + "}\n");
    EXPECT_EQ(trace[0].run, expected) << unit;
  }
}

TEST_F(CsvTest, UnitsOfMemory) {
  const std::pair<const char*, std::uint32_t> cases[] = {
      {"B", 0},
      {"KiB", 2},
      {"MiB", 2000},
      {"GiB", 2'048'000},
      {"TiB", 2'097'152'000},
      {"KB", 2},
      {"MB", 1907},       // 2e9 / 2^20 = 1907.35
      {"GB", 1'907'349},  // 2e12 / 2^20 = 1907348.63
      {"TB", 1'907'348'633}};
  for (const auto& [unit, expected] : cases) {
    const LoadedTrace trace = load("t,d,g,m\n0,1,1,2000\n",
                                   "columns: {submit: t, duration: d, gpus: g, memory: m}\n"
                                   "time_format: seconds\nunits: {memory: " +
                                       std::string(unit) + "}\n");
    EXPECT_EQ(trace[0].memory_mib, expected) << unit;
  }
}

TEST_F(CsvTest, UnitsOfGpus) {
  TraceOptions share;
  share.fractional = FractionRule::kShare;
  EXPECT_EQ(simple("0,1,0.57\n", "", share)[0].gpu_parts, 570U);
  EXPECT_EQ(simple("0,1,25\n", "units: {gpus: percent}\n", share)[0].gpu_parts, 250U);
  EXPECT_EQ(simple("0,1,1500\n", "units: {gpus: milli}\n", share)[0].gpu_parts, 1500U);
  EXPECT_EQ(simple("0,1,1500\n", "units: {gpus: milli}\n")[0].gpu_parts, 2U);
  EXPECT_EQ(simple("0,1,8.0\n")[0].gpu_parts, 8U);
}

TEST_F(CsvTest, WhatIsFinerThanAThousandthIsRoundedAndCounted) {
  TraceOptions share;
  share.fractional = FractionRule::kShare;
  const LoadedTrace trace = simple("0,1,0.3333\n1,1,0.0001\n2,1,0.5\n", "", share);
  EXPECT_EQ(trace[0].gpu_parts, 333U);
  EXPECT_EQ(trace[1].gpu_parts, 1U);  // not 0: it is no CPU job
  EXPECT_EQ(trace[2].gpu_parts, 500U);
  EXPECT_EQ(rows_with(trace.report.fixed, "GPUs finer than a thousandth"), 2U);
}

TEST_F(CsvTest, PerWorkerAmountsAreMultiplied) {
  const std::string text = "t,d,w,g,c,m\n0,1,3,0.5,2.5,100\n";
  const std::string yaml =
      "columns: {submit: t, duration: d, nodes: w, gpus_per_worker: g, cpus_per_worker: c,\n"
      "  memory_per_worker: m}\ntime_format: seconds\nunits: {memory: MiB}\n";
  const LoadedTrace whole = load(text, yaml);
  EXPECT_EQ(whole[0].gpu_parts, 3U);  // each worker a GPU of its own
  EXPECT_EQ(whole[0].cpus, 8U);       // 7.5
  EXPECT_EQ(whole[0].memory_mib, 300U);
  EXPECT_EQ(rows_with(whole.report.fixed, "a part of a CPU: rounded up"), 1U);
  TraceOptions share;
  share.fractional = FractionRule::kShare;
  EXPECT_EQ(load(text, yaml, share)[0].gpu_parts, 1500U);
}

TEST_F(CsvTest, OptionalAmountsMayBeEmpty) {
  const LoadedTrace trace = load("t,d,g,c,m,l\n0,1,1,,,\n",
                                 "columns: {submit: t, duration: d, gpus: g, cpus: c, memory: m,\n"
                                 "  time_limit: l}\nunits: {memory: GB}\ntime_format: seconds\n");
  EXPECT_EQ(trace[0].cpus, 0U);
  EXPECT_EQ(trace[0].memory_mib, 0U);
  EXPECT_LT(trace[0].time_limit, Duration(0));
}

TEST_F(CsvTest, WordsThatStandForNoValue) {
  const LoadedTrace trace =
      load("t,d,g,u,l\n0,1,1,None,-1\n1,1,1,bob,60\n",
           "columns: {submit: t, duration: d, gpus: g, user: u, time_limit: l}\n"
           "missing: [None, '-1']\ntime_format: seconds\n");
  EXPECT_EQ(trace.table.user_of(trace[0]), "");
  EXPECT_LT(trace[0].time_limit, Duration(0));
  EXPECT_EQ(trace.table.user_of(trace[1]), "bob");
  EXPECT_EQ(trace[1].time_limit, seconds(60));
}

// --- the formats of time ---

TEST_F(CsvTest, TimesWithAnOffsetNeedNoZone) {
  const LoadedTrace trace = load("t,d,g\n2024-03-01 17:00:00+08:00,1,1\n2024-03-01T09:00:01Z,1,1\n",
                                 "columns: {submit: t, duration: d, gpus: g}\n");
  EXPECT_EQ(trace.table.epoch_unix_ms(), kNine);
  EXPECT_EQ(trace[1].submit, at(seconds(1)));
  EXPECT_EQ(trace.report.zone.name(), "+08:00");
  EXPECT_EQ(trace.report.zone_source, "written in the times");
}

TEST_F(CsvTest, LocalTimesAreThoseOfTheZone) {
  const std::string text =
      "t,d,g\n2017-11-05 00:30:00,1,1\n2017-11-05 01:30:00,1,1\n"
      "2017-11-05 02:30:00,1,1\n";
  const LoadedTrace trace = load(text,
                                 "columns: {submit: t, duration: d, gpus: g}\n"
                                 "timezone: America/Los_Angeles\n");
  EXPECT_EQ(trace.table.epoch_unix_ms(), 1'509'867'000'000);  // 2017-11-05 07:30 UTC
  EXPECT_EQ(trace[1].submit, at(hours(1)));
  EXPECT_EQ(trace[2].submit, at(hours(3)));  // 10:30 UTC: the clocks were put back at 09:00
  EXPECT_EQ(rows_with(trace.report.fixed, "a local time that the clocks showed twice"), 1U);
}

TEST_F(CsvTest, AStartInTheHourShownTwiceFollowsItsSubmission) {
  const LoadedTrace trace =
      load("t,s,e,g\n2017-11-05 01:45:00,2017-11-05 01:15:00,2017-11-05 01:20:00,1\n",
           "columns: {submit: t, start: s, end: e, gpus: g}\ntimezone: America/Los_Angeles\n");
  EXPECT_EQ(trace[0].recorded_start, at(minutes(30)));  // 01:45 before, 01:15 after the change
  EXPECT_EQ(trace[0].run, minutes(5));
}

TEST_F(CsvTest, UnixTimesAreSecondsOrMilliseconds) {
  const std::string columns = "columns: {submit: t, duration: d, gpus: g}\ntime_format: ";
  const LoadedTrace s = load("t,d,g\n1709283600.25,1,1\n", columns + "unix\n");
  EXPECT_EQ(s.table.epoch_unix_ms(), kNine + 250);
  EXPECT_EQ(s.report.zone.name(), "UTC");
  EXPECT_EQ(s.report.zone_source, "default of the format");
  EXPECT_TRUE(s.report.has_dates);
  const LoadedTrace ms =
      load("t,d,g\n1709283600250,1,1\n", columns + "unix_ms\ntimezone: Asia/Shanghai\n");
  EXPECT_EQ(ms.table.epoch_unix_ms(), kNine + 250);
  EXPECT_EQ(ms.report.zone.name(), "Asia/Shanghai");
}

TEST_F(CsvTest, TimesByAPattern) {
  const std::string columns = "columns: {submit: t, duration: d, gpus: g}\n";
  const LoadedTrace local =
      load("t,d,g\n01/03/2024 10:00,1,1\n", columns +
                                                "time_format: '%d/%m/%Y %H:%M'\n"
                                                "timezone: Europe/Zurich\n");
  EXPECT_EQ(local.table.epoch_unix_ms(), kNine);
  EXPECT_EQ(local.report.zone_source, "option timezone");
  const LoadedTrace written =
      load("t,d,g\n1 Mar 2024 01:00:00 -0800,1,1\n", columns + "time_format: '%d %b %Y %T %z'\n");
  EXPECT_EQ(written.table.epoch_unix_ms(), kNine);
  EXPECT_EQ(written.report.zone_source, "written in the times");
}

// --- what a row says of its run ---

constexpr const char* kTimed =
    "columns: {submit: t, start: s, end: e, duration: d, state: st, gpus: g}\n"
    "time_format: seconds\n";

TEST_F(CsvTest, TheRunIsEndMinusStartWhateverTheDurationSays) {
  const LoadedTrace trace = load("t,s,e,d,st,g\n0,10,18,18,COMPLETED,1\n", kTimed);
  EXPECT_EQ(trace[0].run, seconds(8));
  EXPECT_EQ(trace[0].recorded_start, at(seconds(10)));
  EXPECT_EQ(trace.report.duration_differs, 1U);
  EXPECT_EQ(trace.report.column_tests[0].agreements[1].reason, "end - submit");
  EXPECT_EQ(trace.report.column_tests[0].agreements[1].rows, 1U);
}

TEST_F(CsvTest, WithoutAnEndTheDurationIsTakenAndCounted) {
  const LoadedTrace trace = load("t,s,e,d,st,g\n0,10,,7,FAILED,1\n", kTimed);
  EXPECT_EQ(trace[0].run, seconds(7));
  EXPECT_EQ(trace[0].recorded_start, at(seconds(10)));
  EXPECT_EQ(rows_with(trace.report.fixed, "no end: the run time is the duration given"), 1U);
}

TEST_F(CsvTest, ARunningJobRunsUntilTheLastInstantOfTheTrace) {
  const LoadedTrace trace =
      load("t,s,e,d,st,g\n0,10,,5,RUNNING,1\n50,60,200,140,COMPLETED,1\n", kTimed);
  EXPECT_EQ(trace[0].run, seconds(190));
  EXPECT_EQ(trace.report.still_running, 1U);
}

TEST_F(CsvTest, WithoutAStartAJobNeverRan) {
  const LoadedTrace trace =
      load("t,s,e,d,st,g\n0,,20,20,CANCELLED,1\n0,1,2,1,COMPLETED,2\n", kTimed);
  EXPECT_TRUE(trace[0].never_started);
  EXPECT_EQ(trace.report.never_started, 1U);
  EXPECT_EQ(trace.report.kept, 2U);
}

TEST_F(CsvTest, StartAndDurationWillDo) {
  const LoadedTrace trace = load("t,s,d,g\n5,15,60,1\n",
                                 "columns: {submit: t, start: s, duration: d, gpus: g}\n"
                                 "time_format: seconds\n");
  EXPECT_EQ(trace[0].recorded_start, at(seconds(10)));
  EXPECT_EQ(trace[0].run, seconds(60));
}

TEST_F(CsvTest, TheWaitTellsTheStart) {
  const LoadedTrace by_duration = load("t,q,d,g\n5,2,60,1\n",
                                       "columns: {submit: t, queue: q, duration: d, gpus: g}\n"
                                       "units: {queue: min}\ntime_format: seconds\n");
  EXPECT_EQ(by_duration[0].recorded_start, at(minutes(2)));
  EXPECT_EQ(by_duration[0].run, seconds(60));
  const LoadedTrace by_end = load("t,q,e,g\n5,2,60,1\n",
                                  "columns: {submit: t, queue: q, end: e, gpus: g}\n"
                                  "time_format: seconds\n");
  EXPECT_EQ(by_end[0].recorded_start, at(seconds(2)));
  EXPECT_EQ(by_end[0].run, seconds(53));  // 5 + 2 to 60
}

TEST_F(CsvTest, ATypeThatIsEmptyIsOther) {
  const LoadedTrace trace =
      load("t,d,g,k\n0,1,1,\n1,1,1,odd\n",
           "columns: {submit: t, duration: d, gpus: g, type: k}\ntime_format: seconds\n");
  EXPECT_EQ(trace.table.type_of(trace[0]), "Other");
  EXPECT_EQ(trace.table.type_of(trace[1]), "odd");
  EXPECT_EQ(rows_with(trace.report.fixed, "no type: taken as Other"), 1U);
}

TEST_F(CsvTest, RowsThatSayTheSameAreDuplicatesUnlessToBeKept) {
  EXPECT_EQ(simple("0,1,1\n0,1,1\n0,1,2\n").table.size(), 2U);
  TraceOptions keep;
  keep.duplicates = DuplicateRule::kKeep;
  EXPECT_EQ(simple("0,1,1\n0,1,1\n0,1,2\n", "", keep).table.size(), 3U);
}

TEST_F(CsvTest, BadRowsMaySkip) {
  TraceOptions skip;
  skip.bad_rows = RowRule::kSkip;
  const LoadedTrace trace = simple("0,1,1\n1,x,1\n2,1\n3,1,-1\n4,1,1\n", "", skip);
  EXPECT_EQ(trace.table.size(), 2U);
  EXPECT_EQ(trace.report.bad_rows, 3U);
  EXPECT_EQ(trace.report.rows, 5U);
  EXPECT_EQ(trace.id(1), "row5");
}

TEST_F(CsvTest, PackedFilesAreReadAlike) {
  const std::string yaml = "columns: {submit: t, duration: d, gpus: g}\ntime_format: seconds\n";
  for (const Pack how : {Pack::kGzip, Pack::kZstd}) {
    const auto file = folder_.write("packed", packed(how, "\xEF\xBB\xBFt,d,g\r\n0,60,8\r\n"));
    EXPECT_EQ(load_trace("csv", file, {}, yaml)[0].gpu_parts, 8U);
  }
}

TEST_F(CsvTest, IsNeverRecognised) {
  const auto format = builtin_registries().formats.find("csv")->make();
  EXPECT_FALSE(format->recognises("t,d,g\n0,1,1\n", "trace.csv"));
  EXPECT_FALSE(format->recognises("", "folder"));
}

// --- what a mapping must say ---

struct Finding {
  const char* yaml;
  const char* message;
};

TEST_F(CsvTest, AMappingWithoutSenseIsRefusedBeforeAnythingIsRead) {
  const Finding cases[] = {
      {"header: true", "columns: missing; say which column is what, such as {submit: submit_time"},
      {"columns: 3", "columns: found \"3\"; expected a map"},
      {"columns: {duration: d, gpus: g}", "columns.submit: missing; the column of the time of"},
      {"columns: {submit: t, gpus: g}", "columns.duration: missing; a run time is a column"},
      {"columns: {submit: t, gpus: g, start: s}", "columns.duration: missing; a run time is"},
      {"columns: {submit: t, gpus: g, end: e}", "columns.duration: missing; a run time is"},
      {"columns: {submit: t, gpus: g, end: e, duration: d}",
       "columns.end: without start or queue it tells no run time"},
      {"columns: {submit: t, duration: d}", "columns.gpus: missing; the GPUs of a job are"},
      {"columns: {submit: t, duration: d, gpus: g, gpus_per_worker: p, workers: w}",
       "columns.gpus_per_worker: gpus counts those of all workers; keep one of the two"},
      {"columns: {submit: t, duration: d, gpus_per_worker: p}",
       "columns.gpus_per_worker: needs workers, as a column or a constant"},
      {"columns: {submit: t, duration: d, gpus: g, workers: w}",
       "columns.workers: means nothing here: gpus counts those of all workers"},
      {"columns: {submit: t, duration: d, gpus: g, nodes: w}", "columns.nodes: means nothing here"},
      {"columns: {submit: t, duration: d, gpus_per_worker: g, nodes: w, workers: w}",
       "columns.workers: nodes says the same; keep one of the two"},
      {"columns: {submit: t, duration: d, gpu: g}", "columns.gpu: unknown key (did you mean"},
      {"columns: {submit: t, duration: d, gpus: ''}", "columns.gpus: \"\" is no column"},
      {"columns: {submit: t, duration: d, gpus: [a, b]}", "columns.gpus: found a list"},
      {"columns: {submit: 1, duration: 2, gpus: g}\nheader: false",
       "columns.gpus: \"g\" is not the number of a column; without a header they count from 1"},
      {"columns: {submit: 0, duration: 2, gpus: 3}\nheader: false", "columns.submit: \"0\" is not"},
      {"columns: {submit: t, duration: d, gpus: g}\nconstants: {gpus: 1}",
       "constants.gpus: columns.gpus says it for each row; keep one of the two"},
      {"columns: {submit: t, start: s, end: e, gpus: g}\nconstants: {duration: 1}",
       "constants.duration: columns.end tells the run time; keep one of the two"},
      {"columns: {submit: t, duration: d}\nconstants: {gpus: many}",
       "constants.gpus: \"many\", expected a number, 0 or more, without its unit"},
      {"columns: {submit: t, duration: d, gpus: g}\nconstants: {state: Done}",
       "constants.state: \"Done\", expected COMPLETED, CANCELLED"},
      {"columns: {submit: t, duration: d, gpus: g}\nconstants: {type: ''}",
       "constants.type: \"\", expected a job type"},
      {"columns: {submit: t, duration: d, gpus: g}\nconstants: {submit: 0}",
       "constants.submit: unknown key"},
      {"columns: {submit: t, duration: d, gpus_per_worker: g}\nconstants: {workers: 0}",
       "constants.workers: \"0\", expected a whole number, 1 or more"},
      {"columns: {submit: t, duration: d, gpus: g, memory: m}",
       "units.memory: missing; what is the memory counted in? One of B, KiB, MiB"},
      {"columns: {submit: t, duration: d, gpus: g, memory: m}\nunits: {memory: gb}",
       "units.memory: \"gb\" is not one of B, KiB, MiB, GiB"},
      {"columns: {submit: t, duration: d, gpus: g}\nunits: {duration: parsecs}",
       "units.duration: \"parsecs\" is not one of s, ms, min, h, d, or a duration such as 350ms"},
      {"columns: {submit: t, duration: d, gpus: g}\nunits: {duration: 0s}",
       "units.duration: \"0s\" is not one of"},
      {"columns: {submit: t, duration: d, gpus: g}\nunits: {queue: s}",
       "units.queue: has no meaning with the other values given"},
      {"columns: {submit: t, duration: d, gpus: g}\nunits: {gpus: percents}",
       "units.gpus: \"percents\" is not one of gpus, percent, milli (did you mean \"percent\"?)"},
      {"columns: {submit: t, duration: d, gpus: g}\ntime_format: unixms",
       "time_format: \"unixms\" is not one of iso, unix, unix_ms, seconds, or a pattern such as"},
      {"columns: {submit: t, duration: d, gpus: g}\ntime_format: '%H:%M'\ntimezone: UTC",
       "time_format: \"%H:%M\": it needs the year once"},
      {"columns: {submit: t, duration: d, gpus: g}\ntime_format: '%F %T'",
       "timezone: missing; times of this pattern are local, which clock showed them?"},
      {"columns: {submit: t, duration: d, gpus: g}\ntime_format: seconds\ntimezone: UTC",
       "timezone: means nothing where times are seconds from an unknown origin"},
      {"columns: {submit: t, duration: d, gpus: g}\ntimezone: Mars/Olympus",
       "timezone: \"Mars/Olympus\" is no time zone; write UTC, an offset such as +08:00"},
      {"columns: {submit: t, duration: d, gpus: g}\ndelimiter: semicolons",
       "delimiter: \"semicolons\" is not one of comma, tab, semicolon, pipe, space, or a single "
       "character that is no letter, digit or quote; did you mean semicolon?"},
      {"columns: {submit: t, duration: d, gpus: g}\ndelimiter: x", "delimiter: \"x\" is not one"},
      {"columns: {submit: t, duration: d, gpus: g}\nheader: no",
       "header: \"no\" is not true or false"},
      {"columns: {submit: t, duration: d, gpus: g, state: s}\nstates: {Pass: COMPLETE}",
       "states.Pass: \"COMPLETE\" is not one of COMPLETED, CANCELLED, FAILED, TIMEOUT, NODE_FAIL, "
       "PREEMPTED, RUNNING; did you mean COMPLETED?"},
      {"columns: {submit: t, duration: d, gpus: g}\nstates: {Pass: COMPLETED}",
       "states: has no meaning with the other values given"},
      {"columns: {submit: t, duration: d, gpus: g, type: k}\ntypes: {a: ''}",
       "types.a: \"\" is no type"},
      {"columns: {submit: t, duration: d, gpus: g}\nmissing: {a: b}", "missing: found a map"},
  };
  for (const Finding& each : cases) {
    try {
      load("t,d,g\n0,1,1\n", each.yaml);
      ADD_FAILURE() << "accepted: " << each.yaml;
    } catch (const ConfigError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(each.message), std::string::npos)
          << each.yaml << "\nsays      " << message << "\nexpected  " << each.message;
      EXPECT_NE(message.find("trace.yaml:"), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace berth::test
