#include "sim/config/config_node.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>

#include "sim/config/paths.hpp"
#include "sim/config/wording.hpp"
#include "sim/config/yaml_text.hpp"
#include "sim/core/check.hpp"
#include "sim/core/quantity.hpp"
#include "sim/core/suggest.hpp"

namespace berth {
namespace {

using Kind = ConfigTree::Kind;

// So many are kept; the rest is counted. A file of a million faults needs no million messages.
constexpr std::size_t kMostFindings = 1000;
constexpr std::size_t kMostShown = 10;

constexpr std::string_view kOff = "off";
constexpr std::string_view kDurationHint = "20d, 480h or 30min";

struct Name {
  std::string key;
  bool is_taken = false;
};

struct Field {
  enum class Kind { kYaml, kPath, kSection, kList };
  std::string key;
  Kind kind = Kind::kYaml;
  std::string text;                // kYaml: ready to print; kPath: the path
  std::size_t section = 0;         // kSection: index of its Record
  std::vector<std::size_t> items;  // kList: indices of their Records
};

// What is known of one map: the names asked for, and what was read, in the order of reading.
struct Record {
  Location where;          // of the map; of the nearest one around it if it is absent
  bool is_faulty = false;  // not a map: that was reported, so its missing keys need not be
  std::vector<Name> names;
  std::vector<Field> fields;
};

struct Finding {
  Location where;
  std::string message;
  auto key() const { return std::tie(where.file, where.line, where.column); }
};

Name& name_of(Record& record, std::string_view key) {
  for (Name& name : record.names) {
    if (name.key == key) return name;
  }
  record.names.push_back({std::string(key), false});
  return record.names.back();
}

// A key that is read twice keeps its place and takes the later value.
void put(Record& record, Field field) {
  for (Field& old : record.fields) {
    if (old.key != field.key) continue;
    old = std::move(field);
    return;
  }
  record.fields.push_back(std::move(field));
}

void put_yaml(Record& record, std::string_view key, std::string yaml) {
  put(record, {std::string(key), Field::Kind::kYaml, std::move(yaml), 0, {}});
}

std::string shortest(double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, result.ptr};
}

// "1 to 8", "at least 1", "at most 8", or nothing.
std::string range_text(const std::string& min, const std::string& max) {
  if (min.empty() && max.empty()) return {};
  if (max.empty()) return min.starts_with("more") ? min : "at least " + min;
  if (min.empty()) return "at most " + max;
  return min + " to " + max;
}

std::string range_text(std::int64_t min, std::int64_t max) {
  using Limits = std::numeric_limits<std::int64_t>;
  return range_text(min == Limits::min() ? "" : std::to_string(min),
                    max == Limits::max() ? "" : std::to_string(max));
}

std::string range_text(double min, double max) {
  using Limits = std::numeric_limits<double>;
  std::string low = shortest(min);
  if (min <= Limits::lowest()) low.clear();
  if (min > 0 && min <= Limits::min()) {
    if (max < Limits::max()) return "more than 0, at most " + shortest(max);
    low = "more than 0";
  }
  return range_text(low, max >= Limits::max() ? "" : shortest(max));
}

std::string range_text(Duration min, Duration max) {
  return range_text(format_duration(min), format_duration(std::min(max, kLongestDuration)));
}

// "an integer" + "1 to 8" -> "an integer from 1 to 8".
std::string with_range(std::string_view what, const std::string& range) {
  if (range.empty()) return std::string(what);
  const bool is_interval = (range[0] >= '0' && range[0] <= '9') || range[0] == '-';
  return std::string(what).append(is_interval ? " from " : ", ") + range;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits with a minus before them or not, and no zeros in front: YAML 1.1 reads 010 as 8.
bool is_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return false;
  return std::all_of(text.begin(), text.end(), is_digit);
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [after, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || after != end || !std::isfinite(value)) return std::nullopt;
  return value == 0 ? 0.0 : value;  // -0 is 0
}

bool is_bare_number(std::string_view text) {
  return !text.empty() && is_digit(text[0]) && parse_number(text).has_value();
}

// Numbers with units that exist: parse_duration refuses such a text only for its length.
bool is_overlong_duration(std::string_view text) {
  std::size_t at = 0;
  std::size_t parts = 0;
  const auto skip = [&](auto accepts) {
    const std::size_t from = at;
    while (at < text.size() && accepts(text[at])) ++at;
    return text.substr(from, at - from);
  };
  const auto is_space = [](char c) { return c == ' '; };
  while (true) {
    skip(is_space);
    if (at == text.size()) return parts > 0;
    if (skip([](char c) { return is_digit(c) || c == '.'; }).empty()) return false;
    skip(is_space);
    const std::string_view unit = skip([](char c) { return c >= 'a' && c <= 'z'; });
    if (unit.empty() || !parse_duration(std::string("1").append(unit))) return false;
    ++parts;
  }
}

std::string one_of(const std::vector<std::string>& names) { return "one of " + join(names); }

// ` (did you mean "easy"?)`, or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  const std::string near = nearest(word, names);
  return near.empty() ? "" : " (did you mean \"" + near + "\"?)";
}

