// The integer product of the types with blocks of 32 codes. A Codes32 type has
//   Block                      the packed struct of quant/, which begins with its scale d
//   kHasMin                    whether a minimum m follows it
//   void load(const std::uint8_t* block, int8x16_t q[2])
#pragma once

#include "backends/cpu/simd/neon/matmul_words.h"

namespace minfer {
namespace {

template <class Codes32>
struct Format32 {
  using Block = typename Codes32::Block;
  static constexpr std::size_t kGroup = 32;

  template <int kTokens>
  static inline void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens],
                               Lanes (&acc)[kTokens]) {
    int32x4_t sums[kTokens][kRows];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      int8x16_t q[2];
      Codes32::load(rows.row[r], q);
#pragma GCC unroll 4
      for (int t = 0; t < kTokens; ++t) {
        const int32x4_t low = add_dot(vdupq_n_s32(0), q[0], vld1q_s8(x[t].q));
        sums[t][r] = add_dot(low, q[1], vld1q_s8(x[t].q + 16));
      }
    }
    const float32x4_t d = load_halves(rows, offsetof(Block, d));
#pragma GCC unroll 4
    for (int t = 0; t < kTokens; ++t) {
      acc[t] = add_scaled(acc[t], d, x[t].d, add_across(sums[t]));
      if constexpr (Codes32::kHasMin)
        acc[t] = add_scaled(acc[t], load_halves(rows, offsetof(Block, m)), x[t].d, vdupq_n_s32(x[t].sums[0]));
    }
  }
};

}  // namespace
}  // namespace minfer
