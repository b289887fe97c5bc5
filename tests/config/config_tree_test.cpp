// Reading a configuration: places, YAML that is refused, extends, sections in files, overrides.
#include "sim/config/config_tree.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/config/in_temp_folder.hpp"

namespace berth {
namespace {

namespace fs = std::filesystem;
using Kind = ConfigTree::Kind;

class ConfigTreeTest : public test::InTempFolder {
 protected:
  static ConfigTree load(const std::string& file, const std::vector<std::string>& overrides = {}) {
    return load_config(file, {"cluster", "workload", "policy", "failures"}, overrides);
  }
  static ConfigTree load_text(std::string_view text,
                              const std::vector<std::string>& overrides = {}) {
    write("c.yaml", text);
    return load("c.yaml", overrides);
  }

  // The message of the Error that loading gives; empty if it gives none.
  static std::string failure(const std::string& file,
                             const std::vector<std::string>& overrides = {},
                             ExitStatus status = ExitStatus::kUsageOrConfiguration) {
    try {
      load(file, overrides);
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), status) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      EXPECT_LT(std::string(error.what()).size(), 500u);
      return error.what();
    }
    return "";
  }
  static std::string failure_of_text(std::string_view text,
                                     const std::vector<std::string>& overrides = {}) {
    write("c.yaml", text);
    return failure("c.yaml", overrides);
  }

  // The value at a dotted path; fails the test and gives an empty value where there is none.
  static const ConfigTree& at(const ConfigTree& root, const std::string& path) {
    static const ConfigTree nothing;
    const ConfigTree* tree = &root;
    std::size_t start = 0;
    while (start <= path.size()) {
      const std::size_t end = std::min(path.find('.', start), path.size());
      tree = tree->find(path.substr(start, end - start));
      if (tree == nullptr) {
        ADD_FAILURE() << "no " << path;
        return nothing;
      }
      start = end + 1;
    }
    return *tree;
  }
  static std::string scalar(const ConfigTree& root, const std::string& path) {
    const ConfigTree& value = at(root, path);
    EXPECT_EQ(value.kind, Kind::kScalar) << path;
    return value.scalar;
  }
  static std::string place(const ConfigTree& root, const std::string& path) {
    return at(root, path).where.text();
  }
  static std::vector<std::string> keys(const ConfigTree& map) {
    std::vector<std::string> out;
    for (const ConfigTree::Entry& entry : map.entries) out.push_back(entry.key);
    return out;
  }
};

using Keys = std::vector<std::string>;

// ---- Values and their places.

TEST_F(ConfigTreeTest, KeepsKindsOrderAndPlaces) {
  const ConfigTree root = load_text(
      "# a comment\n"
      "name: x\n"
      "cluster:\n"
      "  nodes: 4\n"
      "  list: [a, {b: c}]\n"
      "zero: ''\n"
      "block:\n"
      "- one\n"
      "- two\n");
  EXPECT_EQ(keys(root), (Keys{"name", "cluster", "zero", "block"}));
  EXPECT_EQ(root.where.text(), "c.yaml:2:1");
  EXPECT_EQ(root.entries[1].where.text(), "c.yaml:3:1");
  EXPECT_EQ(place(root, "name"), "c.yaml:2:7");
  EXPECT_EQ(place(root, "cluster"), "c.yaml:4:3");
  EXPECT_EQ(place(root, "cluster.nodes"), "c.yaml:4:10");
  EXPECT_EQ(scalar(root, "cluster.nodes"), "4");
  const ConfigTree& list = at(root, "cluster.list");
  ASSERT_EQ(list.kind, Kind::kList);
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_EQ(list.items[0].where.text(), "c.yaml:5:10");
  EXPECT_EQ(list.items[1].kind, Kind::kMap);
  EXPECT_EQ(place(list.items[1], "b"), "c.yaml:5:17");
  EXPECT_EQ(scalar(root, "zero"), "");
  EXPECT_EQ(at(root, "block").items.size(), 2u);
  EXPECT_EQ(at(root, "cluster.nodes").base, folder());
}

TEST_F(ConfigTreeTest, KeepsThePathAsItWasGiven) {
  write("configs/tour/a.yaml", "name: x\n");
  EXPECT_EQ(place(load("configs/tour/a.yaml"), "name"), "configs/tour/a.yaml:1:7");
  EXPECT_EQ(place(load("./configs/tour/a.yaml"), "name"), "./configs/tour/a.yaml:1:7");
  const std::string absolute = (folder() / "configs/tour/a.yaml").string();
  EXPECT_EQ(place(load(absolute), "name"), absolute + ":1:7");
  EXPECT_EQ(at(load("configs/tour/a.yaml"), "name").base, folder() / "configs/tour");
}

