// The codes of a block of Q4_1: see matmul_blocks32.h.
#pragma once

#include "backends/cpu/simd/neon/matmul_words.h"
#include "quant/q4_1.h"

namespace minfer {
namespace {

struct CodesQ4_1 {
  using Block = BlockQ4_1;
  static constexpr bool kHasMin = true;

  static void load(const std::uint8_t* block, int8x16_t q[2]) {
    const uint8x16_t packed = vld1q_u8(block + offsetof(Block, qs));
    q[0] = plain(low_nibbles(packed));
    q[1] = plain(high_nibbles(packed));
  }
};

}  // namespace
}  // namespace minfer
