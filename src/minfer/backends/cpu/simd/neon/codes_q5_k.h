// The codes and scales of a block of Q5_K: see matmul_blocks256.h.
#pragma once

#include "backends/cpu/simd/neon/k_nibbles.h"
#include "backends/cpu/simd/neon/k_scales.h"
#include "quant/q5_k.h"

namespace minfer {
namespace {

struct CodesQ5_K {
  using Block = BlockQ5_K;
  static constexpr int kSubs = 8;
  static constexpr bool kHasMin = true;

  static void load(const std::uint8_t* block, int8x16_t q[16]) {
    uint8x16_t codes[16];
    load_k_nibbles(block + offsetof(Block, qs), codes);
    const uint8x16_t fifth[2] = {vld1q_u8(block + offsetof(Block, qh)),
                                 vld1q_u8(block + offsetof(Block, qh) + 16)};
    // Bit g of a byte belongs to group g.
    for (int i = 0; i < 16; ++i) q[i] = plain(or_masked(codes[i], shift(fifth[i % 2], 4 - i / 2), 16));
  }

  static void load_scales(const std::uint8_t* block, SubScales<8>& s) {
    load_k_scales(block + offsetof(Block, scales), s);
  }
};

}  // namespace
}  // namespace minfer
