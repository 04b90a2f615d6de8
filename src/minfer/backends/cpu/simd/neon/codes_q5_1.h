// The codes of a block of Q5_1: see matmul_blocks32.h.
#pragma once

#include "backends/cpu/simd/neon/fifth_bits.h"
#include "quant/q5_1.h"

namespace minfer {
namespace {

struct CodesQ5_1 {
  using Block = BlockQ5_1;
  static constexpr bool kHasMin = true;

  static void load(const std::uint8_t* block, int8x16_t q[2]) {
    uint8x16_t codes[2];
    load_5_bits(block + offsetof(Block, qs), block + offsetof(Block, qh), codes);
    q[0] = plain(codes[0]);
    q[1] = plain(codes[1]);
  }
};

}  // namespace
}  // namespace minfer
