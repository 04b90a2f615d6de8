// A block of Q5_0 as columns of codes: see gemm_blocks32.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_words.h"
#include "backends/cpu/simd/avx512/matmul_fifth_bits.h"
#include "quant/q5_0.h"

namespace minfer {
namespace {

struct CodesQ5_0 {
  using Block = BlockQ5_0;
  static constexpr Codes kCodes = Codes::kSigned;
  static constexpr bool kHasMin = false;

  static void load(const BlockRows& rows, const __m512i head[4], __m512i q[8]) {  // qh: bytes 2 to 5
    unpack_nibbles(rows, offsetof(Block, qs), q);
    add_fifth_bits(_mm512_or_si512(_mm512_srli_epi32(head[0], 16), _mm512_slli_epi32(head[1], 16)), q);
    subtract(q, 8, 16);
  }
};

}  // namespace
}  // namespace minfer
