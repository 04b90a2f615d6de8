// What Q2_K and Q3_K share: codes of two bits, four groups of 32 values in the same 32 bytes.
#pragma once

#include "backends/cpu/simd/neon/matmul_words.h"

namespace minfer {
namespace {

// Of value 128h + 32s + l: bits 2s, 2s + 1 of byte 32h + l.
inline void load_2_bits(const std::uint8_t* packed, uint8x16_t codes[16]) {
  for (int h = 0; h < 2; ++h)
    for (int part = 0; part < 2; ++part) {
      const uint8x16_t bytes = vld1q_u8(packed + 32 * h + 16 * part);
      for (int s = 0; s < 4; ++s) codes[8 * h + 2 * s + part] = vandq_u8(shift(bytes, -2 * s), vdupq_n_u8(3));
    }
}

}  // namespace
}  // namespace minfer
