// Typed reading of a configuration, with nothing silent: every value read is noted with its
// default for the resolved configuration, every key that nobody asked for is an error with the
// nearest valid name, and all findings of a file are collected before anything is thrown.
//
//   ConfigReader reader(load_config("run.yaml", ...));
//   ConfigNode root = reader.root();
//   ConfigNode cluster = root.section("cluster");
//   const auto nodes = cluster.integer("nodes", {}, 1, 1'000'000);   // {}: required
//   cluster.finish();                                                // unknown keys
//   root.finish();
//   reader.throw_if_errors();                                        // all at once, exit status 2
//
// A key that is declared takes its default where the file leaves it out or gives null. After an
// error a getter returns the default (or the lowest allowed value), so that reading can go on.
//
// Scalars are untyped: `nodes: "5"` is the integer 5 and `name: 12` the text "12". What is accepted
// is narrow where YAML's versions or other tools disagree: integers are decimal digits (no sign
// "+", no 0x10, 1e3, 1_000, 010), booleans are `true` and `false` only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/config_tree.hpp"
#include "sim/core/time.hpp"

namespace berth {

class ConfigReader;

// A handle on one map of the configuration; cheap to copy, valid as long as its ConfigReader.
class ConfigNode {
 public:
  // "policy.estimates"; empty for the root.
  const std::string& path() const { return path_; }
  // The file gives a value (other than null) for `key`. To ask makes the key a known name (for
  // suggestions); only a getter or error() accepts it.
  bool has(std::string_view key) const;
  // Where the value of `key` stands; where this map stands if the key is absent.
  Location where(std::string_view key) const;

  // A nested map; empty where absent. A scalar or a list there is an error.
  ConfigNode section(std::string_view key);

  std::int64_t integer(std::string_view key, std::optional<std::int64_t> fallback, std::int64_t min,
                       std::int64_t max);
  // Empty where absent.
  std::optional<std::int64_t> optional_integer(std::string_view key, std::int64_t min,
                                               std::int64_t max);
  // A decimal number, finite, min <= value <= max. A `min` of numeric_limits<double>::min() stands
  // for "more than 0" and is shown so; infinite bounds are not shown.
  double number(std::string_view key, std::optional<double> fallback, double min, double max);
  bool boolean(std::string_view key, std::optional<bool> fallback);
  std::string text(std::string_view key, const std::optional<std::string>& fallback);
  // One of `names`; the error names them and the nearest.
  std::string choice(std::string_view key, const std::vector<std::string>& names,
                     const std::optional<std::string>& fallback);
  // A list (or a single one) of `names`, without repeats.
  std::vector<std::string> choices(std::string_view key, const std::vector<std::string>& names,
                                   const std::vector<std::string>& fallback);
  // With a unit: 30s, 5min, 2h, "1d 12h". A bare number is an error that says which units exist.
  Duration duration(std::string_view key, std::optional<Duration> fallback, Duration min,
                    Duration max);
  // A duration, or the word `off` (empty, also as the fallback).
  std::optional<Duration> duration_or_off(std::string_view key, std::optional<Duration> fallback,
                                          Duration min, Duration max);
  // With a unit: 80GiB, 1TB.
  std::int64_t bytes(std::string_view key, std::optional<std::int64_t> fallback);
  // A path, made absolute from the place that names it and without "." and "..". Not checked for
  // existence. Empty where absent, which is an error if `required`.
  std::filesystem::path file(std::string_view key, bool required = true);
  // A map whose keys are the user's (job types, say): each with its duration, in the order written.
  std::vector<std::pair<std::string, Duration>> durations(std::string_view key, Duration min,
                                                          Duration max);

  // The same with texts.
  std::vector<std::pair<std::string, std::string>> texts(std::string_view key);
  // A list (or a single one) of any texts.
  std::vector<std::string> words(std::string_view key);
  // A list of maps, each to be read and finished like a section; empty where absent. Their paths
  // are "workload.transforms[0]" and so on.
  std::vector<ConfigNode> list(std::string_view key);
  // The keys that the file gives in this map, in the order written.
  std::vector<std::string> keys() const;

  // A list (or a single one) of decimal numbers, each as number() takes it. Required; empty after
  // an error.
  std::vector<double> numbers(std::string_view key, double min, double max);

  // A feature that this version has only switched off: accepts an absent key, null, an empty list
  // or map, and the scalar `off_word` (if not empty); anything else is an error with `message`.
  void only_off(std::string_view key, std::string_view off_word, std::string_view message);

  // Reports `message` at the value of `key` (at this map, if absent), prefixed with its path.
  void error(std::string_view key, std::string_view message);
  // Every key of this map that no getter asked for is an error: an unknown one, or, if has() asked
  // for it, one that "has no meaning with the other values given". Call after the last getter.
  void finish();

 private:
  friend class ConfigReader;
  ConfigNode(ConfigReader* reader, const ConfigTree* tree, std::string path, std::size_t record);

  std::string path_of(std::string_view key) const;
  // The value of `key`, which from now on is asked for; null where absent or null.
  const ConfigTree* take(std::string_view key);
  // The same for a scalar. Anything else is an error that says what is `expected`.
  const std::string* take_scalar(std::string_view key, std::string_view expected, bool required);
  void missing(std::string_view key, std::string_view expected);
  void wrong_kind(std::string_view path, const ConfigTree& value, std::string_view expected);
  std::int64_t read_integer(std::string_view key, const std::string& text, std::int64_t fallback,
                            std::int64_t min, std::int64_t max);
  Duration read_duration(const std::string& path, const ConfigTree& value, Duration fallback,
                         Duration min, Duration max);

  ConfigReader* reader_;
  const ConfigTree* tree_;  // null: absent, an empty map
  std::string path_;
  std::size_t record_;  // this map in the reader's resolved tree
};

class ConfigReader {
 public:
  explicit ConfigReader(ConfigTree tree);
  ~ConfigReader();
  ConfigReader(const ConfigReader&) = delete;
  ConfigReader& operator=(const ConfigReader&) = delete;

  ConfigNode root();
  bool has_errors() const;
  // One ConfigError with the findings, a line each, in the order of file, line and column; after
  // the tenth only their number.
  void throw_if_errors() const;
  // Everything read so far, defaults included, as YAML in the order of reading. Reading it again
  // gives the same. Paths are absolute, unless `replace_paths` gives the text to put in place of
  // every path (used to hash a configuration independently of where its files lie).
  std::string resolved_yaml(std::optional<std::string_view> replace_paths = {}) const;

 private:
  friend class ConfigNode;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace berth