TEST_F(ConfigTreeTest, NullIsNothingNullOrATilde) {
  const ConfigTree root =
      load_text("a:\nb: ~\nc: null\nd: Null\ne: 'null'\nf: \"~\"\ng: {h: , i: }\n");
  for (const char* key : {"a", "b", "c", "d", "g.h", "g.i"}) {
    EXPECT_EQ(at(root, key).kind, Kind::kNull) << key;
  }
  EXPECT_EQ(scalar(root, "e"), "null");
  EXPECT_EQ(scalar(root, "f"), "~");
  // The value is not there to be pointed at: its key is.
  EXPECT_EQ(place(root, "a"), "c.yaml:1:1");
  EXPECT_EQ(place(root, "g.i"), "c.yaml:7:10");
}

TEST_F(ConfigTreeTest, ReadsQuotesBlocksAndUnicode) {
  const ConfigTree root = load_text(
      "a: 'it''s'\n"
      "b: \"tab\\t nl\\n \\u00e9 \\x41\"\n"
      "c: |\n  two\n  lines\n"
      "d: >-\n  one\n  line\n"
      "\xc3\xa9: \xe6\x97\xa5\xe6\x9c\xac\n"
      "e: plain # comment\n"
      "f: x#y\n");
  EXPECT_EQ(scalar(root, "a"), "it's");
  EXPECT_EQ(scalar(root, "b"), "tab\t nl\n \xc3\xa9 A");
  EXPECT_EQ(scalar(root, "c"), "two\nlines\n");
  EXPECT_EQ(scalar(root, "d"), "one line");
  EXPECT_EQ(scalar(root, "\xc3\xa9"), "\xe6\x97\xa5\xe6\x9c\xac");
  EXPECT_EQ(scalar(root, "e"), "plain");
  EXPECT_EQ(scalar(root, "f"), "x#y");
}

TEST_F(ConfigTreeTest, AcceptsByteOrderMarkCarriageReturnsAndDocumentMarks) {
  EXPECT_EQ(place(load_text("\xef\xbb\xbfname: x\r\nseed: 1\r\n"), "name"), "c.yaml:1:7");
  EXPECT_EQ(scalar(load_text("name: x\r\nseed: 1\r\n"), "seed"), "1");
  EXPECT_EQ(scalar(load_text("%YAML 1.2\n---\nname: x\n...\n"), "name"), "x");
  EXPECT_EQ(scalar(load_text("name: x"), "name"), "x");
  EXPECT_TRUE(load_text("{}").entries.empty());
}

TEST_F(ConfigTreeTest, ExpandsAliasesWithThePlaceOfTheAnchor) {
  const ConfigTree root = load_text("a: &x {n: 1}\nb: *x\nc: [*x, *x]\n");
  EXPECT_EQ(scalar(root, "b.n"), "1");
  EXPECT_EQ(place(root, "b.n"), "c.yaml:1:11");
  EXPECT_EQ(at(root, "c").items.size(), 2u);
  EXPECT_EQ(root.entries[1].where.text(), "c.yaml:2:1");
}

// ---- Text that is refused.

struct Refused {
  const char* text;
  const char* message;
};

TEST_F(ConfigTreeTest, SyntaxErrorsSayWhereAndWhatInPlainWords) {
  const Refused cases[] = {
      {"a: [1, 2\nb: 3\n",
       "c.yaml:1:4: the \"[\" that opens here is not closed; a \",\" or \"]\" is due before line "
       "2, "
       "column 2"},
      {"a: {b: 1\n", "c.yaml:1:4: the \"{\" that opens here is not closed"},
      {"x: 1\na: [[1, 2], [3", "c.yaml:2:13: the \"[\" that opens here is not closed"},
      {"{", "c.yaml:1:1: the \"{\" that opens here is not closed"},
      {"a: 'unclosed", "c.yaml:1:13: the file ends inside a quoted text"},
      {"a: \"unclosed\nb: 2\n", "c.yaml:1:4: the quotes that open here are never closed"},
      {"a: 'it''s\nb: 2\n", "c.yaml:1:4: the quotes that open here are never closed"},
      {"a: &x \"un\\\"closed\nb: 2\n", "c.yaml:1:4: the quotes that open here are never closed"},
      {"a: b: c\n",
       "c.yaml:1:5: a \":\" is not expected here; check the indentation, or quote the text"},
      {"a: 1\n b: 2\n",
       "c.yaml:2:3: a \":\" is not expected here; check the indentation, or quote the text"},
      {"a:\n   b: 1\n  c: 2\n",
       "c.yaml:3:3: this does not continue what stands before it; check the indentation and the "
       "brackets"},
      {"a: [1] b\n",
       "c.yaml:1:8: this does not continue what stands before it; check the indentation and the "
       "brackets"},
      {"a: - b\n",
       "c.yaml:1:4: a \"-\" is not expected here; start a list on a line of its own, in line with "
       "its items"},
      {"a: }\n", "c.yaml:1:4: a \"}\" that matches no \"{\" here"},
      {"a: {b: c}}\n", "c.yaml:1:10: a \"}\" that matches no \"{\" here"},
      {"a: [b}\n", "c.yaml:1:6: a \"}\" that matches no \"{\" here"},
      {"a: @x\n", "c.yaml:1:4: text cannot start with \"@\"; put it in quotes"},
      {"a: `x\n", "c.yaml:1:4: text cannot start with \"`\"; put it in quotes"},
      {"a: %x\n", "c.yaml:1:4: text cannot start with \"%\"; put it in quotes"},
      {"a: \"C:\\quatsch\"\n",
       "c.yaml:1:7: not an escape in double quotes: \\q; write \\\\ for a backslash, or use single "
       "quotes"},
      {"a: \"\\ud800\"\n", "c.yaml:1:11: an escape that is not a character of Unicode"},
      {"a: *nope\n", "c.yaml:1:4: an alias (\"*\") of an anchor that was not given before"},
      {"a: 1\nb\n", "c.yaml:2:1: a \":\" is missing after \"b\""},
      {"a: {b, c: 1}\n", "c.yaml:1:5: a \":\" is missing after \"b\""},
      {"a: &x &y 1\n", "c.yaml:1:7: not valid YAML: cannot assign multiple anchors"},
      {"%YAML 9.9\n---\na: 1\n", "c.yaml:1:1: not valid YAML: YAML major version too large"},
  };
  for (const Refused& c : cases) {
    EXPECT_EQ(failure_of_text(c.text).substr(0, std::string(c.message).size()), c.message)
        << c.text;
  }
}

