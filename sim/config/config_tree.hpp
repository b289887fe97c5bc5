// A configuration as written: YAML with the place of every key and value kept, `extends` merged,
// sections in other files read in, and --set applied. Nothing is interpreted here; see
// config_node.hpp for typed reading.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"

namespace berth {

struct ConfigTree {
  enum class Kind { kNull, kScalar, kList, kMap };
  struct Entry;

  Kind kind = Kind::kNull;
  // kScalar. Whether it was quoted is not kept: what a scalar means is up to who reads it, so "5"
  // and 5 are the same. Only a plain `null`, `~` or nothing at all is kNull.
  std::string scalar;
  std::vector<ConfigTree> items;  // kList
  std::vector<Entry> entries;     // kMap, in the order written; each key once
  // The column counts bytes. The value of a key that is given nothing stands at the key.
  Location where;
  // Relative paths inside this value are meant from here: the folder of the file it stands in, or
  // the working directory for --set. Absolute.
  std::filesystem::path base;

  // The value under `key` of a map; null where there is none.
  const ConfigTree* find(std::string_view key) const;
};

struct ConfigTree::Entry {
  std::string key;
  Location where;  // of the key
  ConfigTree value;
};

// Reads `file`; the result is a map. In this order:
// 1. Each top-level section of `section_names` that is a string is replaced by the YAML file of
//    that name, read relative to the file that names it; that file may itself use `extends`. The
//    string "none" stays a string.
// 2. `extends: FILE` at the top starts from FILE (read the same way, its sections too). Maps
//    merge, key by key; lists, scalars and null replace, and so does a section given as a string.
//    A chain that closes on itself is an error. `extends` itself is not in the result.
// 3. Each "KEY=VALUE" of `overrides`, KEY a dotted path, VALUE parsed as YAML: replaces what is
//    there, wholly. A section given as a string is read from that file, here too.
//
// Throws ConfigError (syntax, duplicate keys, nesting or aliases that blow up, overrides of no
// sense) and DataError where a file cannot be read. Every file opened is added to `files`, if that
// is given, also those of which all values were replaced.
ConfigTree load_config(const std::filesystem::path& file,
                       const std::vector<std::string>& section_names,
                       const std::vector<std::string>& overrides,
                       std::vector<std::filesystem::path>* files = nullptr);
// The same without a file: a map of what `overrides` set.
ConfigTree load_overrides(const std::vector<std::string>& section_names,
                          const std::vector<std::string>& overrides,
                          std::vector<std::filesystem::path>* files = nullptr);

}  // namespace berth
