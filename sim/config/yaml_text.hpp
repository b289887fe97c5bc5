// YAML text to a ConfigTree and scalars back to text: the only place that knows yaml-cpp.
//
// What is accepted is a strict YAML 1.2: one document, UTF-8, keys that are plain words, each key
// once. Refused, since they would be read as something else than the writer meant: tags (`!!int`),
// merge keys (`<<`), keys without a ":", quotes that the end of the file closes, control
// characters. Bounds keep hostile files harmless: see the constants.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "sim/config/config_tree.hpp"

namespace berth {

// A byte of YAML can cost yaml-cpp 250 bytes of memory ("[[[["), so this bounds it to 250 MB.
inline constexpr std::size_t kLargestYaml = std::size_t{1} << 20;
inline constexpr int kDeepestYaml = 100;
// Values after aliases are expanded; 100 bytes of text count as one more.
inline constexpr std::size_t kMostYamlValues = 100'000;
inline constexpr std::size_t kLongestKey = 256;

struct YamlSource {
  std::string file;            // for Location
  std::filesystem::path base;  // for ConfigTree
  bool has_lines = true;       // false: Locations get line 0
};

enum class YamlTop { kMap, kAny };

// Throws ConfigError. With YamlTop::kAny an empty text gives kNull.
ConfigTree parse_yaml(std::string_view text, const YamlSource& origin, YamlTop top);

// The scalar in YAML, on one line: as it is where no reader of YAML 1.1 or 1.2 could take it for
// something else than text, in double quotes otherwise. `text` must be UTF-8.
std::string yaml_scalar(std::string_view text);

}  // namespace berth
