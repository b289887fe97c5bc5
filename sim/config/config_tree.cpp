#include "sim/config/config_tree.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <system_error>
#include <unordered_map>

#include "sim/config/paths.hpp"
#include "sim/config/wording.hpp"
#include "sim/config/yaml_text.hpp"
#include "sim/core/suggest.hpp"

namespace berth {
namespace {

namespace fs = std::filesystem;
using Kind = ConfigTree::Kind;

constexpr std::string_view kExtends = "extends";
constexpr std::string_view kNone = "none";
constexpr std::size_t kLongestChain = 32;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

struct FileText {
  std::string text;
  dev_t device = 0;
  ino_t inode = 0;
};

// `named_at`, where another file names this one, goes into the message.
FileText read_text(const fs::path& file, const std::optional<Location>& named_at) {
  const auto fail = [&](const std::string& reason) {
    const std::string message = "cannot read " + file.string() + ": " + reason;
    throw named_at ? DataError(*named_at, message) : DataError(message);
  };
  const auto fail_errno = [&] { fail(std::generic_category().message(errno)); };
  // Not blocking, so that a named pipe that nobody writes is an empty file and not a hang.
  const Descriptor fd(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (fd.get() < 0) fail_errno();
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) fail_errno();
  if (S_ISDIR(status.st_mode)) fail(std::generic_category().message(EISDIR));
  FileText out;
  out.device = status.st_dev;
  out.inode = status.st_ino;
  std::string buffer(std::size_t{1} << 16, '\0');
  while (true) {
    const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
    if (count == 0) break;
    if (count > 0) {
      out.text.append(buffer, 0, static_cast<std::size_t>(count));
      if (out.text.size() > kLargestYaml) fail("a configuration of more than 1 MiB");
    } else if (errno == EAGAIN) {
      struct pollfd wait {
        fd.get(), POLLIN, 0
      };
      if (::poll(&wait, 1, -1) < 0 && errno != EINTR) fail_errno();
    } else if (errno != EINTR) {
      fail_errno();
    }
  }
  return out;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The entries of `over` onto those of `onto`; keys in `replaced` are not merged but replaced.
void merge(ConfigTree& onto, ConfigTree&& over, const std::vector<std::string>& replaced) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < onto.entries.size(); ++i) places.emplace(onto.entries[i].key, i);
  for (ConfigTree::Entry& entry : over.entries) {
    const auto place = places.find(entry.key);
    if (place == places.end()) {
      onto.entries.push_back(std::move(entry));
      continue;
    }
    ConfigTree::Entry& under = onto.entries[place->second];
    const bool merges = under.value.kind == Kind::kMap && entry.value.kind == Kind::kMap &&
                        !contains(replaced, entry.key);
    if (merges) {
      under.where = entry.where;
      merge(under.value, std::move(entry.value), {});
    } else {
      under = std::move(entry);
    }
  }
  onto.where = over.where;
  onto.base = over.base;
}

class Loader {
 public:
  Loader(const std::vector<std::string>& section_names, std::vector<fs::path>* files)
      : section_names_(section_names), files_(files) {}

  ConfigTree load_main(const fs::path& file) { return load(file, std::nullopt, section_names_); }

  void apply(ConfigTree& root, const std::string& text) {
    const Location where{"--set " + printable(text, 200), 0, 0};
    const std::vector<std::string> keys = split_key(text, where);
    const std::string_view value_text = std::string_view(text).substr(text.find('=') + 1);
    if (value_text.size() > kLargestYaml) throw ConfigError(where, "more than 1 MiB of YAML");
    const YamlSource source{where.file, fs::current_path(), false};
    ConfigTree value = parse_yaml(value_text, source, YamlTop::kAny);
    if (keys.size() == 1 && contains(section_names_, keys[0])) load_section(value);

    ConfigTree* at = &root;
    std::string path;
    for (const std::string& key : keys) {
      if (at->kind == Kind::kNull) {  // absent until now
        at->kind = Kind::kMap;
        at->where = where;
        at->base = source.base;
      } else if (at->kind != Kind::kMap) {
        const std::string place = at->where.line > 0 ? " (" + at->where.text() + ")" : "";
        throw ConfigError(where,
                          path + " is " + what_it_is(*at) + place + ", so it has no keys to set");
      }
      auto entry = std::find_if(at->entries.begin(), at->entries.end(),
                                [&](const ConfigTree::Entry& e) { return e.key == key; });
      if (entry == at->entries.end()) {
        entry = at->entries.insert(entry, {key, where, {}});
        entry->value.where = where;
      }
      if (&key == &keys.back()) entry->where = where;
      at = &entry->value;
      if (!path.empty()) path += '.';
      path += printable(key);
    }
    *at = std::move(value);
  }

 private:
  struct OpenFile {
    std::string name;
    dev_t device;
    ino_t inode;
  };