std::string not_one_of(std::string_view word, const std::vector<std::string>& names) {
  return in_quotes(word) + " is not one of " + join(names) + did_you_mean(word, names);
}

}  // namespace

struct ConfigReader::State {
  ConfigTree tree;
  std::vector<Record> records;
  std::vector<Finding> findings;
  std::size_t dropped = 0;

  bool is_full() const { return findings.size() >= kMostFindings; }

  void report(const Location& where, std::string message) {
    if (is_full()) {
      ++dropped;
      return;
    }
    findings.push_back({where, std::move(message)});
  }

  void write(std::string& out, const Record& record, std::size_t indent,
             std::optional<std::string_view> replace_paths) const {
    for (const Field& field : record.fields) {
      out.append(indent, ' ').append(yaml_scalar(field.key)).append(":");
      if (field.kind == Field::Kind::kYaml) {
        out.append(" ").append(field.text).append("\n");
      } else if (field.kind == Field::Kind::kPath) {
        out.append(" ").append(yaml_scalar(replace_paths.value_or(field.text))).append("\n");
      } else if (field.kind == Field::Kind::kList) {
        write_list(out, field.items, indent, replace_paths);
      } else if (records[field.section].fields.empty()) {
        out.append(" {}\n");
      } else {
        out.append("\n");
        write(out, records[field.section], indent + 2, replace_paths);
      }
    }
  }

  void write_list(std::string& out, const std::vector<std::size_t>& items, std::size_t indent,
                  std::optional<std::string_view> replace_paths) const {
    out.append(items.empty() ? " []\n" : "\n");
    for (const std::size_t item : items) {
      std::string text;
      write(text, records[item], indent + 4, replace_paths);
      if (text.empty()) text.assign(indent + 4, ' ').append("{}\n");
      text[indent + 2] = '-';
      out += text;
    }
  }
};

ConfigNode::ConfigNode(ConfigReader* reader, const ConfigTree* tree, std::string path,
                       std::size_t record)
    : reader_(reader), tree_(tree), path_(std::move(path)), record_(record) {}

std::string ConfigNode::path_of(std::string_view key) const {
  if (key.empty()) return path_;
  return path_.empty() ? printable(key) : path_ + '.' + printable(key);
}

bool ConfigNode::has(std::string_view key) const {
  name_of(reader_->state_->records[record_], key);
  const ConfigTree* const value = tree_ == nullptr ? nullptr : tree_->find(key);
  return value != nullptr && value->kind != Kind::kNull;
}

Location ConfigNode::where(std::string_view key) const {
  const ConfigTree* const value = tree_ == nullptr ? nullptr : tree_->find(key);
  return value != nullptr ? value->where : reader_->state_->records[record_].where;
}

