// What Q4_K and Q5_K share: 32 bytes hold a group of codes in their low nibbles and the next one in the high ones.
#pragma once

#include "backends/cpu/simd/neon/matmul_words.h"

namespace minfer {
namespace {

inline void load_k_nibbles(const std::uint8_t* packed, uint8x16_t codes[16]) {
  for (int pair = 0; pair < 4; ++pair)
    for (int half = 0; half < 2; ++half) {
      const uint8x16_t bytes = vld1q_u8(packed + 32 * pair + 16 * half);
      codes[4 * pair + half] = low_nibbles(bytes);
      codes[4 * pair + 2 + half] = high_nibbles(bytes);
    }
}

}  // namespace
}  // namespace minfer
