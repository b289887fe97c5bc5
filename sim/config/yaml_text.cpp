#include "sim/config/yaml_text.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/config/wording.hpp"

namespace berth {
namespace {

// The text by lines, to look up what stands at a mark of yaml-cpp (line and column from 0, the
// column in bytes).
class Source {
 public:
  Source(std::string_view text, const YamlSource& source) : text_(text), source_(source) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }

  const std::filesystem::path& base() const { return source_.base; }

  Location where(const YAML::Mark& mark) const {
    if (!source_.has_lines) return {source_.file, 0, 0};
    return {source_.file, mark.line + 1, mark.column + 1};
  }

  Location where(std::size_t offset) const {
    if (!source_.has_lines) return {source_.file, 0, 0};
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
    const auto line = next - starts_.begin();
    return {source_.file, line, static_cast<std::int64_t>(offset - *(next - 1)) + 1};
  }

  [[noreturn]] void fail(const YAML::Mark& mark, std::string_view message) const {
    throw ConfigError(where(mark), message);
  }
  [[noreturn]] void fail(std::size_t offset, std::string_view message) const {
    throw ConfigError(where(offset), message);
  }

  std::size_t offset(const YAML::Mark& mark) const {
    if (mark.line < 0 || mark.column < 0) return 0;
    const auto line = std::min(static_cast<std::size_t>(mark.line), starts_.size() - 1);
    return std::min(starts_[line] + static_cast<std::size_t>(mark.column), text_.size());
  }

  // The byte at the mark; 0 at the end.
  char at(const YAML::Mark& mark) const {
    const std::size_t i = offset(mark);
    return i < text_.size() ? text_[i] : '\0';
  }

  // The offset of a tab that indents the line of the mark; npos if there is none.
  std::size_t tab_indenting(const YAML::Mark& mark) const {
    for (std::size_t i = starts_[line_of(offset(mark))]; i < text_.size(); ++i) {
      if (text_[i] == '\t') return i;
      if (text_[i] != ' ') break;
    }
    return std::string_view::npos;
  }

  // The quoted scalar at the mark has its closing quote. yaml-cpp 0.7 takes the end of the file
  // for one, and with it all the lines that the quote swallowed.
  bool is_closed(const YAML::Mark& mark) const {
    const std::size_t start = skip_properties(offset(mark));
    return !is_quote(start) || after_quotes(start) != std::string_view::npos;
  }

  // A ":" follows the key at the mark. (Where one is missing yaml-cpp reads a key without value.)
  bool has_colon_after(const YAML::Mark& mark, const std::string& key) const {
    const std::size_t start = skip_properties(offset(mark));
    std::size_t i = is_quote(start) ? after_quotes(start) : start + key.size();
    while (i < text_.size()) {
      i = text_.find_first_not_of(" \t\r\n", i);
      if (i == std::string_view::npos || text_[i] != '#') break;
      i = text_.find('\n', i);
    }
    return i < text_.size() && text_[i] == ':';
  }

  void check_characters() const {
    const std::size_t valid = valid_utf8_prefix(text_);
    for (std::size_t i = 0; i < valid; ++i) {
      const auto c = static_cast<unsigned char>(text_[i]);
      if (c == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n')) {
        fail(i, "a carriage return without a line feed; end lines with a line feed");
      }
      if ((c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f) {
        fail(i, "not a text file: byte " + hex(c));
      }
    }
    if (valid < text_.size()) {
      fail(valid, "not UTF-8: byte " + hex(static_cast<unsigned char>(text_[valid])));
    }
  }

 private:
  static std::string hex(unsigned char c) {
    return {'0', 'x', "0123456789abcdef"[c >> 4u], "0123456789abcdef"[c & 15u]};
  }

  bool is_quote(std::size_t at) const {
    return at < text_.size() && (text_[at] == '"' || text_[at] == '\'');
  }

  // Behind an anchor or a tag.
  std::size_t skip_properties(std::size_t at) const {
    while (at < text_.size() && (text_[at] == '&' || text_[at] == '!')) {
      at = std::min(text_.find_first_of(" \t\r\n", at), text_.size());
      at = std::min(text_.find_first_not_of(" \t\r\n", at), text_.size());
    }
    return at;
  }

  // Behind the closing one of the quotes that open at `at`; npos if there is none.
  std::size_t after_quotes(std::size_t at) const {
    const char quote = text_[at];
    for (std::size_t i = at + 1; i < text_.size(); ++i) {
      if (quote == '"' && text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote) {
        if (quote == '"' || i + 1 == text_.size() || text_[i + 1] != quote) return i + 1;
        ++i;
      }
    }
    return std::string_view::npos;
  }

  std::size_t line_of(std::size_t offset) const {
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
    return static_cast<std::size_t>(next - starts_.begin()) - 1;
  }

  std::string_view text_;
  const YamlSource& source_;
  std::vector<std::size_t> starts_;
};

struct Value {
  ConfigTree::Kind kind = ConfigTree::Kind::kNull;
  YAML::Mark mark;
  std::string scalar;
  std::vector<std::size_t> children;  // of a map: key, value, key, value ...
  bool is_open = false;
};

// Collects the events of one document as values that name their children by index, so that an
// alias costs one index until to_tree() counts what it expands to.
class Builder : public YAML::EventHandler {
 public:
  explicit Builder(const Source& source) : source_(source) {}