const ConfigTree* ConfigNode::take(std::string_view key) {
  name_of(reader_->state_->records[record_], key).is_taken = true;
  const ConfigTree* const value = tree_ == nullptr ? nullptr : tree_->find(key);
  return value == nullptr || value->kind == Kind::kNull ? nullptr : value;
}

const std::string* ConfigNode::take_scalar(std::string_view key, std::string_view expected,
                                           bool required) {
  const ConfigTree* const value = take(key);
  if (value == nullptr) {
    if (required) missing(key, expected);
    return nullptr;
  }
  if (value->kind == Kind::kScalar) return &value->scalar;
  wrong_kind(path_of(key), *value, expected);
  return nullptr;
}

void ConfigNode::missing(std::string_view key, std::string_view expected) {
  if (reader_->state_->records[record_].is_faulty) return;
  error(key, std::string("missing; ").append(expected));
}

void ConfigNode::wrong_kind(std::string_view path, const ConfigTree& value,
                            std::string_view expected) {
  reader_->state_->report(value.where, std::string(path) + ": found " + what_it_is(value) +
                                           "; expected " + std::string(expected));
}

void ConfigNode::error(std::string_view key, std::string_view message) {
  if (!key.empty()) name_of(reader_->state_->records[record_], key).is_taken = true;
  const std::string path = path_of(key);
  reader_->state_->report(where(key),
                          path.empty() ? std::string(message) : (path + ": ").append(message));
}

ConfigNode ConfigNode::section(std::string_view key) {
  const ConfigTree* value = take(key);
  const bool is_faulty = value != nullptr && value->kind != Kind::kMap;
  if (is_faulty) {
    wrong_kind(path_of(key), *value,
               std::string("a map of keys").append(tight_colon_hint(value->scalar)));
    value = nullptr;
  }
  std::vector<Record>& records = reader_->state_->records;
  for (const Field& field : records[record_].fields) {
    if (field.key == key && field.kind == Field::Kind::kSection) {
      return {reader_, value, path_of(key), field.section};
    }
  }
  Record record;
  record.where = value != nullptr ? value->where : records[record_].where;
  record.is_faulty = is_faulty || records[record_].is_faulty;
  const std::size_t index = records.size();
  records.push_back(std::move(record));
  put(records[record_], {std::string(key), Field::Kind::kSection, {}, index, {}});
  return {reader_, value, path_of(key), index};
}

std::int64_t ConfigNode::read_integer(std::string_view key, const std::string& text,
                                      std::int64_t fallback, std::int64_t min, std::int64_t max) {
  const std::string range = range_text(min, max);
  if (!is_integer(text)) {
    error(key, in_quotes(text) + " is not an integer; write digits only" +
                   (range.empty() ? "" : ", " + range));
    return fallback;
  }
  std::int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || value < min || value > max) {
    error(key, printable(text) + " is out of range; " +
                   (range.empty() ? "at most 63 bits are kept" : range));
    return fallback;
  }
  return value;
}

std::int64_t ConfigNode::integer(std::string_view key, std::optional<std::int64_t> fallback,
                                 std::int64_t min, std::int64_t max) {
  std::int64_t value = fallback.value_or(min);
  const std::string expected = with_range("an integer", range_text(min, max));
  if (const std::string* const text = take_scalar(key, expected, !fallback)) {
    value = read_integer(key, *text, value, min, max);
  }
  put_yaml(reader_->state_->records[record_], key, std::to_string(value));
  return value;
}

std::optional<std::int64_t> ConfigNode::optional_integer(std::string_view key, std::int64_t min,
                                                         std::int64_t max) {
  const std::string expected = with_range("an integer", range_text(min, max));
  const std::string* const text = take_scalar(key, expected, false);
  if (text == nullptr) return std::nullopt;
  const std::int64_t value = read_integer(key, *text, min, min, max);
  put_yaml(reader_->state_->records[record_], key, std::to_string(value));
  return value;
}

