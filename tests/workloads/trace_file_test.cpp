// Bytes, packing, hash, and everything that keeps a file from being read.
#include "workloads/reading/trace_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "sim/core/error.hpp"
#include "tests/workloads/files.hpp"
#include "workloads/reading/csv_rows.hpp"

namespace berth::test {
namespace {

// Like a trace: letters and digits that pack to about a third.
std::string text_of(std::size_t size) {
  std::string text;
  std::uint64_t state = 7;
  while (text.size() < size) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    text += std::to_string(state >> 50);
    text += ",COMPLETED\n";
  }
  text.resize(size);
  return text;
}

std::string read_all(TraceFile& file, std::size_t piece = 1000) {
  std::string out;
  std::string buffer(piece, '\0');
  while (true) {
    const std::size_t got = file.read(buffer.data(), piece);
    out.append(buffer, 0, got);
    if (got < piece) return out;
  }
}

std::string read_all(const std::filesystem::path& path, std::size_t piece = 1000) {
  TraceFile file(path);
  return read_all(file, piece);
}

class TraceFileTest : public testing::Test {
 protected:
  TempFolder folder_;
};

TEST_F(TraceFileTest, ReadsPlainBytesInPiecesOfAnySize) {
  const std::string text = text_of(10'000);
  const auto path = folder_.write("plain.csv", text);
  for (const std::size_t piece : {1, 7, 100, 9'999, 10'000, 10'001, 1'000'000}) {
    EXPECT_EQ(read_all(path, piece), text) << piece;
  }
}

TEST_F(TraceFileTest, KnowsPackedFilesByTheirContentAndNotByTheirName) {
  const std::string text = text_of(300'000);
  const auto gzip = folder_.write("a.csv", packed(Pack::kGzip, text));
  const auto zstd = folder_.write("b.gz", packed(Pack::kZstd, text));
  const auto plain = folder_.write("c.zst", text);
  EXPECT_EQ(TraceFile(gzip).packing(), TraceFile::Packing::kGzip);
  EXPECT_EQ(TraceFile(zstd).packing(), TraceFile::Packing::kZstd);
  EXPECT_EQ(TraceFile(plain).packing(), TraceFile::Packing::kPlain);
  for (const auto& path : {gzip, zstd, plain}) {
    for (const std::size_t piece : {999, 300'000, 1'000'000}) {
      EXPECT_EQ(read_all(path, piece), text) << path;
    }
  }
}

TEST_F(TraceFileTest, ReadsSeveralMembersOrFramesOneAfterTheOther) {
  const std::string a = text_of(100'000);
  const std::string b = text_of(77);
  for (const Pack how : {Pack::kGzip, Pack::kZstd}) {
    // One without a byte, too.
    const auto path = folder_.write(
        "several", packed(how, a) + packed(how, "") + packed(how, b) + packed(how, a));
    EXPECT_EQ(read_all(path), a + b + a);
  }
}

TEST_F(TraceFileTest, ReadsAZstdFileThatBeginsWithASkippableFrame) {
  const std::string skippable("\x50\x2A\x4D\x18\x03\x00\x00\x00xyz", 11);
  const auto path = folder_.write("skippable", skippable + packed(Pack::kZstd, "a,b\n"));
  EXPECT_EQ(read_all(path), "a,b\n");
}

TEST_F(TraceFileTest, HashesTheBytesOnDisk) {
  const std::string text = text_of(700'000);
  for (const std::string& bytes :
       {text, packed(Pack::kGzip, text), packed(Pack::kZstd, text), std::string("x")}) {
    const auto path = folder_.write("file", bytes);
    TraceFile file(path);
    EXPECT_EQ(file.size_on_disk(), bytes.size());
    read_all(file);
    EXPECT_EQ(file.bytes(), bytes.size());
    EXPECT_EQ(file.hash(), XXH3_64bits(bytes.data(), bytes.size()));
  }
}

// Every cut, the ones within the headers and the trailer included.
TEST_F(TraceFileTest, SaysThatACutFileIsTruncatedWhereverItIsCut) {
  const std::string text = text_of(400);
  for (const Pack how : {Pack::kGzip, Pack::kZstd}) {
    const std::string whole = packed(how, text);
    const std::size_t magic = how == Pack::kGzip ? 2 : 4;  // below that it is any short file
    for (std::size_t size = magic; size < whole.size(); ++size) {
      const auto path = folder_.write("cut", whole.substr(0, size));
      EXPECT_DATA_ERROR(read_all(path), "is truncated");
    }
  }
}

TEST_F(TraceFileTest, SaysThatAFileIsTruncatedInItsSecondMember) {
  const std::string first = packed(Pack::kGzip, text_of(400));
  const std::string second = packed(Pack::kGzip, text_of(300));
  for (std::size_t size = 1; size < second.size(); ++size) {
    const auto path = folder_.write("cut.gz", first + second.substr(0, size));
    EXPECT_DATA_ERROR(read_all(path), "truncated");
  }
  const std::string frame = packed(Pack::kZstd, text_of(400));
  for (std::size_t size = 1; size < frame.size(); ++size) {
    const auto path = folder_.write("cut.zst", frame + frame.substr(0, size));
    EXPECT_DATA_ERROR(read_all(path), "truncated");
  }
}

// One bit at a time. What a gzip header says beside the data (time, system) may change unseen;
// the data may not.
TEST_F(TraceFileTest, NeverTakesADamagedGzipFileForASoundOne) {
  const std::string text = text_of(400);
  const std::string whole = packed(Pack::kGzip, text);
  int found = 0;
  for (std::size_t bit = 16; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const auto path = folder_.write("damaged.gz", damaged);
    try {
      EXPECT_EQ(read_all(path), text) << "bit " << bit;
    } catch (const DataError& error) {
      ++found;
      const std::string_view message = error.what();
      EXPECT_TRUE(message.find("gzip data is corrupt") != std::string_view::npos ||
                  message.find("gzip data is truncated") != std::string_view::npos)
          << message;
    }
  }
  // The data and its trailer: all but the 10 bytes of header.
  EXPECT_GE(found, static_cast<int>(8 * (whole.size() - 10)));
}

TEST_F(TraceFileTest, SurvivesADamagedZstdFile) {
  const std::string whole = packed(Pack::kZstd, text_of(400));
  for (std::size_t bit = 32; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const auto path = folder_.write("damaged.zst", damaged);
    try {
      read_all(path);  // its writer adds no checksum, so some damage cannot be seen
    } catch (const DataError&) {
    }
  }
}

TEST_F(TraceFileTest, RefusesBytesBehindPackedData) {
  for (const Pack how : {Pack::kGzip, Pack::kZstd}) {
    const auto path = folder_.write("tail", packed(how, "a,b\n") + "something else");
    EXPECT_DATA_ERROR(read_all(path), "data is corrupt");
  }
  const auto path = folder_.write("tail.gz", packed(Pack::kGzip, "a,b\n") + "something else");
  EXPECT_DATA_ERROR(read_all(path), "other bytes follow the compressed data");
}

TEST_F(TraceFileTest, RefusesAFileWithoutAByte) {
  EXPECT_DATA_ERROR(read_all(folder_.write("empty.csv", "")), "empty.csv: is empty");
  EXPECT_DATA_ERROR(read_all(folder_.write("empty.gz", packed(Pack::kGzip, ""))),
                    "empty.gz: is empty");
  EXPECT_DATA_ERROR(read_all(folder_.write("empty.zst", packed(Pack::kZstd, ""))),
                    "empty.zst: is empty");
}

TEST_F(TraceFileTest, RefusesOtherFormatsByName) {
  EXPECT_DATA_ERROR(TraceFile(folder_.write("a.csv",
                                            "\xFD"
                                            "7zXZ\x01...")),
                    "is an xz file");
  EXPECT_DATA_ERROR(TraceFile(folder_.write("b.csv", "PK\x03\x04...")), "is a zip file");
  EXPECT_DATA_ERROR(TraceFile(folder_.write("c.csv", "PAR1...")), "is a Parquet file");
}

TEST_F(TraceFileTest, RefusesWhatIsNoFile) {
  EXPECT_DATA_ERROR(TraceFile(folder_.path() / "missing.csv"),
                    "missing.csv: there is no such file");
  EXPECT_DATA_ERROR(TraceFile(folder_.path()), "is a directory");
  EXPECT_DATA_ERROR(TraceFile("/dev/null"), "/dev/null: is a device");
  EXPECT_DATA_ERROR(TraceFile("/dev/zero"), "is a device");
  EXPECT_DATA_ERROR(TraceFile(folder_.path() / std::string(300, 'x')), "cannot be opened: ");
  EXPECT_DATA_ERROR(TraceFile(""), "there is no such file");
}

// Opening a pipe that nobody writes to waits for a writer, unless one asks not to.
TEST_F(TraceFileTest, RefusesAPipeAtOnce) {
  const auto path = folder_.path() / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_DATA_ERROR(TraceFile{path}, "is a pipe");
}

TEST_F(TraceFileTest, RefusesAFileItMayNotRead) {
  const auto path = folder_.write("secret.csv", "a,b\n");
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  // Root may read everything: become nobody for the time of the test.
  const uid_t me = ::geteuid();
  if (me == 0 && ::seteuid(65534) != 0) {
    GTEST_SKIP() << "NOT TESTED: runs as root, and may not become another user";
  }
  EXPECT_DATA_ERROR(TraceFile{path}, "secret.csv: cannot be opened: no permission");
  ASSERT_EQ(::seteuid(me), 0);
}

long resident_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// 1 GiB that has no line end, in two ways: a file with a hole, and 1 MB of gzip members.
TEST_F(TraceFileTest, ALineOfAGigabyteFailsAtOnceAndInLittleMemory) {
  const auto plain = folder_.write("line.csv", std::string(std::size_t{4} << 20, 'a'));
  std::filesystem::resize_file(plain, std::uintmax_t{1} << 30);
  const auto hole = folder_.write("hole.csv", "job_id");
  std::filesystem::resize_file(hole, std::uintmax_t{1} << 30);
  std::string members;
  const std::string member = packed(Pack::kGzip, std::string(std::size_t{1} << 20, 'a'));
  for (int i = 0; i < 1024; ++i) members += member;
  const auto gzip = folder_.write("line.gz", members);

  const auto begin = std::chrono::steady_clock::now();
  const long before = resident_kib();
  const auto rows_of = [](const std::filesystem::path& path) {
    TraceFile file(path);
    CsvRows rows(file);
    while (rows.next()) {
    }
  };
  EXPECT_DATA_ERROR(rows_of(plain), "line.csv:1:1: the line is longer than 1 MiB");
  EXPECT_DATA_ERROR(rows_of(gzip), "line.gz:1:1: the line is longer than 1 MiB");
  EXPECT_DATA_ERROR(rows_of(hole), "hole.csv:1:7: a NUL byte");
  const auto seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(seconds, std::chrono::seconds(5));  // reading all of it would not be done in that
  EXPECT_LT(resident_kib() - before, 64 * 1024);
}

}  // namespace
}  // namespace berth::test