TEST_F(ConfigTreeTest, TabsThatIndentAreNamed) {
  for (const char* text : {"a:\n\tb: 1\n", "a:\n \tb: 1\n", "a:\n  b: 1\n\tc: 2\n",
                           "a:\n\t- 1\n\t- 2\n", "\ta: 1\n\tb: 2\n"}) {
    const std::string message = failure_of_text(text);
    EXPECT_NE(message.find("a tab indents this line; YAML takes spaces only"), std::string::npos)
        << text << message;
  }
  EXPECT_EQ(failure_of_text("a:\n \tb: 1\n"),
            "c.yaml:2:2: a tab indents this line; YAML takes spaces only");
  EXPECT_EQ(scalar(load_text("a:\tb\t# comment\n"), "a"), "b");
}

TEST_F(ConfigTreeTest, RefusesWhatWouldBeReadOtherwiseThanMeant) {
  const Refused cases[] = {
      {"a: 1\nb: 2\na: 3\n", "c.yaml:3:1: the key \"a\" is given twice; first on line 1, column 1"},
      {"m:\n  'k': 1\n  k: 2\n",
       "c.yaml:3:3: the key \"k\" is given twice; first on line 2, column 3"},
      {"a: [{k: 1, k: 2}]\n",
       "c.yaml:1:12: the key \"k\" is given twice; first on line 1, column 6"},
      {"? [1]\n: 2\n", "c.yaml:1:3: a list cannot be a key"},
      {"a: {{b: c}: d}\n", "c.yaml:1:5: a map cannot be a key"},
      {"~: 1\n", "c.yaml:1:1: a key is missing here, before the \":\""},
      {": 1\n", "c.yaml:1:1: a key is missing here, before the \":\""},
      {"'': 1\n", "c.yaml:1:1: an empty key"},
      {"a: &x b\n*x : 1\n", "c.yaml:2:1: an alias cannot be a key"},
      {"a: &x {n: 1}\nb:\n  <<: *x\n",
       "c.yaml:3:3: merge keys (\"<<\") are not supported; use `extends: FILE` at the top"},
      {"a: !!int 5\n", "c.yaml:1:4: tags are not supported (tag:yaml.org,2002:int)"},
      {"a: !mine {b: 1}\n", "c.yaml:1:4: tags are not supported (!mine)"},
      {"a: &x [1, *x]\n", "c.yaml:1:11: an alias inside the value it stands for"},
      {"a: &x {b: {c: *x}}\n", "c.yaml:1:15: an alias inside the value it stands for"},
      {"a: 1\n---\nb: 2\n",
       "c.yaml:2:1: a second YAML document starts here; one file holds one configuration"},
      {"{a: 1} b\n",
       "c.yaml:1:8: a second YAML document starts here; one file holds one configuration"},
  };
  for (const Refused& c : cases) EXPECT_EQ(failure_of_text(c.text), c.message) << c.text;
  EXPECT_EQ(failure_of_text(std::string(257, 'k') + ": 1\n"),
            "c.yaml:1:1: a key of more than 256 bytes");
  EXPECT_EQ(failure_of_text("? " + std::string(2'000, 'k') + "\n: 1\n"),
            "c.yaml:1:3: a key of more than 256 bytes");
}

TEST_F(ConfigTreeTest, TheTopIsAMap) {
  EXPECT_EQ(failure_of_text(""), "c.yaml: is empty");
  EXPECT_EQ(failure_of_text("# nothing but a comment\n"), "c.yaml: is empty");
  EXPECT_EQ(failure_of_text("---\n"), "c.yaml:1:1: holds no keys");
  EXPECT_EQ(failure_of_text("- a\n- b\n"),
            "c.yaml:1:1: a list at the top, where a map (`key: value` lines) is due");
  EXPECT_EQ(failure_of_text("just words\n"),
            "c.yaml:1:1: \"just words\" at the top, where a map (`key: value` lines) is due");
  EXPECT_EQ(failure_of_text("name:x\n"),
            "c.yaml:1:1: \"name:x\" at the top, where a map (`key: value` lines) is due; a space "
            "belongs after the \":\"");
}

TEST_F(ConfigTreeTest, RefusesBytesThatAreNotText) {
  EXPECT_EQ(failure_of_text(std::string_view("a: 1\nb: \0x\n", 11)),
            "c.yaml:2:4: not a text file: byte 0x00");
  EXPECT_EQ(failure_of_text("a: \x04\nb: 2\n"), "c.yaml:1:4: not a text file: byte 0x04");
  EXPECT_EQ(failure_of_text("\x1f\x8b\x08\x01"), "c.yaml:1:1: not a text file: byte 0x1f");
  EXPECT_EQ(failure_of_text("a: caf\xe9\n"), "c.yaml:1:7: not UTF-8: byte 0xe9");
  EXPECT_EQ(failure_of_text("a: \xc0\xaf\n"), "c.yaml:1:4: not UTF-8: byte 0xc0");      // overlong
  EXPECT_EQ(failure_of_text("a: \xed\xa0\x80\n"), "c.yaml:1:4: not UTF-8: byte 0xed");  // surrogate
  EXPECT_EQ(failure_of_text("a: \xf4\x90\x80\x80"), "c.yaml:1:4: not UTF-8: byte 0xf4");
  EXPECT_EQ(failure_of_text("a: \xe6\x97"), "c.yaml:1:4: not UTF-8: byte 0xe6");  // cut off
  EXPECT_EQ(failure_of_text("\xff\xfe"
                            "a"),
            "c.yaml:1:1: not UTF-8: byte 0xff");  // UTF-16
  EXPECT_EQ(failure_of_text("a: 1\rb: 2\r"),
            "c.yaml:1:5: a carriage return without a line feed; end lines with a line feed");
}

// Every prefix and every single-byte change of a good file is read or refused, never a crash.
TEST_F(ConfigTreeTest, SurvivesDamagedFiles) {
  const std::string good =
      "name: \"q\\u00e9\" # c\ncluster: &a {nodes: 4, l: [1, 'two', *b, ~]}\nx: |\n  y\n? k\n: *a\n"
      "z:\n- - &b 1\n  - >\n   t\n- !t {}\n";
  const auto read = [](const std::string& text) {
    try {
      load_text(text);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  };
  for (std::size_t i = 0; i <= good.size(); ++i) read(good.substr(0, i));
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char c : std::string("\0\t\n\"'#&*-:<>?[]{}|,!%@x", 23)) {
      std::string damaged = good;
      damaged[i] = c;
      read(damaged);
    }
  }
}

// ---- Files that are meant to hurt.

TEST_F(ConfigTreeTest, RefusesDeepNesting) {
  const auto repeat = [](const std::string& text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
  };
  const std::string message = "nested more than 100 levels deep";
  for (const std::string& text :
       {repeat("[", 100'000), repeat("a: [", 100) + "x", repeat("{a: ", 100'000),
        repeat("[{", 50'000), repeat("- ", 100'000), repeat("? ", 100'000),
        "a: " + repeat("[", 100) + repeat("]", 100)}) {
    const std::string got = failure_of_text(text);
    EXPECT_NE(got.find(message), std::string::npos) << text.substr(0, 20) << ": " << got;
  }
  EXPECT_EQ(at(load_text("a: " + repeat("[", 99) + repeat("]", 99)), "a").kind, Kind::kList);
}

TEST_F(ConfigTreeTest, RefusesDeepNestingByAliases) {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 1'000; ++i) {
    const std::string name = "a" + std::to_string(i);
    text += name + ": &" + name + " [*a" + std::to_string(i - 1) + "]\n";
  }
  EXPECT_NE(failure_of_text(text).find("nested more than 100 levels deep"), std::string::npos);
}

TEST_F(ConfigTreeTest, RefusesABillionLaughs) {
  std::string text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + alias;
    for (int j = 1; j < 10; ++j) text += ", " + alias;
    text += "]\n";
  }
  EXPECT_NE(failure_of_text(text).find("more than 100000 values in one file, aliases expanded"),
            std::string::npos);
}

