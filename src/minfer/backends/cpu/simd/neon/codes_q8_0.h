// The codes of a block of Q8_0: see matmul_blocks32.h.
#pragma once

#include "backends/cpu/simd/neon/matmul_words.h"
#include "quant/q8_0.h"

namespace minfer {
namespace {

struct CodesQ8_0 {
  using Block = BlockQ8_0;
  static constexpr bool kHasMin = false;

  static void load(const std::uint8_t* block, int8x16_t q[2]) {
    const auto* codes = reinterpret_cast<const std::int8_t*>(block + offsetof(Block, qs));
    q[0] = vld1q_s8(codes);
    q[1] = vld1q_s8(codes + 16);
  }
};

}  // namespace
}  // namespace minfer