double ConfigNode::number(std::string_view key, std::optional<double> fallback, double min,
                          double max) {
  double value = fallback.value_or(min);
  const std::string range = range_text(min, max);
  const std::string expected = with_range("a number", range);
  if (const std::string* const text = take_scalar(key, expected, !fallback)) {
    const std::optional<double> parsed = parse_number(*text);
    if (!parsed) {
      error(key, in_quotes(*text) + " is not a number" + (range.empty() ? "" : "; " + range));
    } else if (*parsed < min || *parsed > max) {
      error(key, printable(*text) + " is out of range; " + range);
    } else {
      value = *parsed;
    }
  }
  put_yaml(reader_->state_->records[record_], key, shortest(value));
  return value;
}

bool ConfigNode::boolean(std::string_view key, std::optional<bool> fallback) {
  bool value = fallback.value_or(false);
  if (const std::string* const text = take_scalar(key, "true or false", !fallback)) {
    if (*text == "true" || *text == "false") {
      value = *text == "true";
    } else {
      std::string lower = *text;
      for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      }
      std::string message = in_quotes(*text) + " is not true or false";
      for (const char* word : {"true", "yes", "on", "y", "1"}) {
        if (lower == word) message += "; write true";
      }
      for (const char* word : {"false", "no", "off", "n", "0"}) {
        if (lower == word) message += "; write false";
      }
      error(key, message);
    }
  }
  put_yaml(reader_->state_->records[record_], key, value ? "true" : "false");
  return value;
}

std::string ConfigNode::text(std::string_view key, const std::optional<std::string>& fallback) {
  const std::string* const given = take_scalar(key, "a text", !fallback);
  std::string value = given != nullptr ? *given : fallback.value_or("");
  put_yaml(reader_->state_->records[record_], key, yaml_scalar(value));
  return value;
}

std::string ConfigNode::choice(std::string_view key, const std::vector<std::string>& names,
                               const std::optional<std::string>& fallback) {
  SIM_CHECK(!names.empty(), "a choice of nothing");
  std::string value = fallback.value_or(names[0]);
  if (const std::string* const text = take_scalar(key, one_of(names), !fallback)) {
    if (std::find(names.begin(), names.end(), *text) == names.end()) {
      error(key, not_one_of(*text, names));
    } else {
      value = *text;
    }
  }
  put_yaml(reader_->state_->records[record_], key, yaml_scalar(value));
  return value;
}

std::vector<std::string> ConfigNode::choices(std::string_view key,
                                             const std::vector<std::string>& names,
                                             const std::vector<std::string>& fallback) {
  std::vector<std::string> values;
  const std::string path = path_of(key);
  const auto add = [&](const ConfigTree& item) {
    if (item.kind != Kind::kScalar) {
      wrong_kind(path, item, one_of(names));
    } else if (std::find(names.begin(), names.end(), item.scalar) == names.end()) {
      reader_->state_->report(item.where, path + ": " + not_one_of(item.scalar, names));
    } else if (std::find(values.begin(), values.end(), item.scalar) != values.end()) {
      reader_->state_->report(item.where, path + ": " + in_quotes(item.scalar) + " is given twice");
    } else {
      values.push_back(item.scalar);
    }
  };
  const ConfigTree* const value = take(key);
  if (value == nullptr) {
    values = fallback;
  } else if (value->kind == Kind::kList) {
    for (const ConfigTree& item : value->items) add(item);
  } else if (value->kind == Kind::kScalar) {
    add(*value);
  } else {
    wrong_kind(path, *value, "a list of " + join(names));
  }
  std::vector<std::string> written;
  for (const std::string& word : values) written.push_back(yaml_scalar(word));
  put_yaml(reader_->state_->records[record_], key, "[" + join(written) + "]");
  return values;
}

