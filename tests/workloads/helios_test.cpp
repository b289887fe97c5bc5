// The Helios format, rule by rule. Expected values are worked out by hand; instants are from
// `date -u -d TIME +%s`.
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

constexpr std::string_view kHeader =
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
    "queue\n";
// The row that the data set's README prints.
constexpr std::string_view kPublished =
    "1425511,uXBbc,vcJkd,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,"
    "2020-06-10 04:55:09,36848,0\n";

SimTime at(Duration d) { return SimTime(d); }

std::uint64_t rows_with(const std::vector<TraceReport::Verdict>& verdicts,
                        std::string_view reason) {
  for (const TraceReport::Verdict& verdict : verdicts) {
    if (verdict.reason.starts_with(reason)) return verdict.rows;
  }
  return 0;
}

class HeliosTest : public testing::Test {
 protected:
  LoadedTrace load(std::string_view rows, const TraceOptions& options = {},
                   const std::string& yaml = "{}") {
    const auto file = folder_.write("cluster_log.csv", std::string(kHeader).append(rows));
    return load_trace("helios", file, options, yaml);
  }

  TempFolder folder_;
};

TEST_F(HeliosTest, ReadsThePublishedRow) {
  const LoadedTrace trace = load(kPublished);
  ASSERT_EQ(trace.table.size(), 1U);
  const Job& job = trace[0];
  EXPECT_EQ(trace.id(0), "1425511");
  EXPECT_EQ(trace.table.user_of(job), "uXBbc");
  EXPECT_EQ(trace.table.trait_names().groups.name(trace.table.traits_of(job).vc), "vcJkd");
  EXPECT_EQ(trace.table.type_of(job), "Other");
  EXPECT_EQ(job.gpu_parts, 1U);
  EXPECT_EQ(job.cpus, 1U);
  EXPECT_EQ(job.state, JobState::kCompleted);
  EXPECT_EQ(trace.table.epoch_unix_ms(), 1'591'699'261'000);  // 2020-06-09 10:41:01 UTC
  EXPECT_EQ(job.recorded_start, at(seconds(0)));
  EXPECT_EQ(job.run, hours(10) + minutes(14) + seconds(8));  // 18:41:01 to 04:55:09, 36848 s
  EXPECT_EQ(job.line, 2U);
  EXPECT_EQ(trace.report.format, "helios");
  EXPECT_EQ(trace.report.zone.name(), "Asia/Shanghai");
  EXPECT_EQ(trace.report.zone_source, "default of the format");
  EXPECT_TRUE(trace.report.has_dates);
  EXPECT_EQ(trace.report.duration_differs, 0U);
}

