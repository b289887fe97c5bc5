#include "sim/experiment/result_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "sim/core/error.hpp"

namespace berth {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, const std::error_code& error) {
  throw OutputError("cannot write results to " + path.string() + ": " + error.message());
}

// A folder whose summary.json is one of ours may be written again.
bool is_result_of_berth(const fs::path& folder) {
  std::ifstream in(folder / result_files().back());
  std::string start(4096, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find("\"berth_version\"") != std::string::npos;
}

// In the hidden folder: tells it from a stranger's of that name.
constexpr const char* kMarker = "berth";

bool holds(const fs::path& file, const std::string& text) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {}) == text;
}

// Whether `path` is still the folder that `descriptor` was opened on: its owner may have removed it
// since.
bool is_still_there(int descriptor, const fs::path& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

const std::vector<std::string>& result_files() {
  static const std::vector<std::string> files{"config.yaml",         "jobs.csv",
                                              "timeline.csv",        "events.jsonl",
                                              "trace.perfetto.json", "summary.json"};
  return files;
}

ResultFolder::ResultFolder(const fs::path& final_path, const std::vector<fs::path>& inputs,
                           const std::string& resolved_config)
    : final_(fs::absolute(final_path).lexically_normal()) {
  if (!final_.has_filename()) final_ = final_.parent_path();  // "out/" is "out"
  staging_ = final_ / ".partial";
  refuse_to_replace(inputs, resolved_config);
  try {
    make_folder();
    lock_staging();
  } catch (...) {
    remove_created();
    throw;
  }
}

void ResultFolder::refuse_to_replace(const std::vector<fs::path>& inputs,
                                     const std::string& resolved_config) const {
  std::error_code error;
  // A run that was killed while it moved its files leaves .partial, and no summary.
  const bool ours = is_result_of_berth(final_) || fs::exists(staging_ / kMarker, error);
  for (const std::string& file : result_files()) {
    const fs::path target = final_ / file;
    if (!fs::exists(target, error)) continue;
    if (!ours) {
      throw ConfigError("--out: " + target.string() +
                        " is no result of Berth and would be replaced; choose another folder");
    }
    for (const fs::path& input : inputs) {
      if (!fs::equivalent(target, input, error)) continue;
      // A result that is run again in its place.
      if (file == result_files().front() && holds(target, resolved_config)) continue;
      throw ConfigError("--out: " + target.string() +
                        " is an input of this run and would be replaced; choose another folder");
    }
  }
}

void ResultFolder::make_folder() {
  std::error_code error;
  if (fs::exists(final_, error) && !fs::is_directory(final_, error)) {
    throw OutputError("cannot write results to " + final_.string() + ": it is not a folder");
  }
  for (fs::path part = final_; !part.empty() && !fs::exists(part, error);
       part = part.parent_path()) {
    created_.push_back(part);
  }
  fs::create_directories(final_, error);
  if (error) fail(final_, error);
}

void ResultFolder::lock_staging() {
  std::error_code error;
  while (true) {
    fs::create_directory(staging_, error);
    if (error) fail(final_, error);
    lock_ = ::open(staging_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0) {
      if (errno == ENOENT) continue;  // its owner has just finished
      fail(final_, std::error_code(errno, std::generic_category()));
    }
    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
      ::close(lock_);
      throw OutputError("cannot write results to " + final_.string() +
                        ": another run is writing into it");
    }
    if (is_still_there(lock_, staging_)) break;
    ::close(lock_);
  }
  if (!fs::is_empty(staging_, error) && !fs::exists(staging_ / kMarker, error)) {
    ::close(lock_);
    throw ConfigError("--out: " + staging_.string() +
                      " is needed for unfinished results, but holds files that are none of "
                      "Berth's; choose another folder");
  }
  std::ofstream(staging_ / kMarker).flush();
  // What a killed run left; the folder itself stays, for it carries the lock.
  for (const auto& entry : fs::directory_iterator(staging_, error)) {
    if (entry.path().filename() != kMarker) fs::remove_all(entry.path(), error);
  }
}

ResultFolder::~ResultFolder() {
  std::error_code ignored;
  // Half moved results have no summary: without the hidden folder nobody would know them as ours.
  if (!committing_ || committed_) fs::remove_all(staging_, ignored);
  ::close(lock_);
  if (!committed_) remove_created();
}

void ResultFolder::remove_created() const {
  std::error_code ignored;
  for (const fs::path& folder : created_) fs::remove(folder, ignored);  // only if empty
}

void ResultFolder::commit() {
  std::error_code error;
  committing_ = true;
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