Duration ConfigNode::read_duration(const std::string& path, const ConfigTree& value,
                                   Duration fallback, Duration min, Duration max) {
  const auto report = [&](const std::string& message) {
    reader_->state_->report(value.where, path + ": " + message);
  };
  if (value.kind != Kind::kScalar) {
    wrong_kind(path, value, std::string("a duration such as ").append(kDurationHint));
    return fallback;
  }
  const std::string& text = value.scalar;
  const std::optional<Duration> parsed = parse_duration(text);
  if (parsed && *parsed >= min && *parsed <= max) return *parsed;
  const std::string shown = printable(text);
  if (parsed || is_overlong_duration(text)) {
    report(shown + " is out of range; " + range_text(min, max));
  } else if (is_bare_number(text)) {
    report(shown + " has no unit; write " + shown + "s, " + shown + "min or " + shown + "h");
  } else {
    report(in_quotes(text) + " is not a duration; write " + std::string(kDurationHint));
  }
  return fallback;
}

Duration ConfigNode::duration(std::string_view key, std::optional<Duration> fallback, Duration min,
                              Duration max) {
  Duration value = fallback.value_or(min);
  if (const ConfigTree* const given = take(key)) {
    value = read_duration(path_of(key), *given, value, min, max);
  } else if (!fallback) {
    missing(key, std::string("a duration such as ").append(kDurationHint));
  }
  put_yaml(reader_->state_->records[record_], key, format_duration(value));
  return value;
}

std::optional<Duration> ConfigNode::duration_or_off(std::string_view key,
                                                    std::optional<Duration> fallback, Duration min,
                                                    Duration max) {
  std::optional<Duration> value = fallback;
  if (const ConfigTree* const given = take(key)) {
    if (given->kind == Kind::kScalar && given->scalar == kOff) {
      value.reset();
    } else {
      value = read_duration(path_of(key), *given, fallback.value_or(min), min, max);
    }
  }
  put_yaml(reader_->state_->records[record_], key,
           value ? format_duration(*value) : std::string(kOff));
  return value;
}

std::int64_t ConfigNode::bytes(std::string_view key, std::optional<std::int64_t> fallback) {
  std::int64_t value = fallback.value_or(0);
  if (const std::string* const text =
          take_scalar(key, "a size such as 80GB, 80GiB or 1.5TB", !fallback)) {
    const std::string shown = printable(*text);
    if (const std::optional<std::int64_t> parsed = parse_bytes(*text)) {
      value = *parsed;
    } else if (is_bare_number(*text)) {
      error(key, shown + " has no unit; write " + shown + "GB or " + shown + "GiB");
    } else {
      error(key, in_quotes(*text) + " is not a size; write 80GB, 80GiB or 1.5TB");
    }
  }
  put_yaml(reader_->state_->records[record_], key, format_bytes(value));
  return value;
}

std::filesystem::path ConfigNode::file(std::string_view key, bool required) {
  const std::string* const text = take_scalar(key, "the path of a file", required);
  if (text == nullptr) return {};
  if (text->empty() || text->find('\0') != std::string::npos) {
    error(key, in_quotes(*text) + " is not a path");
    return {};
  }
  std::filesystem::path path = tidy(tree_->find(key)->base / *text);
  if (valid_utf8_prefix(path.native()) < path.native().size()) {
    // The folder of the file is not UTF-8 (the text is), so YAML could not name the path again.
    error(key, in_quotes(path.native()) + " is not a path in UTF-8");
    return {};
  }
  put(reader_->state_->records[record_],
      {std::string(key), Field::Kind::kPath, path.native(), 0, {}});
  return path;
}

