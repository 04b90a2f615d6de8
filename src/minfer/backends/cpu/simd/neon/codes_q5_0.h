// The codes of a block of Q5_0: see matmul_blocks32.h.
#pragma once

#include "backends/cpu/simd/neon/fifth_bits.h"
#include "quant/q5_0.h"

namespace minfer {
namespace {

struct CodesQ5_0 {
  using Block = BlockQ5_0;
  static constexpr bool kHasMin = false;

  static void load(const std::uint8_t* block, int8x16_t q[2]) {
    uint8x16_t codes[2];
    load_5_bits(block + offsetof(Block, qs), block + offsetof(Block, qh), codes);
    q[0] = centered(codes[0], 16);
    q[1] = centered(codes[1], 16);
  }
};

}  // namespace
}  // namespace minfer
