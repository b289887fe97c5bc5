// A running 64-bit fingerprint over integers (FNV-1a over words): two runs with the same digest
// made the same decisions. Not cryptographic.
#pragma once

#include <cstdint>
#include <string>

namespace berth {

class Digest {
 public:
  void add(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x100000001b3u + (hash_ >> 32u); }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

// Sixteen lower-case hexadecimal digits.
inline std::string hex(std::uint64_t value) {
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4u) out[i] = "0123456789abcdef"[value & 15u];
  return out;
}

}  // namespace berth