std::vector<std::pair<std::string, Duration>> ConfigNode::durations(std::string_view key,
                                                                    Duration min, Duration max) {
  std::vector<std::pair<std::string, Duration>> values;
  ConfigNode map = section(key);
  if (map.tree_ == nullptr) return values;
  // Not by map.duration(), which looks every key up: there may be very many.
  std::vector<Field> fields;
  for (const ConfigTree::Entry& entry : map.tree_->entries) {
    const Duration value = read_duration(map.path_of(entry.key), entry.value, min, min, max);
    fields.push_back({entry.key, Field::Kind::kYaml, format_duration(value), 0, {}});
    values.emplace_back(entry.key, value);
  }
  reader_->state_->records[map.record_].fields = std::move(fields);
  return values;
}

std::vector<std::pair<std::string, std::string>> ConfigNode::texts(std::string_view key) {
  std::vector<std::pair<std::string, std::string>> values;
  ConfigNode map = section(key);
  if (map.tree_ == nullptr) return values;
  std::vector<Field> fields;
  for (const ConfigTree::Entry& entry : map.tree_->entries) {
    if (entry.value.kind != Kind::kScalar) {
      map.wrong_kind(map.path_of(entry.key), entry.value, "a text");
      continue;
    }
    fields.push_back({entry.key, Field::Kind::kYaml, yaml_scalar(entry.value.scalar), 0, {}});
    values.emplace_back(entry.key, entry.value.scalar);
  }
  reader_->state_->records[map.record_].fields = std::move(fields);
  return values;
}

std::vector<std::string> ConfigNode::words(std::string_view key) {
  std::vector<std::string> values;
  const ConfigTree* const value = take(key);
  if (value == nullptr) return values;
  const auto add = [&](const ConfigTree& item) {
    if (item.kind == Kind::kScalar) {
      values.push_back(item.scalar);
    } else {
      wrong_kind(path_of(key), item, "a text");
    }
  };
  if (value->kind == Kind::kList) {
    for (const ConfigTree& item : value->items) add(item);
  } else {
    add(*value);
  }
  std::vector<std::string> written;
  for (const std::string& word : values) written.push_back(yaml_scalar(word));
  put_yaml(reader_->state_->records[record_], key, "[" + join(written) + "]");
  return values;
}

std::vector<ConfigNode> ConfigNode::list(std::string_view key) {
  std::vector<ConfigNode> nodes;
  Field field{std::string(key), Field::Kind::kList, {}, 0, {}};
  const ConfigTree* const value = take(key);
  if (value != nullptr && value->kind != Kind::kList) {
    wrong_kind(path_of(key), *value, "a list of maps");
  } else if (value != nullptr) {
    std::vector<Record>& records = reader_->state_->records;
    for (std::size_t i = 0; i < value->items.size(); ++i) {
      const ConfigTree& item = value->items[i];
      const std::string path = path_of(key) + "[" + std::to_string(i) + "]";
      Record record;
      record.where = item.where;
      record.is_faulty = item.kind != Kind::kMap;
      if (record.is_faulty) wrong_kind(path, item, "a map of keys");
      field.items.push_back(records.size());
      nodes.push_back(
          ConfigNode(reader_, record.is_faulty ? nullptr : &item, path, records.size()));
      records.push_back(std::move(record));
    }
  }
  put(reader_->state_->records[record_], std::move(field));
  return nodes;
}

std::vector<std::string> ConfigNode::keys() const {
  std::vector<std::string> out;
  if (tree_ == nullptr) return out;
  for (const ConfigTree::Entry& entry : tree_->entries) out.push_back(entry.key);
  return out;
}

