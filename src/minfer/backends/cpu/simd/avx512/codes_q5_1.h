// A block of Q5_1 as columns of codes: see gemm_blocks32.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_words.h"
#include "backends/cpu/simd/avx512/matmul_fifth_bits.h"
#include "quant/q5_1.h"

namespace minfer {
namespace {

struct CodesQ5_1 {
  using Block = BlockQ5_1;
  static constexpr Codes kCodes = Codes::kUnsigned;
  static constexpr bool kHasMin = true;

  static void load(const BlockRows& rows, const __m512i head[4], __m512i q[8]) {
    unpack_nibbles(rows, offsetof(Block, qs), q);
    add_fifth_bits(head[1], q);
  }
};

}  // namespace
}  // namespace minfer