  bool is_empty() const { return values_.empty(); }
  const Value& root() const { return values_[0]; }

  // Fails if the document is YAML but not what we accept. Not before its end is seen: of an
  // unclosed bracket yaml-cpp first makes a key.
  void check() const {
    if (fault_.is_set) source_.fail(fault_.mark, fault_.message);
  }

  // REQUIRES: check() passed.
  ConfigTree to_tree() {
    weight_ = 0;
    return expand(0, 0);
  }

  // The innermost "[" or "{" that is still open; null if there is none.
  const YAML::Mark* open_bracket() const {
    for (auto it = open_.rbegin(); it != open_.rend(); ++it) {
      const YAML::Mark& mark = values_[*it].mark;
      if (source_.at(mark) == '[' || source_.at(mark) == '{') return &mark;
    }
    return nullptr;
  }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (key_expected()) fault(mark, "a key is missing here, before the \":\"");
    const Value* const key = key_before();
    if (key != nullptr && !source_.has_colon_after(key->mark, key->scalar)) {
      fault(key->mark, "a \":\" is missing after " + in_quotes(key->scalar));
    }
    // A value that is left out has the mark of whatever follows: its key is a better place.
    add({ConfigTree::Kind::kNull, key != nullptr ? key->mark : mark, {}, {}, false}, anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (key_expected()) fault(mark, "an alias cannot be a key");
    const std::size_t value = anchors_.at(anchor);
    if (values_[value].is_open) source_.fail(mark, "an alias inside the value it stands for");
    values_[open_.back()].children.push_back(value);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    refuse_tag(mark, tag);
    if (tag == "!" && !source_.is_closed(mark)) {
      source_.fail(mark, "the quotes that open here are never closed");
    }
    if (key_expected()) {
      if (text.empty()) fault(mark, "an empty key");
      if (text.size() > kLongestKey) {
        fault(mark, "a key of more than " + std::to_string(kLongestKey) + " bytes");
      }
      if (text == "<<") {
        fault(mark, "merge keys (\"<<\") are not supported; use `extends: FILE` at the top");
      }
    }
    add({ConfigTree::Kind::kScalar, mark, text, {}, false}, anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(ConfigTree::Kind::kList, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(ConfigTree::Kind::kMap, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  bool in_map() const {
    return !open_.empty() && values_[open_.back()].kind == ConfigTree::Kind::kMap;
  }
  bool key_expected() const { return in_map() && values_[open_.back()].children.size() % 2 == 0; }
  const Value* key_before() const {
    if (!in_map() || key_expected()) return nullptr;
    return &values_[values_[open_.back()].children.back()];
  }

  void fault(const YAML::Mark& mark, std::string message) {
    if (!fault_.is_set) fault_ = {true, mark, std::move(message)};
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    // yaml-cpp gives "?" to plain and "!" to quoted scalars.
    if (tag.empty() || tag == "?" || tag == "!") return;
    fault(mark, "tags are not supported (" + printable(tag) + ")");
  }

  void add(Value value, YAML::anchor_t anchor) {
    const std::size_t index = values_.size();
    if (!open_.empty()) values_[open_.back()].children.push_back(index);
    if (anchor != YAML::NullAnchor) anchors_[anchor] = index;
    values_.push_back(std::move(value));
  }

  void open(ConfigTree::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    refuse_tag(mark, tag);
    if (key_expected()) {
      fault(mark,
            kind == ConfigTree::Kind::kMap ? "a map cannot be a key" : "a list cannot be a key");
    }
    if (open_.size() >= static_cast<std::size_t>(kDeepestYaml)) fail_depth(mark);
    add({kind, mark, {}, {}, true}, anchor);
    open_.push_back(values_.size() - 1);
  }

  void close() {
    values_[open_.back()].is_open = false;
    open_.pop_back();
  }

  [[noreturn]] void fail_depth(const YAML::Mark& mark) const {
    source_.fail(mark, "nested more than " + std::to_string(kDeepestYaml) + " levels deep");
  }

  ConfigTree expand(std::size_t index, int depth) {
    const Value& value = values_[index];
    if (depth > kDeepestYaml) fail_depth(value.mark);
    weight_ += 1 + value.scalar.size() / 100;
    if (weight_ > kMostYamlValues) {
      source_.fail(value.mark, "more than " + std::to_string(kMostYamlValues) +
                                   " values in one file, aliases expanded");
    }
    ConfigTree tree;
    tree.kind = value.kind;
    tree.scalar = value.scalar;
    tree.where = source_.where(value.mark);
    tree.base = source_.base();
    if (value.kind == ConfigTree::Kind::kList) {
      for (const std::size_t child : value.children) {
        tree.items.push_back(expand(child, depth + 1));
      }
    } else if (value.kind == ConfigTree::Kind::kMap) {
      std::unordered_map<std::string_view, YAML::Mark> first;
      for (std::size_t i = 0; i + 1 < value.children.size(); i += 2) {
        const Value& key = values_[value.children[i]];
        const auto [at, is_new] = first.emplace(key.scalar, key.mark);
        if (!is_new) {
          source_.fail(key.mark, "the key " + in_quotes(key.scalar) + " is given twice" +
                                     first_place(source_.where(at->second)));
        }
        tree.entries.push_back(
            {key.scalar, source_.where(key.mark), expand(value.children[i + 1], depth + 1)});
      }
    }
    return tree;
  }

  static std::string first_place(const Location& where) {
    if (where.line == 0) return {};
    return "; first on line " + std::to_string(where.line) + ", column " +
           std::to_string(where.column);
  }

  struct Fault {
    bool is_set = false;
    YAML::Mark mark;
    std::string message;
  };

  const Source& source_;
  Fault fault_;  // the first
  std::vector<Value> values_;
  std::vector<std::size_t> open_;
  std::unordered_map<YAML::anchor_t, std::size_t> anchors_;
  std::size_t weight_ = 0;
};

// Takes one more document and fails at its first event.
class NoMoreDocuments : public YAML::EventHandler {
 public:
  explicit NoMoreDocuments(const Source& source) : source_(source) {}
  void OnDocumentStart(const YAML::Mark& mark) override {
    source_.fail(mark, "a second YAML document starts here; one file holds one configuration");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& /*text*/) override {}
  void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {}
  void OnMapEnd() override {}

 private:
  const Source& source_;
};

// yaml-cpp's words are those of a parser's author; these are for who wrote the file.
std::string plain_words(const std::string& message, char at) {
  using namespace YAML::ErrorMsg;
  const auto starts = [&](const char* prefix) { return message.starts_with(prefix); };
  if (starts(MAP_VALUE)) {
    return "a \":\" is not expected here; check the indentation, or quote the text";
  }
  if (starts(MAP_KEY)) return "a key is not expected here; check the indentation";
  if (starts(BLOCK_ENTRY)) {
    return "a \"-\" is not expected here; start a list on a line of its own, in line with its "
           "items";
  }
  if (starts(END_OF_MAP) || starts(END_OF_SEQ)) {
    return "this does not continue what stands before it; check the indentation and the brackets";
  }
  if (starts(FLOW_END)) {
    return std::string("a \"") + at + "\" that matches no \"" + (at == ']' ? '[' : '{') + "\" here";
  }
  if (starts(UNKNOWN_TOKEN)) {
    return std::string("text cannot start with \"") + at + "\"; put it in quotes";
  }
  if (starts(EOF_IN_SCALAR)) return "the file ends inside a quoted text";
  if (starts(DOC_IN_SCALAR)) return "a quoted text is not closed before this line";
  if (starts(UNKNOWN_ANCHOR)) return "an alias (\"*\") of an anchor that was not given before";
  if (starts(INVALID_ESCAPE)) {
    return "not an escape in double quotes: \\" +
           printable(message.substr(std::string_view(INVALID_ESCAPE).size())) +
           "; write \\\\ for a backslash, or use single quotes";
  }
  if (starts(INVALID_UNICODE) || starts(INVALID_HEX)) {
    return "an escape that is not a character of Unicode";
  }
  if (starts(BAD_FILE)) {
    return "nested more than " + std::to_string(kDeepestYaml) + " levels deep";
  }
  return "not valid YAML: " + printable(message);
}

[[noreturn]] void fail_syntax(const YAML::Exception& failure, const Source& source,
                              const Builder& builder) {
  using namespace YAML::ErrorMsg;
  const YAML::Mark& mark = failure.mark;
  if (const std::size_t tab = source.tab_indenting(mark); tab != std::string_view::npos) {
    source.fail(tab, "a tab indents this line; YAML takes spaces only");
  }
  if (failure.msg == END_OF_MAP_FLOW || failure.msg == END_OF_SEQ_FLOW) {
    // At the end of the file yaml-cpp has no mark to give: the bracket is the place to look at.
    if (const YAML::Mark* const bracket = builder.open_bracket()) {
      const char opened = source.at(*bracket);
      const Location seen = source.where(mark);
      std::string message = std::string("the \"") + opened + "\" that opens here is not closed";
      if (source.offset(mark) > source.offset(*bracket) && seen.line > 0) {
        message += std::string("; a \",\" or \"") + (opened == '[' ? ']' : '}') +
                   "\" is due before line " + std::to_string(seen.line) + ", column " +
                   std::to_string(seen.column);
      }
      source.fail(*bracket, message);
    }
  }
  const std::string message = plain_words(failure.msg, source.at(mark));
  // The mark of an escape is behind it.
  const bool is_escape = failure.msg.starts_with(INVALID_ESCAPE) && source.offset(mark) >= 2;
  if (is_escape) source.fail(source.offset(mark) - 2, message);
  source.fail(mark, message);
}

void check_top(const Source& source, const Value& root) {
  if (root.kind == ConfigTree::Kind::kMap) return;
  if (root.kind == ConfigTree::Kind::kNull) source.fail(std::size_t{0}, "holds no keys");
  std::string message = root.kind == ConfigTree::Kind::kList ? "a list" : in_quotes(root.scalar);
  message += " at the top, where a map (`key: value` lines) is due";
  message += tight_colon_hint(root.scalar);
  source.fail(root.mark, message);
}

bool is_plain_word(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (text.empty() || !(is_letter(text[0]) || text[0] == '/')) return false;
  for (const char c : text) {
    if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '_' && c != '-' && c != '.' && c != '/') {
      return false;
    }
  }
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  constexpr std::array<std::string_view, 9> kSpecial{"true", "false", "yes", "no", "on",
                                                     "off",  "null",  "y",   "n"};
  return std::find(kSpecial.begin(), kSpecial.end(), lower) == kSpecial.end();
}

}  // namespace

ConfigTree parse_yaml(std::string_view text, const YamlSource& origin, YamlTop top) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte-order mark
  const Source source(text, origin);
  source.check_characters();
  Builder builder(source);
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    const bool any = parser.HandleNextDocument(builder);
    if (!any || builder.is_empty()) {
      if (top == YamlTop::kMap) throw ConfigError({origin.file, 0, 0}, "is empty");
      ConfigTree nothing;
      nothing.where = {origin.file, 0, 0};
      nothing.base = origin.base;
      return nothing;
    }
    builder.check();
    if (top == YamlTop::kMap) check_top(source, builder.root());
    NoMoreDocuments end(source);
    parser.HandleNextDocument(end);
  } catch (const YAML::Exception& failure) {
    fail_syntax(failure, source, builder);
  }
  return builder.to_tree();
}

std::string yaml_scalar(std::string_view text) {
  if (is_plain_word(text)) return std::string(text);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::string_view rest = text.substr(i);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += text[i];
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c < 0x20 || c == 0x7f) {
      out += "\\x";
      out += kDigits[c >> 4u];
      out += kDigits[c & 15u];
    } else if (c == 0xc2 && rest.size() > 1 && static_cast<unsigned char>(rest[1]) < 0xa0) {
      const auto low = static_cast<unsigned char>(rest[1]);  // U+0080 to U+009F
      out += "\\x";
      out += kDigits[low >> 4u];
      out += kDigits[low & 15u];
      i += 1;
    } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      out += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (rest.starts_with("\ufeff")) {
      out += "\\ufeff";
      i += 2;
    } else {
      out += text[i];
    }
  }
  out += '"';
  return out;
}

}  // namespace berth
