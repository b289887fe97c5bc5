#include "sim/experiment/result_folder.hpp"

#include <unistd.h>

#include <system_error>

#include "sim/core/error.hpp"

namespace berth {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, const std::error_code& error) {
  throw OutputError("cannot write results to " + path.string() + ": " + error.message());
}

}  // namespace

const std::vector<std::string>& result_files() {
  static const std::vector<std::string> files{"config.yaml",         "jobs.csv",
                                              "timeline.csv",        "events.jsonl",
                                              "trace.perfetto.json", "summary.json"};
  return files;
}

ResultFolder::ResultFolder(const fs::path& final_path)
    : final_(fs::absolute(final_path).lexically_normal()) {
  if (!final_.has_filename()) final_ = final_.parent_path();  // "out/" is "out"
  std::error_code error;
  if (fs::exists(final_, error) && !fs::is_directory(final_, error)) {
    throw OutputError("cannot write results to " + final_.string() + ": it is not a folder");
  }
  for (fs::path parent = final_.parent_path(); !parent.empty() && !fs::exists(parent, error);
       parent = parent.parent_path()) {
    created_.push_back(parent);
  }
  fs::create_directories(final_.parent_path(), error);
  if (error) fail(final_, error);
  staging_ = final_.parent_path() /
             ("." + final_.filename().string() + ".partial-" + std::to_string(::getpid()));
  fs::remove_all(staging_, error);
  if (!fs::create_directory(staging_, error)) fail(final_, error);
}

ResultFolder::~ResultFolder() {
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
  if (committed_) return;
  for (const fs::path& parent : created_) fs::remove(parent, ignored);  // only if empty
}

void ResultFolder::commit() {
  std::error_code error;
  fs::create_directory(final_, error);
  if (error) fail(final_, error);
  // An old summary must not vouch for new files, should we be stopped in between.
  fs::remove(final_ / result_files().back(), error);
  if (error) fail(final_, error);
  for (const std::string& file : result_files()) {
    if (fs::exists(staging_ / file)) {
      fs::rename(staging_ / file, final_ / file, error);
    } else {
      fs::remove(final_ / file, error);
    }
    if (error) fail(final_ / file, error);
  }
  committed_ = true;
}

}  // namespace berth
