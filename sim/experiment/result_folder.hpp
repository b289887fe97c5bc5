// A result folder that is never seen half written.
//
// Files are written into a hidden folder inside it and renamed at the end, the summary last: a
// folder with a summary.json is complete. When the run fails or is interrupted, the hidden folder
// is removed and what was there before stays as it was; what a killed run left, the next one
// clears: it knows the hidden folder by a marker in it. Where moving the files fails half way, the
// hidden folder stays, the summary is gone, and the next run may write there again. A lock on the
// hidden folder keeps a second run out of the same place.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace berth {

class ResultFolder {
 public:
  // `inputs`: files the run reads, which results must not replace, unless it is the resolved
  // configuration by itself. Throws ConfigError where results would replace an input, or files that
  // are no results of Berth; OutputError where the folder cannot be made or another run is writing
  // into it.
  ResultFolder(const std::filesystem::path& final_path,
               const std::vector<std::filesystem::path>& inputs,
               const std::string& resolved_config);
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
  void refuse_to_replace(const std::vector<std::filesystem::path>& inputs,
                         const std::string& resolved_config) const;
  void make_folder();
  void lock_staging();
  void remove_created() const;

  std::filesystem::path final_;
  std::filesystem::path staging_;
  std::vector<std::filesystem::path> created_;  // made for us, to be removed on failure
  int lock_ = -1;
  bool committing_ = false;  // files have been moved
  bool committed_ = false;
};

// The files that a run may write, the one that marks a finished result last.
const std::vector<std::string>& result_files();

}  // namespace berth