  // The file with what it extends, and with the sections of `sections` read in.
  ConfigTree load(const fs::path& file, const std::optional<Location>& named_at,
                  const std::vector<std::string>& sections) {
    const FileText text = read_text(file, named_at);
    if (files_ != nullptr) files_->push_back(file);
    enter(file, text, named_at);
    const fs::path base = tidy(fs::absolute(file)).parent_path();
    ConfigTree tree = parse_yaml(text.text, {file.string(), base, true}, YamlTop::kMap);

    std::vector<std::string> loaded;
    for (ConfigTree::Entry& entry : tree.entries) {
      if (contains(sections, entry.key) && load_section(entry.value)) loaded.push_back(entry.key);
    }
    const auto extends =
        std::find_if(tree.entries.begin(), tree.entries.end(),
                     [](const ConfigTree::Entry& entry) { return entry.key == kExtends; });
    if (extends != tree.entries.end()) {
      const ConfigTree name = std::move(extends->value);
      tree.entries.erase(extends);
      if (name.kind != Kind::kScalar || name.scalar.empty()) {
        throw ConfigError(name.where, "extends: found " + what_it_is(name) +
                                          "; expected the path of a YAML file");
      }
      ConfigTree under = load(named_path(name, file), name.where, sections);
      merge(under, std::move(tree), loaded);
      tree = std::move(under);
    }
    open_.pop_back();
    return tree;
  }

  // Replaces a section that is a string (other than "none") by the file it names.
  bool load_section(ConfigTree& section) {
    if (section.kind != Kind::kScalar || section.scalar == kNone) return false;
    if (section.scalar.empty()) {
      throw ConfigError(section.where, "found \"\"; expected a map or the path of a YAML file");
    }
    // A section of --set stands in no file and is named from the working directory.
    const fs::path beside = section.where.line > 0 ? fs::path(section.where.file) : fs::path();
    const fs::path file = named_path(section, beside);
    std::error_code ignored;
    if (const std::string_view hint = tight_colon_hint(section.scalar);
        !hint.empty() && !fs::exists(file, ignored)) {
      throw ConfigError(section.where, "found " + what_it_is(section) +
                                           "; expected a map or the path of a YAML file" +
                                           std::string(hint));
    }
    ConfigTree loaded = load(file, section.where, {});
    section = std::move(loaded);
    return true;
  }

  // The path as it is shown and opened: relative to the working directory if `beside`, the file
  // that names it, is.
  static fs::path named_path(const ConfigTree& name, const fs::path& beside) {
    if (name.scalar.find('\0') != std::string::npos) {
      throw ConfigError(name.where, in_quotes(name.scalar) + " is not a path");
    }
    return tidy(beside.parent_path() / name.scalar);
  }

  void enter(const fs::path& file, const FileText& text, const std::optional<Location>& named_at) {
    const auto same = std::find_if(open_.begin(), open_.end(), [&](const OpenFile& open) {
      return open.device == text.device && open.inode == text.inode;
    });
    if (same != open_.end()) {
      std::vector<std::string> names;
      for (auto it = same; it != open_.end(); ++it) names.push_back(it->name);
      names.push_back(file.string());
      throw ConfigError(named_at.value_or(Location{}),
                        "configurations that extend each other: " + join(names, " -> "));
    }
    if (open_.size() >= kLongestChain) {
      throw ConfigError(
          named_at.value_or(Location{}),
          "more than " + std::to_string(kLongestChain) + " configurations that extend each other");
    }
    open_.push_back({file.string(), text.device, text.inode});
  }

  static std::vector<std::string> split_key(const std::string& text, const Location& where) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      throw ConfigError(where, "a \"=\" is missing; write --set KEY=VALUE");
    }
    if (equals == 0) throw ConfigError(where, "the key is empty; write --set KEY=VALUE");
    // An empty shell variable must not silently give the default.
    if (text.find_first_not_of(" \t\n", equals + 1) == std::string::npos) {
      throw ConfigError(where, "the value is empty; write --set KEY=null for the default");
    }
    std::vector<std::string> keys;
    std::size_t start = 0;
    while (true) {
      const std::size_t end = std::min(text.find('.', start), equals);
      keys.push_back(text.substr(start, end - start));
      if (keys.back().empty()) {
        throw ConfigError(where, "a part of the key is empty; write it like policy.order");
      }
      if (end == equals) break;
      start = end + 1;
    }
    if (keys.size() > static_cast<std::size_t>(kDeepestYaml)) {
      throw ConfigError(where, "a key of more than " + std::to_string(kDeepestYaml) + " parts");
    }
    if (keys[0] == kExtends) throw ConfigError(where, "extends can be set in a file only");
    return keys;
  }

  const std::vector<std::string>& section_names_;
  std::vector<fs::path>* files_;  // may be null
  std::vector<OpenFile> open_;    // those being read, each named by the one before
};

}  // namespace

const ConfigTree* ConfigTree::find(std::string_view key) const {
  for (const Entry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

ConfigTree load_config(const fs::path& file, const std::vector<std::string>& section_names,
                       const std::vector<std::string>& overrides, std::vector<fs::path>* files) {
  Loader loader(section_names, files);
  ConfigTree root = loader.load_main(file);
  for (const std::string& override_text : overrides) loader.apply(root, override_text);
  return root;
}

ConfigTree load_overrides(const std::vector<std::string>& section_names,
                          const std::vector<std::string>& overrides, std::vector<fs::path>* files) {
  Loader loader(section_names, files);
  ConfigTree root;
  root.kind = Kind::kMap;
  root.base = fs::current_path();
  for (const std::string& override_text : overrides) loader.apply(root, override_text);
  return root;
}

}  // namespace berth
