// The bytes of a trace, one after the other, whatever the file is packed with.
//
// gzip and zstd are recognised by their first bytes, never by the name, and may consist of several
// members or frames. Memory does not grow with the file: bytes go straight into the caller's
// buffer. Size and hash are those of the file as it lies on disk, taken while it streams by.
//
// zstd is decoded by libarchive. gzip is not: libarchive (3.6) checks neither the CRC nor the
// length in a gzip trailer and takes a cut or foreign second member for the end of the file, so a
// damaged trace would be read as a sound one. zlib checks both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace berth {

class TraceFile {
 public:
  enum class Packing : std::uint8_t { kPlain, kGzip, kZstd };

  // Throws DataError if there is no such file, it may not be read, or it is no regular file: a
  // pipe could be opened, but would have no size and could not be hashed again.
  explicit TraceFile(const std::filesystem::path& path);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  // Fills out[0, capacity) as far as the file goes; less than `capacity` means that this was the
  // end, and then bytes() and hash() are those of the whole file. Throws DataError on truncated
  // or corrupt compressed data, on bytes behind it, and on a file (or archive) without a byte.
  // REQUIRES: capacity > 0.
  std::size_t read(char* out, std::size_t capacity);

  const std::string& name() const;  // as given, for messages
  Packing packing() const;
  std::uint64_t size_on_disk() const;  // when it was opened
  std::uint64_t bytes() const;         // taken from disk so far
  std::uint64_t hash() const;          // XXH3-64 of those

 private:
  class Disk;
  class Decoder;
  class PlainDecoder;
  class GzipDecoder;
  class ZstdDecoder;

  std::unique_ptr<Disk> disk_;
  std::unique_ptr<Decoder> decoder_;  // holds a reference to *disk_
  Packing packing_ = Packing::kPlain;
  bool any_ = false;  // a byte has been delivered
  bool done_ = false;
};

}  // namespace berth
