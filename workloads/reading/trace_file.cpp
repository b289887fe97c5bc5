#include "workloads/reading/trace_file.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "sim/core/check.hpp"
#include "sim/core/error.hpp"

namespace berth {
namespace {

// Compressed bytes taken from disk at a time.
constexpr std::size_t kPackedPiece = std::size_t{256} << 10;

// Formats that people do have traces in, and that would otherwise fail as odd CSV.
struct Foreign {
  std::string_view magic;
  std::string_view name;
};
constexpr Foreign kForeign[] = {
    {"\xFD"
     "7zXZ",
     "an xz file"},
    {"BZh", "a bzip2 file"},
    {"PK\x03\x04", "a zip file"},
    {"7z\xBC\xAF", "a 7-Zip file"},
    {"\x04\x22\x4D\x18", "an lz4 file"},
    {"PAR1", "a Parquet file"},
    {"ARROW1", "an Arrow file"},
    {"\x89HDF", "an HDF5 file"},
    {"SQLite format 3", "an SQLite database"},
};

bool is_zstd(std::string_view head) {
  if (head.size() < 4) return false;
  if (head.starts_with("\x28\xB5\x2F\xFD")) return true;
  // A skippable frame may come first: 0x184D2A5?, little endian.
  return (static_cast<unsigned char>(head[0]) & 0xF0U) == 0x50 &&
         head.substr(1, 3) == "\x2A\x4D\x18";
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "not a file";
}

}  // namespace

// The file itself; counts and hashes what it hands out.
class TraceFile::Disk {
 public:
  explicit Disk(const std::filesystem::path& path) : name_(path.string()) {
    // O_NONBLOCK: opening a pipe that nobody writes to must not hang. No effect on regular files.
    fd_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd_ < 0) {
      if (errno == ENOENT) fail("there is no such file");
      if (errno == EACCES) fail("cannot be opened: no permission to read it");
      fail(std::string("cannot be opened: ") + std::strerror(errno));
    }
    hash_ = XXH3_createState();
    SIM_CHECK(hash_ != nullptr, "out of memory");
    XXH3_64bits_reset(hash_);
  }
  ~Disk() {
    if (fd_ >= 0) ::close(fd_);
    XXH3_freeState(hash_);
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  // What the file is, from its inode and its first bytes.
  Packing identify() {
    struct stat info {};
    if (::fstat(fd_, &info) != 0) fail(std::string("cannot be read: ") + std::strerror(errno));
    if (!S_ISREG(info.st_mode)) {
      fail(std::string("is ").append(kind_of(info.st_mode)).append(", expected a trace file"));
    }
    size_ = static_cast<std::uint64_t>(info.st_size);
    ::posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
    char first[16];
    const ssize_t got = ::pread(fd_, first, sizeof first, 0);  // does not move the read position
    const std::string_view head(first, got > 0 ? static_cast<std::size_t>(got) : 0);
    if (head.starts_with("\x1F\x8B")) return Packing::kGzip;
    if (is_zstd(head)) return Packing::kZstd;
    for (const Foreign& foreign : kForeign) {
      if (head.starts_with(foreign.magic)) {
        fail(std::string("is ").append(foreign.name) +
             ", expected CSV: plain, or packed with gzip or zstd");
      }
    }
    return Packing::kPlain;
  }

  // One read(2), at most `capacity`; 0: the end.
  std::size_t read_some(char* out, std::size_t capacity) {
    while (true) {
      const ssize_t got = ::read(fd_, out, capacity);
      if (got >= 0) {
        const auto count = static_cast<std::size_t>(got);
        XXH3_64bits_update(hash_, out, count);
        bytes_ += count;
        return count;
      }
      if (errno != EINTR) fail(std::string("cannot be read: ") + std::strerror(errno));
    }
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw DataError(Location{name_, 0, 0}, message);
  }

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t hash() const { return XXH3_64bits_digest(hash_); }

 private:
  std::string name_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t bytes_ = 0;
  XXH3_state_t* hash_ = nullptr;
};

class TraceFile::Decoder {
 public:
  explicit Decoder(Disk& disk) : disk_(disk) {}
  virtual ~Decoder() = default;
  // At least one byte, at most `capacity`; 0: the sound end of all data.
  virtual std::size_t read_some(char* out, std::size_t capacity) = 0;

 protected:
  // To the names of the two kinds of damage, in one voice for all formats.
  [[noreturn]] void truncated(std::string_view format) const {
    disk_.fail(std::string("the ").append(format) + " data is truncated: it ends after " +
               std::to_string(disk_.bytes()) + " bytes, in the middle of a stream");
  }
  [[noreturn]] void corrupt(std::string_view format, const char* reason) const {
    disk_.fail(std::string("the ").append(format) + " data is corrupt" +
               (reason == nullptr ? "" : std::string(": ") + reason));
  }

  Disk& disk_;
};

class TraceFile::PlainDecoder final : public Decoder {
 public:
  using Decoder::Decoder;
  std::size_t read_some(char* out, std::size_t capacity) override {
    return disk_.read_some(out, capacity);
  }
};

class TraceFile::GzipDecoder final : public Decoder {
 public:
  explicit GzipDecoder(Disk& disk) : Decoder(disk), packed_(kPackedPiece) {
    // 16: a gzip wrapper, whose CRC and length zlib then checks.
    SIM_CHECK(inflateInit2(&stream_, MAX_WBITS + 16) == Z_OK, "zlib cannot be initialised");
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }

  std::size_t read_some(char* out, std::size_t capacity) override {
    capacity = std::min<std::size_t>(capacity, std::size_t{1} << 30);  // zlib counts in 32 bits
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(capacity);
    while (stream_.avail_out == capacity) {
      if (stream_.avail_in == 0) {
        stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
        stream_.avail_in = static_cast<uInt>(disk_.read_some(packed_.data(), packed_.size()));
        if (stream_.avail_in == 0) {
          if (inside_member_) truncated("gzip");
          return 0;
        }
      }
      if (!inside_member_) {
        inflateReset(&stream_);
        inside_member_ = true;
      }
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        inside_member_ = false;
        ++members_;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        const std::string_view reason = stream_.msg == nullptr ? "" : stream_.msg;
        const bool foreign = members_ > 0 && reason == "incorrect header check";
        corrupt("gzip", foreign ? "other bytes follow the compressed data" : stream_.msg);
      }
    }
    return capacity - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  std::vector<char> packed_;
  bool inside_member_ = true;
  std::uint64_t members_ = 0;  // complete ones
};

class TraceFile::ZstdDecoder final : public Decoder {
 public:
  explicit ZstdDecoder(Disk& disk)
      : Decoder(disk), packed_(kPackedPiece), archive_(archive_read_new()) {
    SIM_CHECK(archive_ != nullptr, "out of memory");
  }
  ~ZstdDecoder() override { archive_read_free(archive_); }

  std::size_t read_some(char* out, std::size_t capacity) override {
    if (!opened_) open();
    const la_ssize_t got = empty_ ? 0 : archive_read_data(archive_, out, capacity);
    if (got < 0) fail();
    if (got == 0 && disk_.read_some(packed_.data(), 1) != 0) {
      corrupt("zstd", "other bytes follow the compressed data");
    }
    return static_cast<std::size_t>(got);
  }

 private:
  void open() {
    if (archive_read_support_filter_zstd(archive_) != ARCHIVE_OK) {
      disk_.fail("is a zstd file, which this build of libarchive cannot read");
    }
    archive_read_support_format_raw(archive_);
    // A frame may hold no data at all; the file is then as empty as an empty file.
    archive_read_support_format_empty(archive_);
    archive_entry* entry = nullptr;
    if (archive_read_open(archive_, this, nullptr, &ZstdDecoder::next_piece, nullptr) !=
        ARCHIVE_OK) {
      fail();
    }
    const int result = archive_read_next_header(archive_, &entry);
    // Too short to be recognised: libarchive would hand out the compressed bytes as they are.
    if (archive_filter_code(archive_, 0) != ARCHIVE_FILTER_ZSTD) truncated("zstd");
    if (result != ARCHIVE_OK && result != ARCHIVE_EOF) fail();
    opened_ = true;
    empty_ = result == ARCHIVE_EOF;
  }

  // libarchive is C: no exception may cross it. A failed read(2) is kept and thrown by fail().
  static la_ssize_t next_piece(archive* handle, void* self_pointer, const void** piece) {
    auto* const self = static_cast<ZstdDecoder*>(self_pointer);
    try {
      *piece = self->packed_.data();
      return static_cast<la_ssize_t>(
          self->disk_.read_some(self->packed_.data(), self->packed_.size()));
    } catch (...) {
      self->read_error_ = std::current_exception();
      archive_set_error(handle, EIO, "read error");
      return -1;
    }
  }

  [[noreturn]] void fail() const {
    if (read_error_) std::rethrow_exception(read_error_);
    const char* const reason = archive_error_string(archive_);
    if (reason != nullptr && std::strstr(reason, "Truncated") != nullptr) truncated("zstd");
    corrupt("zstd", reason);
  }

  std::vector<char> packed_;
  archive* archive_;
  std::exception_ptr read_error_;
  bool opened_ = false;
  bool empty_ = false;  // frames without a byte in them
};

TraceFile::TraceFile(const std::filesystem::path& path) : disk_(std::make_unique<Disk>(path)) {
  packing_ = disk_->identify();
  switch (packing_) {
    case Packing::kPlain:
      decoder_ = std::make_unique<PlainDecoder>(*disk_);
      break;
    case Packing::kGzip:
      decoder_ = std::make_unique<GzipDecoder>(*disk_);
      break;
    case Packing::kZstd:
      decoder_ = std::make_unique<ZstdDecoder>(*disk_);
      break;
  }
}

TraceFile::~TraceFile() = default;

std::size_t TraceFile::read(char* out, std::size_t capacity) {
  std::size_t total = 0;
  while (total < capacity && !done_) {
    const std::size_t got = decoder_->read_some(out + total, capacity - total);
    total += got;
    done_ = got == 0;
  }
  any_ |= total > 0;
  if (!any_) disk_->fail("is empty, expected a trace with a header line");
  return total;
}

const std::string& TraceFile::name() const { return disk_->name(); }
TraceFile::Packing TraceFile::packing() const { return packing_; }
std::uint64_t TraceFile::size_on_disk() const { return disk_->size(); }
std::uint64_t TraceFile::bytes() const { return disk_->bytes(); }
std::uint64_t TraceFile::hash() const { return disk_->hash(); }

}  // namespace berth
