#include "sim/metrics/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "sim/core/error.hpp"

namespace berth {

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail();
  buffer_.reserve(kLarge + 4096);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::fail() const {
  throw OutputError("cannot write " + path_.string() + ": " + std::strerror(errno));
}

void OutputFile::flush() {
  for (std::size_t done = 0; done < buffer_.size();) {
    const ssize_t count = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    done += static_cast<std::size_t>(count);
  }
  buffer_.clear();
}

void OutputFile::close() {
  flush();
  const int result = ::close(descriptor_);
  descriptor_ = -1;
  if (result != 0) fail();  // delayed errors of network file systems
}

void append_integer(std::string& out, std::int64_t value) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// Thousandths are written by the same rule as milliseconds in seconds.
char* put_gpus(char* at, std::int64_t parts, std::uint32_t parts_per_gpu) {
  return put_seconds(at, Duration(parts * 1000 / parts_per_gpu));
}

void append_gpus(std::string& out, std::int64_t parts, std::uint32_t parts_per_gpu) {
  char text[kSecondsText];
  out.append(static_cast<const char*>(text),
             static_cast<const char*>(put_gpus(text, parts, parts_per_gpu)));
}

void append_csv_text(std::string& out, std::string_view text) {
  const bool plain = std::ranges::none_of(
      text, [](char c) { return c == ',' || c == '"' || c == '\r' || c == '\n'; });
  if (plain) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace berth