std::vector<double> ConfigNode::numbers(std::string_view key, double min, double max) {
  const std::string range = range_text(min, max);
  const std::string expected = with_range("a list of numbers", range);
  const std::string path = path_of(key);
  std::vector<double> values;
  std::string written;
  bool is_good = true;
  const auto add = [&](const ConfigTree& item) {
    const std::optional<double> parsed =
        item.kind == Kind::kScalar ? parse_number(item.scalar) : std::nullopt;
    if (item.kind != Kind::kScalar) {
      wrong_kind(path, item, with_range("a number", range));
    } else if (!parsed) {
      reader_->state_->report(item.where, path + ": " + in_quotes(item.scalar) +
                                              " is not a number" +
                                              (range.empty() ? "" : "; " + range));
    } else if (*parsed < min || *parsed > max) {
      reader_->state_->report(item.where,
                              path + ": " + printable(item.scalar) + " is out of range; " + range);
    } else {
      if (!values.empty()) written += ", ";
      written += shortest(*parsed);
      values.push_back(*parsed);
      return;
    }
    is_good = false;
  };
  const ConfigTree* const value = take(key);
  if (value == nullptr) {
    missing(key, expected);
  } else if (value->kind == Kind::kList) {
    for (const ConfigTree& item : value->items) add(item);
  } else if (value->kind == Kind::kScalar) {
    add(*value);
  } else {
    wrong_kind(path, *value, expected);
  }
  put_yaml(reader_->state_->records[record_], key, "[" + written + "]");
  if (!is_good) values.clear();
  return values;
}

void ConfigNode::only_off(std::string_view key, std::string_view off_word,
                          std::string_view message) {
  if (const ConfigTree* const value = take(key)) {
    const bool is_off = value->kind == Kind::kScalar
                            ? !off_word.empty() && value->scalar == off_word
                            : value->items.empty() && value->entries.empty();
    if (!is_off) error(key, message);
  }
  if (!off_word.empty()) {
    put_yaml(reader_->state_->records[record_], key, yaml_scalar(off_word));
  }
}

void ConfigNode::finish() {
  if (tree_ == nullptr) return;
  ConfigReader::State& state = *reader_->state_;
  const std::vector<Name>& names = state.records[record_].names;
  std::vector<std::string> known;
  for (const Name& name : names) known.push_back(name.key);
  for (const ConfigTree::Entry& entry : tree_->entries) {
    const auto name =
        std::find_if(names.begin(), names.end(), [&](const Name& n) { return n.key == entry.key; });
    if (name != names.end() && name->is_taken) continue;
    std::string message;
    if (name != names.end()) {
      message = path_of(entry.key) + ": has no meaning with the other values given";
    } else if (!state.is_full()) {  // a suggestion costs time
      message = path_of(entry.key) + ": unknown key" + did_you_mean(entry.key, known) + "; " +
                (known.empty() ? "no keys are known here" : "known here: " + join(known));
    }
    state.report(entry.where, std::move(message));
  }
}

ConfigReader::ConfigReader(ConfigTree tree) : state_(std::make_unique<State>()) {
  SIM_CHECK(tree.kind == Kind::kMap, "a configuration is a map");
  state_->tree = std::move(tree);
  Record record;
  record.where = state_->tree.where;
  state_->records.push_back(std::move(record));
}

ConfigReader::~ConfigReader() = default;

ConfigNode ConfigReader::root() { return {this, &state_->tree, "", 0}; }

bool ConfigReader::has_errors() const { return !state_->findings.empty(); }

void ConfigReader::throw_if_errors() const {
  if (!has_errors()) return;
  std::vector<Finding> findings = state_->findings;
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.key() < b.key(); });
  std::vector<std::string> lines;
  for (const Finding& finding : findings) {
    std::string line = ConfigError(finding.where, finding.message).what();
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
      lines.push_back(std::move(line));
    }
  }
  const std::size_t shown = std::min(lines.size(), kMostShown);
  const std::size_t hidden = lines.size() - shown + state_->dropped;
  lines.resize(shown);
  if (hidden > 0) lines.push_back("and " + std::to_string(hidden) + " more");
  throw ConfigError(join(lines, "\n"));
}

std::string ConfigReader::resolved_yaml(std::optional<std::string_view> replace_paths) const {
  std::string out;
  state_->write(out, state_->records[0], 0, replace_paths);
  return out.empty() ? "{}\n" : out;
}

}  // namespace berth
