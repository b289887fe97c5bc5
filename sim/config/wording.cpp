#include "sim/config/wording.hpp"

#include <cstddef>

namespace berth {
namespace {

unsigned char byte(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// The length of the UTF-8 sequence at `at`; 0 if there is none. Overlong forms, surrogates and
// values beyond U+10FFFF are none (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const unsigned char lead = byte(text, at);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xbf;
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
  }
  if (length == 0 || text.size() - at < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned char next = byte(text, at + i);
    if (next < (i == 1 ? low : 0x80) || next > (i == 1 ? high : 0xbf)) return 0;
  }
  return length;
}

void append_escaped(std::string& out, unsigned char c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\x";
      out += "0123456789abcdef"[c >> 4u];
      out += "0123456789abcdef"[c & 15u];
  }
}

}  // namespace

std::size_t valid_utf8_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) break;
    at += length;
  }
  return at;
}

std::string printable(std::string_view text, std::size_t longest) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    if (out.size() >= longest) return out + "...";
    const std::size_t length = sequence_length(text, at);
    const unsigned char c = byte(text, at);
    // 0xc2 leads the second block of control characters, U+0080 to U+009F.
    const bool control =
        c < 0x20 || c == 0x7f || (c == 0xc2 && length == 2 && byte(text, at + 1) < 0xa0);
    if (length == 0 || control) {
      append_escaped(out, c);
      if (length == 2) append_escaped(out, byte(text, at + 1));
      at += length == 2 ? 2 : 1;
    } else {
      out += text.substr(at, length);
      at += length;
    }
  }
  return out;
}

std::string in_quotes(std::string_view text) { return '"' + printable(text) + '"'; }

std::string what_it_is(const ConfigTree& value) {
  switch (value.kind) {
    case ConfigTree::Kind::kNull:
      return "nothing";
    case ConfigTree::Kind::kScalar:
      return in_quotes(value.scalar);
    case ConfigTree::Kind::kList:
      return "a list";
    case ConfigTree::Kind::kMap:
      break;
  }
  return "a map";
}

std::string_view tight_colon_hint(std::string_view scalar) {
  return scalar.find(':') == std::string_view::npos ? "" : "; a space belongs after the \":\"";
}

}  // namespace berth
