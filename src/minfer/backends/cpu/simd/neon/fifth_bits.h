// What Q5_0 and Q5_1 share: the fifth bits of 32 codes, kept apart from their nibbles.
#pragma once

#include "backends/cpu/simd/neon/matmul_words.h"

namespace minfer {
namespace {

// Bit j of the 32 bits at `high` is the fifth bit of code j.
inline uint8x16_t spread_fifth_bits(const std::uint8_t* high) {
  const uint8x16_t bytes = vcombine_u8(vdup_n_u8(high[0]), vdup_n_u8(high[1]));
  const uint8x16_t bit_of_lane = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u));
  return vandq_u8(vtstq_u8(bytes, bit_of_lane), vdupq_n_u8(16));
}

inline void load_5_bits(const std::uint8_t* nibbles, const std::uint8_t* high, uint8x16_t codes[2]) {
  const uint8x16_t packed = vld1q_u8(nibbles);
  codes[0] = vorrq_u8(low_nibbles(packed), spread_fifth_bits(high));
  codes[1] = vorrq_u8(high_nibbles(packed), spread_fifth_bits(high + 2));
}

}  // namespace
}  // namespace minfer
