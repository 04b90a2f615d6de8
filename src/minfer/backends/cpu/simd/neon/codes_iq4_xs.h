// The codes and scales of a block of IQ4_XS: see matmul_blocks256.h.
#pragma once

#include "backends/cpu/simd/neon/iq4_values.h"
#include "backends/cpu/simd/neon/k_scales.h"
#include "quant/iq4_xs.h"

namespace minfer {
namespace {

struct CodesIQ4_XS {
  using Block = BlockIQ4_XS;
  static constexpr int kSubs = 8;
  static constexpr bool kHasMin = false;

  static void load(const std::uint8_t* block, int8x16_t q[16]) {
    for (int g = 0; g < 8; ++g) look_up_nibbles(block + offsetof(Block, qs) + 16 * g, q + 2 * g);
  }

  static void load_scales(const std::uint8_t* block, SubScales<8>& s) {
    std::uint16_t high;
    std::uint32_t low;
    std::memcpy(&high, block + offsetof(Block, scales_h), sizeof(high));
    std::memcpy(&low, block + offsetof(Block, scales_l), sizeof(low));
    constexpr std::int16_t kShifts[8] = {0, -2, -4, -6, -8, -10, -12, -14};
    const uint16x8_t top = vandq_u16(vshlq_u16(vdupq_n_u16(high), vld1q_s16(kShifts)), vdupq_n_u16(3));
    const uint8x8_t even = bytes_of(low & 0x0f0f0f0f, 0);
    const uint8x8_t odd = bytes_of(low >> 4 & 0x0f0f0f0f, 0);
    const uint16x8_t scale = vorrq_u16(vmovl_u8(vzip1_u8(even, odd)), vshlq_n_u16(top, 4));
    s.scales[0] = vsubq_s16(vreinterpretq_s16_u16(scale), vdupq_n_s16(32));
  }
};

}  // namespace
}  // namespace minfer
