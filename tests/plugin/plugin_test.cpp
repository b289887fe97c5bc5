// Plugins: the example outside the tree is installed against, built and run; libraries that are
// none, or of another make, are refused before anything of theirs is called.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"

namespace berth::test {
namespace {

namespace fs = std::filesystem;

// Built once for all tests of this program.
class Installed {
 public:
  static const Installed& once() {
    static const Installed installed;
    return installed;
  }
  fs::path prefix() const { return folder_.path() / "prefix"; }
  fs::path plugin() const { return folder_.path() / "build" / "liblarge_first.so"; }

 private:
  Installed() {
    const fs::path source = fs::path(BERTH_SOURCE_DIR) / "policies" / "examples" / "plugin";
    must({BERTH_CMAKE, "--install", BERTH_BUILD_DIR, "--prefix", prefix().string()});
    must({BERTH_CMAKE, "-S", source.string(), "-B", (folder_.path() / "build").string(),
          "-DCMAKE_PREFIX_PATH=" + prefix().string(),
          std::string("-DCMAKE_CXX_COMPILER=") + BERTH_CXX});
    must({BERTH_CMAKE, "--build", (folder_.path() / "build").string()});
  }
  static void must(const std::vector<std::string>& words) {
    const ProcessResult result = run_process(words);
    if (result.status != 0) throw std::runtime_error(result.out + result.err);
  }
  TempFolder folder_;
};

// Three jobs at once on 8 GPUs, each filling the node for 10 s except the last, which is small.
// By submission: a, b, c. Large first: b (8 GPUs), then c (8 GPUs), then a (1 GPU)
constexpr const char* kTrace =
    "job_id,user,gpu_num,type,state,submit_time,start_time,end_time\n"
    "a,u,1,Eval,COMPLETED,2023-03-01 00:00:00Z,2023-03-01 00:00:00Z,2023-03-01 00:00:10Z\n"
    "b,u,8,SFT,COMPLETED,2023-03-01 00:00:00Z,2023-03-01 00:00:00Z,2023-03-01 00:00:10Z\n"
    "c,u,8,SFT,COMPLETED,2023-03-01 00:00:00Z,2023-03-01 00:00:00Z,2023-03-01 00:00:10Z\n";

std::string config(const fs::path& plugin, const std::string& policy) {
  return "cluster: {nodes: 1, gpus_per_node: 8}\nworkload: {trace: {path: trace.csv}}\npolicy: "
         "{plugin: \"" +
         plugin.string() + "\", " + policy + "}\n";
}

std::string field(const std::string& csv, const std::string& job, int column) {
  const std::size_t row = csv.find("\n" + job + ",");
  std::size_t at = row + 1;
  for (int i = 0; i < column; ++i) at = csv.find(',', at) + 1;
  return csv.substr(at, csv.find(',', at) - at);
}

TEST(Plugin, TheExampleOutsideTheTreeBuildsAndOrdersJobs) {
  const TempFolder folder;
  write_text(folder.path() / "trace.csv", kTrace);
  write_text(folder.path() / "run.yaml",
             config(Installed::once().plugin(), "order: large_first, large_gpus: 8"));
  const ProcessResult result = run_process(
      {(Installed::once().prefix() / "bin" / "berth").string(), "run", "run.yaml", "--out", "out"},
      {.folder = folder.path()});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string jobs = read_text(folder.path() / "out" / "jobs.csv");
  EXPECT_EQ(field(jobs, "b", 6), "0");
  EXPECT_EQ(field(jobs, "c", 6), "10");
  EXPECT_EQ(field(jobs, "a", 6), "20");
}

TEST(Plugin, ItsOptionsAreCheckedLikeOurs) {
  const TempFolder folder;
  write_text(folder.path() / "trace.csv", kTrace);
  write_text(folder.path() / "run.yaml",
             config(Installed::once().plugin(), "order: large_first, large_gpu: 8"));
  const ProcessResult result = run_berth({"check", "run.yaml"}, {.folder = folder.path()});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("policy.large_gpu: unknown key (did you mean \"large_gpus\"?)"),
            std::string::npos)
      << result.err;
}

class Refused : public testing::Test {
 protected:
  // Compiles `source` into a shared library and returns what berth says of it.
  ProcessResult check(const std::string& source) {
    const fs::path library = folder_.path() / "lib.so";
    write_text(folder_.path() / "lib.cpp", source);
    const ProcessResult built =
        run_process({BERTH_CXX, "-std=c++20", "-shared", "-fPIC", "-I", BERTH_SOURCE_DIR, "-o",
                     library.string(), (folder_.path() / "lib.cpp").string()});
    EXPECT_EQ(built.status, 0) << built.err;
    return check_library(library);
  }
  ProcessResult check_library(const fs::path& library) {
    write_text(folder_.path() / "trace.csv", kTrace);
    write_text(folder_.path() / "run.yaml", config(library, "order: fifo"));
    return run_berth({"check", "run.yaml"}, {.folder = folder_.path()});
  }
  void expect(const ProcessResult& result, const std::string& message) {
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("run.yaml:3:18: policy.plugin: "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  }
  TempFolder folder_;
};

TEST_F(Refused, AFileThatIsNoLibrary) {
  write_text(folder_.path() / "text.so", "not a library\n");
  expect(check_library(folder_.path() / "text.so"), "cannot load the library");
}

TEST_F(Refused, ALibraryThatIsNoPlugin) {
  expect(check("int answer() { return 42; }\n"), "does not export berth_plugin");
}

TEST_F(Refused, AnotherPluginInterface) {
  expect(check("struct Info { int abi; const char* name; const char* compiler; };\n"
               "extern \"C\" const Info berth_plugin{999, \"old\", __VERSION__};\n"),
         "old was built for plugin interface 999");
}

TEST_F(Refused, AnotherCompiler) {
  expect(check("struct Info { int abi; const char* name; const char* compiler; };\n"
               "extern \"C\" const Info berth_plugin{1, \"alien\", \"clang 99\"};\n"),
         "alien was built with compiler clang 99");
}

TEST_F(Refused, APluginThatRegistersNothing) {
  expect(check("struct Info { int abi; const char* name; const char* compiler; };\n"
               "extern \"C\" const Info berth_plugin{1, \"mute\", __VERSION__};\n"),
         "mute does not export berth_register");
}

TEST_F(Refused, ANameThatIsTaken) {
  expect(check("#include \"sim/plugin/plugin.hpp\"\n"
               "BERTH_PLUGIN(\"thief\")\n"
               "extern \"C\" void berth_register(berth::Registries& r) {\n"
               "  r.orders.add(\"fifo\", \"\", {}, [](berth::ConfigNode&) {\n"
               "    return std::unique_ptr<berth::QueueOrder>(); });\n"
               "}\n"),
         "\"fifo\" is registered twice");
}

}  // namespace
}  // namespace berth::test
