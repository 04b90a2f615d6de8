// What Q2_K and Q3_K share: codes of two bits, four groups of 32 values in the same 32 bytes.
#pragma once

#include "backends/cpu/simd/scalar/matmul_words.h"

namespace minfer {
namespace {

// Of value 128h + 32s + l: bits 2s, 2s + 1 of byte 32h + l.
inline void unpack_two_bits(const std::uint8_t packed[64], std::int8_t codes[256]) {
  for (int j = 0; j < 256; ++j)
    codes[j] = static_cast<std::int8_t>((packed[j / 128 * 32 + j % 32] >> (j % 128 / 32 * 2)) & 3);
}

}  // namespace
}  // namespace minfer
