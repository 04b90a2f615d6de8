// The codes and scales of a block of Q4_K: see matmul_blocks256.h.
#pragma once

#include "backends/cpu/simd/neon/k_nibbles.h"
#include "backends/cpu/simd/neon/k_scales.h"
#include "quant/q4_k.h"

namespace minfer {
namespace {

struct CodesQ4_K {
  using Block = BlockQ4_K;
  static constexpr int kSubs = 8;
  static constexpr bool kHasMin = true;

  static void load(const std::uint8_t* block, int8x16_t q[16]) {
    uint8x16_t codes[16];
    load_k_nibbles(block + offsetof(Block, qs), codes);
    for (int i = 0; i < 16; ++i) q[i] = plain(codes[i]);
  }

  static void load_scales(const std::uint8_t* block, SubScales<8>& s) {
    load_k_scales(block + offsetof(Block, scales), s);
  }
};

}  // namespace
}  // namespace minfer
