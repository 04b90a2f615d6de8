// The codes of a block of Q4_0: see matmul_blocks32.h.
#pragma once

#include "backends/cpu/simd/neon/matmul_words.h"
#include "quant/q4_0.h"

namespace minfer {
namespace {

struct CodesQ4_0 {
  using Block = BlockQ4_0;
  static constexpr bool kHasMin = false;

  static void load(const std::uint8_t* block, int8x16_t q[2]) {
    const uint8x16_t packed = vld1q_u8(block + offsetof(Block, qs));
    q[0] = centered(low_nibbles(packed), 8);
    q[1] = centered(high_nibbles(packed), 8);
  }
};

}  // namespace
}  // namespace minfer
