// The codes and scales of a block of Q6_K: see matmul_blocks256.h.
#pragma once

#include "backends/cpu/simd/neon/k_scales.h"
#include "quant/q6_k.h"

namespace minfer {
namespace {

struct CodesQ6_K {
  using Block = BlockQ6_K;
  static constexpr int kSubs = 16;
  static constexpr bool kHasMin = false;

  static void load(const std::uint8_t* block, int8x16_t q[16]) {
    for (int half = 0; half < 2; ++half)
      for (int part = 0; part < 2; ++part) load_part(block, half, part, q + 8 * half + part);
  }

  // The codes 16 * part .. 16 * part + 15 of each of the four runs of 32 in a half of the block.
  static void load_part(const std::uint8_t* block, int half, int part, int8x16_t* q) {
    const std::uint8_t* ql = block + offsetof(Block, ql) + 64 * half + 16 * part;
    const uint8x16_t low = vld1q_u8(ql);
    const uint8x16_t low_next = vld1q_u8(ql + 32);
    const uint8x16_t high = vld1q_u8(block + offsetof(Block, qh) + 32 * half + 16 * part);
    q[0] = centered(or_masked(low_nibbles(low), shift(high, 4), 0x30), 32);
    q[2] = centered(or_masked(low_nibbles(low_next), shift(high, 2), 0x30), 32);
    q[4] = centered(or_masked(high_nibbles(low), high, 0x30), 32);
    q[6] = centered(or_masked(high_nibbles(low_next), shift(high, -2), 0x30), 32);
  }

  static void load_scales(const std::uint8_t* block, SubScales<16>& s) {
    const int8x16_t scales = vld1q_s8(reinterpret_cast<const std::int8_t*>(block + offsetof(Block, scales)));
    s.scales[0] = vmovl_s8(vget_low_s8(scales));
    s.scales[1] = vmovl_high_s8(scales);
  }
};

}  // namespace
}  // namespace minfer
