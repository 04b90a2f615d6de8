// How the 32-value formats store codes of 4 and 5 bits: byte j of qs holds the low four bits of code j (low
// nibble) and of code j + 16 (high nibble); bit j of qh is the fifth bit of code j.
#pragma once

#include <cstdint>

namespace minfer {

static inline void pack_nibbles(const std::uint8_t codes[32], std::uint8_t qs[16]) {
  for (int j = 0; j < 16; ++j) qs[j] = static_cast<std::uint8_t>((codes[j] & 15) | (codes[j + 16] & 15) << 4);
}

static inline void unpack_nibbles(const std::uint8_t qs[16], std::uint8_t codes[32]) {
  for (int j = 0; j < 16; ++j) {
    codes[j] = qs[j] & 15;
    codes[j + 16] = qs[j] >> 4;
  }
}

static inline void pack_fifth_bits(const std::uint8_t codes[32], std::uint8_t qh[4]) {
  for (int i = 0; i < 4; ++i) {
    unsigned byte = 0;
    for (int bit = 0; bit < 8; ++bit) byte |= ((codes[8 * i + bit] >> 4) & 1u) << bit;
    qh[i] = static_cast<std::uint8_t>(byte);
  }
}

static inline void unpack_fifth_bits(const std::uint8_t qh[4], std::uint8_t codes[32]) {
  for (int j = 0; j < 32; ++j) codes[j] |= static_cast<std::uint8_t>(((qh[j / 8] >> (j % 8)) & 1) << 4);
}

}  // namespace minfer
