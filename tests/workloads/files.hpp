// Files that the tests of this folder read: written to a folder of their own, plain or packed.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temp_folder.hpp"

namespace berth::test {

inline std::string slurp(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

enum class Pack { kGzip, kZstd };

// One gzip member or zstd frame, by libarchive's writer (for gzip not the library that Berth
// reads it with).
inline std::string packed(Pack how, std::string_view bytes) {
  std::vector<char> out(bytes.size() + bytes.size() / 8 + 65536);
  std::size_t used = 0;
  archive* const writer = archive_write_new();
  archive_write_set_format_raw(writer);
  if (how == Pack::kGzip) {
    archive_write_add_filter_gzip(writer);
  } else {
    archive_write_add_filter_zstd(writer);
  }
  archive_write_set_bytes_in_last_block(writer, 1);  // no padding
  archive_entry* const entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  const bool good =
      archive_write_open_memory(writer, out.data(), out.size(), &used) == ARCHIVE_OK &&
      archive_write_header(writer, entry) == ARCHIVE_OK &&
      archive_write_data(writer, bytes.data(), bytes.size()) ==
          static_cast<la_ssize_t>(bytes.size()) &&
      archive_write_close(writer) == ARCHIVE_OK;
  archive_entry_free(entry);
  archive_write_free(writer);
  if (!good) throw std::runtime_error("cannot pack");
  return {out.data(), used};
}

// Fails unless `statement` throws an Error whose message contains `part`.
#define EXPECT_DATA_ERROR(statement, part)                                           \
  do {                                                                               \
    try {                                                                            \
      statement;                                                                     \
      ADD_FAILURE() << "no error, expected: " << (part);                             \
    } catch (const DataError& error) {                                               \
      EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos)   \
          << "the message is:  " << error.what() << "\nexpected in it:  " << (part); \
    }                                                                                \
  } while (0)

}  // namespace berth::test