TEST_F(HeliosTest, TheZoneIsAnOption) {
  const LoadedTrace trace = load(kPublished, {}, "timezone: UTC");
  EXPECT_EQ(trace.table.epoch_unix_ms(), 1'591'699'261'000 + 8 * 3'600'000);
  EXPECT_EQ(trace.report.zone_source, "option timezone");
  try {
    load(kPublished, {}, "timezone: Asia/Shanghi");
    ADD_FAILURE() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("timezone: \"Asia/Shanghi\" is no time zone"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(HeliosTest, JobsWithoutGpusAreCpuJobs) {
  const LoadedTrace trace = load(
      "1,u,vcA,0,24,1,FAILED,2020-06-09 00:00:00,2020-06-09 00:00:05,2020-06-09 00:01:05,60,5\n"
      "2,u,vcA,16,64,2,TIMEOUT,2020-06-09 00:00:00,2020-06-09 00:00:05,2020-06-09 00:01:05,60,5\n");
  EXPECT_EQ(trace.table.type_of(trace[0]), "CPU");
  EXPECT_EQ(trace[0].gpu_parts, 0U);
  EXPECT_EQ(trace[0].cpus, 24U);
  EXPECT_EQ(trace[0].state, JobState::kFailed);
  EXPECT_EQ(trace.table.type_of(trace[1]), "Other");
  EXPECT_EQ(trace[1].gpu_parts, 16U);  // gpu_num counts those of all nodes
  EXPECT_EQ(trace[1].state, JobState::kTimeout);
  EXPECT_EQ(trace[1].recorded_start, at(seconds(5)));
}

TEST_F(HeliosTest, WithoutAStartAJobNeverRan) {
  for (const char* nothing : {"", "None"}) {
    const std::string n = nothing;
    const LoadedTrace trace =
        load("1,u,vcA,8,8,1,CANCELLED,2020-06-09 00:00:00," + n + ",2020-06-09 00:01:00," + n +
             "," + n + "\n" + std::string(kPublished));
    EXPECT_TRUE(trace[0].never_started);
    EXPECT_EQ(trace.report.never_started, 1U);
    EXPECT_EQ(trace.report.kept, 2U);
  }
}

TEST_F(HeliosTest, ARunningJobRunsUntilTheLastInstantOfTheTrace) {
  const LoadedTrace trace = load(
      "1,u,vcA,8,8,1,RUNNING,2020-06-09 00:00:00,2020-06-09 00:10:00,None,60,600\n"
      "2,u,vcA,8,8,1,COMPLETED,2020-06-09 00:00:00,2020-06-09 00:10:00,2020-06-09 02:10:00,7200,"
      "600\n"
      "3,u,vcA,8,8,1,RUNNING,2020-06-09 00:00:00,2020-06-09 00:10:00,2020-06-09 00:11:00,60,600\n");
  EXPECT_EQ(trace[0].run, hours(2));
  EXPECT_EQ(trace[2].run, minutes(1));
  EXPECT_EQ(trace.report.still_running, 1U);
  EXPECT_EQ(rows_with(trace.report.fixed, "state RUNNING with an end"), 1U);
}

TEST_F(HeliosTest, ASuspendedJobIsKeptAsPreempted) {
  const LoadedTrace trace = load(
      "1,u,vcA,8,8,1,SUSPENDED,2020-06-09 00:00:00,2020-06-09 00:10:00,2020-06-09 00:11:00,60,600\n"
      "2,u,vcA,8,8,1,SUSPENDED,2020-06-09 00:00:00,2020-06-09 00:10:00,,90,600\n");
  EXPECT_EQ(trace[0].state, JobState::kPreempted);
  EXPECT_EQ(trace[0].run, seconds(60));
  EXPECT_EQ(trace[1].run, seconds(90));
  EXPECT_EQ(rows_with(trace.report.fixed, "state SUSPENDED: kept as PREEMPTED"), 2U);
  EXPECT_EQ(rows_with(trace.report.fixed, "no end_time: the run time is the duration given"), 1U);
}

TEST_F(HeliosTest, WhatDurationAndQueueMeanIsTestedOnTheRows) {
  const LoadedTrace trace = load(
      "1,u,v,1,1,1,COMPLETED,2020-06-09 00:00:00,2020-06-09 00:10:00,2020-06-09 00:11:00,60,600\n"
      "2,u,v,1,1,1,COMPLETED,2020-06-09 00:00:00,2020-06-09 00:10:00,2020-06-09 00:11:00,660,600\n"
      "3,u,v,1,1,1,COMPLETED,2020-06-09 00:00:00,2020-06-09 00:10:00,2020-06-09 00:11:00,61,1\n");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(trace[i].run, minutes(1));
  EXPECT_EQ(trace.report.duration_differs, 2U);
  const auto& tests = trace.report.column_tests;
  ASSERT_EQ(tests.size(), 2U);
  EXPECT_EQ(tests[0].agreements[0].rows, 1U);  // end - start
  EXPECT_EQ(tests[0].agreements[1].rows, 1U);  // end - submit
  EXPECT_EQ(tests[0].agreements[3].rows, 1U);  // neither
  EXPECT_EQ(tests[1].agreements[0].rows, 2U);  // start - submit
}

TEST_F(HeliosTest, OptionalColumnsMayBeAbsentAndOthersThere) {
  const auto file = folder_.write(
      "t.csv",
      "extra,state,vc,job_id,gpu_num,user,end_time,start_time,submit_time\n"
      "x,COMPLETED,vcA,7,4,u,2020-06-09 00:02:00,2020-06-09 00:01:00,2020-06-09 00:00:00\n");
  const LoadedTrace trace = load_trace("helios", file);
  EXPECT_EQ(trace[0].gpu_parts, 4U);
  EXPECT_EQ(trace[0].cpus, 0U);
  EXPECT_EQ(trace[0].run, minutes(1));
}

TEST_F(HeliosTest, BadRowsMaySkip) {
  TraceOptions skip;
  skip.bad_rows = RowRule::kSkip;
  const LoadedTrace trace =
      load(std::string(kPublished) +
               "2,u,vcA,x,8,1,COMPLETED,2020-06-09 00:00:00,2020-06-09 00:10:00,"
               "2020-06-09 00:11:00,60,600\n",
           skip);
  EXPECT_EQ(trace.table.size(), 1U);
  EXPECT_EQ(trace.report.bad_rows, 1U);
}

TEST_F(HeliosTest, PackedFilesAreReadAlike) {
  for (const Pack how : {Pack::kGzip, Pack::kZstd}) {
    const auto file = folder_.write("packed", packed(how, std::string(kHeader).append(kPublished)));
    EXPECT_EQ(load_trace("helios", file)[0].run, seconds(36'848));
  }
}

TEST_F(HeliosTest, RecognisesItsHeaderAndNoOther) {
  const auto format = builtin_registries().formats.find("helios")->make();
  EXPECT_TRUE(format->recognises(kHeader, "cluster_log.csv"));
  EXPECT_TRUE(format->recognises("\xEF\xBB\xBF" + std::string(kHeader), "x"));
  const char* others[] = {
      "",
      "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
      "queue,gpu_time\n",
      "timestamp,duration,num_gpus,gpu_time,cluster\n",
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
      "deletion_time,scheduled_time\n",
      "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,"
      "job_type\n",
      "date,vchbv,vc4om,total\n",
      "; Version: 2.2\n",
      "[{\"status\": \"Pass\"}]",
  };
  for (const char* other : others) EXPECT_FALSE(format->recognises(other, "x")) << other;
  const auto acme = builtin_registries().formats.find("acme")->make();
  EXPECT_FALSE(acme->recognises(kHeader, "cluster_log.csv"));
}

}  // namespace
}  // namespace berth::test
