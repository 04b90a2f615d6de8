// The codes and scales of a block of Q2_K: see matmul_blocks256.h.
#pragma once

#include "backends/cpu/simd/neon/k_scales.h"
#include "backends/cpu/simd/neon/two_bits.h"
#include "quant/q2_k.h"

namespace minfer {
namespace {

struct CodesQ2_K {
  using Block = BlockQ2_K;
  static constexpr int kSubs = 16;
  static constexpr bool kHasMin = true;

  static void load(const std::uint8_t* block, int8x16_t q[16]) {
    uint8x16_t codes[16];
    load_2_bits(block + offsetof(Block, qs), codes);
    for (int i = 0; i < 16; ++i) q[i] = plain(codes[i]);
  }

  static void load_scales(const std::uint8_t* block, SubScales<16>& s) {
    const uint8x16_t packed = vld1q_u8(block + offsetof(Block, scales));
    const uint8x16_t scales = low_nibbles(packed);
    const uint8x16_t mins = high_nibbles(packed);
    s.scales[0] = widen(vget_low_u8(scales));
    s.scales[1] = widen(vget_high_u8(scales));
    s.mins[0] = widen(vget_low_u8(mins));
    s.mins[1] = widen(vget_high_u8(mins));
  }
};

}  // namespace
}  // namespace minfer
