// A file that is written once, in large pieces, with every error seen.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/core/time.hpp"

namespace berth {

// Throws OutputError ("cannot write X: No space left on device") from any call that writes.
class OutputFile {
 public:
  // Creates or empties the file.
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // The text to be written next; append to it, then call flush_if_large() now and then.
  std::string& buffer() { return buffer_; }
  void flush_if_large() {
    if (buffer_.size() >= kLarge) flush();
  }
  // Writes the rest and closes. Without it the file counts as unfinished.
  void close();

 private:
  static constexpr std::size_t kLarge = 1 << 18;
  void flush();
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string buffer_;
};

void append_integer(std::string& out, std::int64_t value);
// A number of GPUs given in parts, with decimals only where it has them. REQUIRES: parts_per_gpu
// is 1 or 1000; put_gpus: room for kSecondsText characters.
char* put_gpus(char* at, std::int64_t parts, std::uint32_t parts_per_gpu);
void append_gpus(std::string& out, std::int64_t parts, std::uint32_t parts_per_gpu);
// As a CSV field: quoted where it holds a comma, a quote or a line break (RFC 4180).
void append_csv_text(std::string& out, std::string_view text);

}  // namespace berth