TEST_F(ConfigTreeTest, RefusesFewAliasesOfALongText) {
  std::string text = "a: &a " + std::string(500'000, 'x') + "\nb: [*a";
  for (int i = 0; i < 1'000; ++i) text += ", *a";
  EXPECT_NE(failure_of_text(text + "]\n").find("aliases expanded"), std::string::npos);
}

TEST_F(ConfigTreeTest, RefusesLargeFilesAndManyValues) {
  write("c.yaml", "a: 1\n#" + std::string(std::size_t{1} << 20, 'x'));
  EXPECT_EQ(failure("c.yaml", {}, ExitStatus::kData),
            "cannot read c.yaml: a configuration of more than 1 MiB");
  EXPECT_EQ(failure("/dev/zero", {}, ExitStatus::kData),
            "cannot read /dev/zero: a configuration of more than 1 MiB");
  std::string list = "a: [1";
  for (int i = 0; i < 100'000; ++i) list += ",1";
  EXPECT_NE(failure_of_text(list + "]").find("more than 100000 values"), std::string::npos);
}

TEST_F(ConfigTreeTest, HandlesManyKeysInReasonableTime) {
  std::string text;
  for (int i = 0; i < 90'000; ++i) text += "k" + std::to_string(i) + ": 1\n";
  write("base.yaml", text);
  const auto start = std::chrono::steady_clock::now();
  write("c.yaml", "extends: base.yaml\n" + text);
  EXPECT_EQ(load("c.yaml").entries.size(), 90'000u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

// ---- Files that cannot be read.

TEST_F(ConfigTreeTest, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(failure("absent.yaml", {}, ExitStatus::kData),
            "cannot read absent.yaml: No such file or directory");
  EXPECT_EQ(failure("no/such.yaml", {}, ExitStatus::kData),
            "cannot read no/such.yaml: No such file or directory");
  fs::create_directory("folder.yaml");
  EXPECT_EQ(failure("folder.yaml", {}, ExitStatus::kData),
            "cannot read folder.yaml: Is a directory");
  if (::geteuid() != 0) {
    write("secret.yaml", "a: 1\n");
    ASSERT_EQ(::chmod("secret.yaml", 0), 0);
    EXPECT_EQ(failure("secret.yaml", {}, ExitStatus::kData),
              "cannot read secret.yaml: Permission denied");
  }
}

TEST_F(ConfigTreeTest, APipeThatNobodyWritesDoesNotHang) {
  ASSERT_EQ(::mkfifo("pipe.yaml", 0600), 0);
  EXPECT_EQ(failure("pipe.yaml"), "pipe.yaml: is empty");
}

TEST_F(ConfigTreeTest, AMissingFileIsNamedWithWhereItIsNamed) {
  write("c.yaml", "name: x\nextends: configs/base.yaml\n");
  EXPECT_EQ(failure("c.yaml", {}, ExitStatus::kData),
            "c.yaml:2:10: cannot read configs/base.yaml: No such file or directory");
  write("d/c.yaml", "cluster: seren.yaml\n");
  EXPECT_EQ(failure("d/c.yaml", {}, ExitStatus::kData),
            "d/c.yaml:1:10: cannot read d/seren.yaml: No such file or directory");
  fs::create_directory("d/folder");
  write("d/c.yaml", "policy: folder\n");
  EXPECT_EQ(failure("d/c.yaml", {}, ExitStatus::kData),
            "d/c.yaml:1:9: cannot read d/folder: Is a directory");
}

// ---- extends.

TEST_F(ConfigTreeTest, ExtendsMergesMapsAndReplacesTheRest) {
  write("base.yaml",
        "name: base\n"
        "cluster: {nodes: 1, gpus: 8}\n"
        "list: [1, 2, 3]\n"
        "deep: {a: {b: 1, c: 2}, d: 3}\n"
        "to_scalar: {x: 1}\n"
        "to_map: 5\n"
        "to_null: {x: 1}\n");
  write("c.yaml",
        "extends: base.yaml\n"
        "cluster: {nodes: 2}\n"
        "list: [4]\n"
        "deep: {a: {c: 9}}\n"
        "to_scalar: off\n"
        "to_map: {y: 1}\n"
        "to_null:\n"
        "new: 1\n");
  const ConfigTree root = load("c.yaml");
  EXPECT_EQ(keys(root),
            (Keys{"name", "cluster", "list", "deep", "to_scalar", "to_map", "to_null", "new"}));
  EXPECT_EQ(scalar(root, "name"), "base");
  EXPECT_EQ(scalar(root, "cluster.nodes"), "2");
  EXPECT_EQ(scalar(root, "cluster.gpus"), "8");
  EXPECT_EQ(at(root, "list").items.size(), 1u);
  EXPECT_EQ(scalar(root, "deep.a.b"), "1");
  EXPECT_EQ(scalar(root, "deep.a.c"), "9");
  EXPECT_EQ(scalar(root, "deep.d"), "3");
  EXPECT_EQ(scalar(root, "to_scalar"), "off");
  EXPECT_EQ(scalar(root, "to_map.y"), "1");
  EXPECT_EQ(at(root, "to_null").kind, Kind::kNull);
  EXPECT_EQ(root.find("extends"), nullptr);
}

TEST_F(ConfigTreeTest, MergedValuesKeepTheirPlacesAndFolders) {
  write("shared/base.yaml", "cluster: {nodes: 1,\n  trace: a.csv}\n");
  write("mine/c.yaml", "extends: ../shared/base.yaml\ncluster:\n  nodes: 2\n");
  const ConfigTree root = load("mine/c.yaml");
  EXPECT_EQ(place(root, "cluster.nodes"), "mine/c.yaml:3:10");
  EXPECT_EQ(place(root, "cluster.trace"), "shared/base.yaml:2:10");
  EXPECT_EQ(place(root, "cluster"), "mine/c.yaml:3:3");
  EXPECT_EQ(at(root, "cluster.nodes").base, folder() / "mine");
  EXPECT_EQ(at(root, "cluster.trace").base, folder() / "shared");
}

TEST_F(ConfigTreeTest, ExtendsIsRelativeToTheFileThatNamesIt) {
  write("a/b/c.yaml", "extends: ../m.yaml\nx: 1\n");
  write("a/m.yaml", "extends: n/o.yaml\ny: 2\n");
  write("a/n/o.yaml", "z: 3\nx: 0\n");
  const ConfigTree root = load("a/b/c.yaml");
  EXPECT_EQ(scalar(root, "x"), "1");
  EXPECT_EQ(scalar(root, "y"), "2");
  EXPECT_EQ(place(root, "z"), "a/n/o.yaml:1:4");
  write("abs.yaml", "extends: " + (folder() / "a/n/o.yaml").string() + "\n");
  EXPECT_EQ(place(load("abs.yaml"), "z"), (folder() / "a/n/o.yaml").string() + ":1:4");
}

// "link/.." is the folder around the target of the link, not the one around the link.
TEST_F(ConfigTreeTest, FollowsSymbolicLinksAsTheSystemDoes) {
  write("far/away/base.yaml", "x: here\n");
  write("far/base.yaml", "x: there\n");
  write("base.yaml", "x: wrong\n");
  fs::create_directory_symlink("far/away", "link");
  write("c.yaml", "extends: link/../base.yaml\n");
  EXPECT_EQ(scalar(load("c.yaml"), "x"), "there");
  EXPECT_EQ(place(load("c.yaml"), "x"), "link/../base.yaml:1:4");
}

TEST_F(ConfigTreeTest, ACycleOfExtendsPrintsTheChain) {
  write("c.yaml", "extends: c.yaml\n");
  EXPECT_EQ(failure("c.yaml"),
            "c.yaml:1:10: configurations that extend each other: c.yaml -> c.yaml");
  write("a.yaml", "name: x\nextends: d/b.yaml\n");
  write("d/b.yaml", "extends: ../e.yaml\n");
  write("e.yaml", "extends: ./d/../a.yaml\n");
  EXPECT_EQ(failure("a.yaml"),
            "e.yaml:1:10: configurations that extend each other: a.yaml -> d/b.yaml -> e.yaml -> "
            "a.yaml");
  // Also from outside the circle, and through another name of the same file.
  write("start.yaml", "extends: hard.yaml\n");
  fs::create_hard_link("c.yaml", "hard.yaml");
  EXPECT_EQ(failure("start.yaml"),
            "hard.yaml:1:10: configurations that extend each other: hard.yaml -> c.yaml");
  write("cluster.yaml", "extends: cluster.yaml\n");
  write("s.yaml", "cluster: cluster.yaml\n");
  EXPECT_EQ(failure("s.yaml"),
            "cluster.yaml:1:10: configurations that extend each other: cluster.yaml -> "
            "cluster.yaml");
}

TEST_F(ConfigTreeTest, TheSameFileTwiceIsNoCycle) {
  write("base.yaml", "nodes: 4\n");
  write("c.yaml", "cluster: base.yaml\npolicy: base.yaml\n");
  EXPECT_EQ(scalar(load("c.yaml"), "policy.nodes"), "4");
}

TEST_F(ConfigTreeTest, AChainOfExtendsHasABound) {
  for (int i = 0; i < 40; ++i) {
    write("f" + std::to_string(i) + ".yaml", "extends: f" + std::to_string(i + 1) + ".yaml\n");
  }
  write("f40.yaml", "x: 1\n");
  EXPECT_EQ(scalar(load("f9.yaml"), "x"), "1");  // f9 to f40: 32 files
  EXPECT_EQ(failure("f8.yaml"),
            "f39.yaml:1:10: more than 32 configurations that extend each other");
}

TEST_F(ConfigTreeTest, ExtendsTakesAPath) {
  EXPECT_EQ(failure_of_text("extends: [a.yaml]\n"),
            "c.yaml:1:10: extends: found a list; expected the path of a YAML file");
  EXPECT_EQ(failure_of_text("x: 1\nextends:\n"),
            "c.yaml:2:1: extends: found nothing; expected the path of a YAML file");
  EXPECT_EQ(failure_of_text("extends: ''\n"),
            "c.yaml:1:10: extends: found \"\"; expected the path of a YAML file");
  EXPECT_EQ(failure_of_text("extends: \"a\\0b\"\n"), "c.yaml:1:10: \"a\\x00b\" is not a path");
  // Only at the top: further in it is a key like any other.
  EXPECT_EQ(scalar(load_text("cluster: {extends: x}\n"), "cluster.extends"), "x");
}

TEST_F(ConfigTreeTest, FaultsInAnExtendedFileAreToldThere) {
  write("base.yaml", "x: 1\nx: 2\n");
  EXPECT_EQ(failure_of_text("extends: base.yaml\n"),
            "base.yaml:2:1: the key \"x\" is given twice; first on line 1, column 1");
  write("base.yaml", "- 1\n");
  EXPECT_EQ(failure_of_text("extends: base.yaml\n"),
            "base.yaml:1:1: a list at the top, where a map (`key: value` lines) is due");
}

// ---- Sections in files.

TEST_F(ConfigTreeTest, ASectionGivenAsAStringIsRead) {
  write("configs/c.yaml", "cluster: clusters/seren.yaml\nplacement: packed\nfailures: none\n");
  write("configs/clusters/seren.yaml", "extends: common.yaml\nnodes: 286\n");
  write("configs/clusters/common.yaml", "nodes: 1\ngpus_per_node: 8\n");
  const ConfigTree root = load("configs/c.yaml");
  EXPECT_EQ(scalar(root, "cluster.nodes"), "286");
  EXPECT_EQ(place(root, "cluster.nodes"), "configs/clusters/seren.yaml:2:8");
  EXPECT_EQ(place(root, "cluster.gpus_per_node"), "configs/clusters/common.yaml:2:16");
  EXPECT_EQ(at(root, "cluster").base, folder() / "configs/clusters");
  EXPECT_EQ(scalar(root, "placement"), "packed");  // not one of the sections
  EXPECT_EQ(scalar(root, "failures"), "none");
  EXPECT_EQ(root.entries[0].where.text(), "configs/c.yaml:1:1");
}

TEST_F(ConfigTreeTest, ASectionFileNamesNoFurtherSections) {
  write("c.yaml", "cluster: s.yaml\n");
  write("s.yaml", "policy: p.yaml\n");
  EXPECT_EQ(scalar(load("c.yaml"), "cluster.policy"), "p.yaml");
}

TEST_F(ConfigTreeTest, SectionsAreReadBeforeTheyMerge) {
  write("kalos.yaml", "nodes: 302\ngpus: 8\n");
  write("seren.yaml", "nodes: 286\n");
  write("by_file.yaml", "cluster: kalos.yaml\n");
  write("by_map.yaml", "cluster: {nodes: 1, gpus: 4}\n");

  write("c.yaml", "extends: by_file.yaml\ncluster: {nodes: 4}\n");
  EXPECT_EQ(scalar(load("c.yaml"), "cluster.nodes"), "4");
  EXPECT_EQ(scalar(load("c.yaml"), "cluster.gpus"), "8");

  // A string replaces wholly, whatever was there.
  for (const char* base : {"by_file.yaml", "by_map.yaml"}) {
    write("c.yaml", std::string("extends: ") + base + "\ncluster: seren.yaml\n");
    const ConfigTree root = load("c.yaml");
    EXPECT_EQ(keys(at(root, "cluster")), Keys{"nodes"});
    EXPECT_EQ(scalar(root, "cluster.nodes"), "286");
  }
  write("c.yaml", "extends: by_map.yaml\ncluster: none\n");
  EXPECT_EQ(scalar(load("c.yaml"), "cluster"), "none");
}

TEST_F(ConfigTreeTest, ASectionGivenAsAnEmptyStringIsRefused) {
  EXPECT_EQ(failure_of_text("cluster: ''\n"),
            "c.yaml:1:10: found \"\"; expected a map or the path of a YAML file");
}

TEST_F(ConfigTreeTest, ASectionWithTightColonsIsNotTakenForAPath) {
  EXPECT_EQ(failure_of_text("cluster:\n  nodes:2\n  gpus:8\n"),
            "c.yaml:2:3: found \"nodes:2 gpus:8\"; expected a map or the path of a YAML file; a "
            "space belongs after the \":\"");
  write("a:b.yaml", "nodes: 4\n");
  EXPECT_EQ(scalar(load_text("cluster: a:b.yaml\n"), "cluster.nodes"), "4");
}

// ---- Overrides.

TEST_F(ConfigTreeTest, AnOverrideReplacesAndCreates) {
  const ConfigTree root = load_text("policy: {order: fifo, quotas: {a: 1}}\n",
                                    {"policy.order=sjf", "cluster.a.b.c=5", "policy.quotas={}",
                                     "l=[1, two]", "e=null", "name=a=b", "q='x: y'"});
  EXPECT_EQ(scalar(root, "policy.order"), "sjf");
  EXPECT_EQ(scalar(root, "cluster.a.b.c"), "5");
  EXPECT_EQ(at(root, "policy.quotas").kind, Kind::kMap);
  EXPECT_TRUE(at(root, "policy.quotas").entries.empty());
  EXPECT_EQ(at(root, "l").items.size(), 2u);
  EXPECT_EQ(at(root, "e").kind, Kind::kNull);
  EXPECT_EQ(scalar(root, "name"), "a=b");
  EXPECT_EQ(scalar(root, "q"), "x: y");
  EXPECT_EQ(place(root, "policy.order"), "--set policy.order=sjf");
  EXPECT_EQ(place(root, "cluster.a"), "--set cluster.a.b.c=5");
  EXPECT_EQ(at(root, "l").items[1].where.text(), "--set l=[1, two]");
  EXPECT_EQ(at(root, "policy").entries[0].where.text(), "--set policy.order=sjf");
  EXPECT_EQ(place(root, "policy"), "c.yaml:1:9");
}

TEST_F(ConfigTreeTest, TheLastOverrideHolds) {
  const ConfigTree root = load_text("a: {b: 1}\n", {"a.b=2", "a.b=3", "a={c: 4}", "a.d=5"});
  EXPECT_EQ(keys(at(root, "a")), (Keys{"c", "d"}));
}

TEST_F(ConfigTreeTest, AnOverrideGoesThroughNull) {
  EXPECT_EQ(scalar(load_text("a:\n", {"a.b=2"}), "a.b"), "2");
}

TEST_F(ConfigTreeTest, PathsInOverridesAreMeantFromTheWorkingDirectory) {
  write("d/c.yaml", "workload: {path: a.csv}\n");
  const ConfigTree root = load("d/c.yaml", {"workload.path=b.csv"});
  EXPECT_EQ(at(root, "workload.path").base, folder());
  EXPECT_EQ(at(root, "workload").base, folder() / "d");
}

TEST_F(ConfigTreeTest, AnOverrideMayNameASectionFile) {
  write("d/c.yaml", "cluster: {nodes: 1, gpus: 4}\n");
  write("clusters/kalos.yaml", "nodes: 302\n");
  const ConfigTree root = load("d/c.yaml", {"cluster=clusters/kalos.yaml", "cluster.x=1"});
  EXPECT_EQ(keys(at(root, "cluster")), (Keys{"nodes", "x"}));
  EXPECT_EQ(place(root, "cluster.nodes"), "clusters/kalos.yaml:1:8");
  EXPECT_EQ(scalar(load("d/c.yaml", {"cluster=none"}), "cluster"), "none");
  EXPECT_EQ(failure("d/c.yaml", {"cluster=absent.yaml"}, ExitStatus::kData),
            "--set cluster=absent.yaml: cannot read absent.yaml: No such file or directory");
}

TEST_F(ConfigTreeTest, OverridesOfNoSenseAreQuoted) {
  const std::string text = "a: {b: 1, l: [1]}\nfailures: none\n";
  const auto fails = [&](const std::string& override_text) {
    return failure_of_text(text, {override_text});
  };
  EXPECT_EQ(fails("seed"), "--set seed: a \"=\" is missing; write --set KEY=VALUE");
  EXPECT_EQ(fails(""), "--set : a \"=\" is missing; write --set KEY=VALUE");
  EXPECT_EQ(fails("=1"), "--set =1: the key is empty; write --set KEY=VALUE");
  for (const char* key : {".a", "a.", "a..b", "."}) {
    EXPECT_EQ(
        fails(std::string(key) + "=1"),
        std::string("--set ") + key + "=1: a part of the key is empty; write it like policy.order");
  }
  EXPECT_EQ(fails("a.b.c=1"), "--set a.b.c=1: a.b is \"1\" (c.yaml:1:8), so it has no keys to set");
  EXPECT_EQ(fails("a.l.0=1"),
            "--set a.l.0=1: a.l is a list (c.yaml:1:14), so it has no keys to set");
  EXPECT_EQ(
      fails("failures.mtbf=20d"),
      "--set failures.mtbf=20d: failures is \"none\" (c.yaml:2:11), so it has no keys to set");
  EXPECT_EQ(fails("a=[1"), "--set a=[1: the \"[\" that opens here is not closed");
  EXPECT_EQ(fails("a={x: 1, x: 2}"), "--set a={x: 1, x: 2}: the key \"x\" is given twice");
  EXPECT_EQ(fails("a=1\n--- 2"),
            "--set a=1\\n--- 2: a second YAML document starts here; one file holds one "
            "configuration");
  EXPECT_EQ(fails("extends=b.yaml"), "--set extends=b.yaml: extends can be set in a file only");
  EXPECT_EQ(fails("a=caf\xe9"), "--set a=caf\\xe9: not UTF-8: byte 0xe9");
  std::string deep = "a";
  for (int i = 0; i < 100'000; ++i) deep += ".a";
  EXPECT_NE(fails(deep + "=1").find("a key of more than 100 parts"), std::string::npos);
  EXPECT_NE(fails("a=" + std::string(100'000, '[')).find("nested more than 100 levels deep"),
            std::string::npos);
}

}  // namespace
}  // namespace berth
