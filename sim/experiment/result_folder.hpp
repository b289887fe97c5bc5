// A result folder that is never seen half written.
//
// Files are written into a hidden folder beside it and moved to their names at the end, the summary
// last: a folder with a summary.json is complete. When the run fails or is interrupted, the hidden
// folder is removed and what was there before stays as it was.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace berth {

class ResultFolder {
 public:
  // Throws OutputError where the folder cannot be made.
  explicit ResultFolder(const std::filesystem::path& final_path);
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  // Where to write `file` until commit().
  std::filesystem::path staged(const std::string& file) const { return staging_ / file; }
  // Moves everything to its place and removes files that an earlier run left and this one did not
  // write.
  void commit();
  const std::filesystem::path& path() const { return final_; }

 private:
  std::filesystem::path final_;
  std::filesystem::path staging_;
  std::vector<std::filesystem::path> created_;  // parents made for us, to be removed on failure
  bool committed_ = false;
};

// The files that a run may write, the one that marks a finished result last.
const std::vector<std::string>& result_files();

}  // namespace berth
