// A block of Q5_K as columns of codes: see gemm_blocks256.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_k_affine.h"
#include "quant/q5_k.h"

namespace minfer {
namespace {

struct CodesQ5_K {
  using Block = BlockQ5_K;
  static constexpr Codes kCodes = Codes::kUnsigned;
  static constexpr bool kHasMin = true;
  static constexpr int kSubs = 8;

  static void load(const BlockRows& rows, __m512i q[64]) {
    unpack_k_nibbles(rows, offsetof(Block, qs), q);
    __m512i high[8];
    load_columns(rows, offsetof(Block, qh), high);
    load_columns(rows, offsetof(Block, qh) + 16, high + 4);
    for (unsigned s = 0; s < 8; ++s) {
      for (unsigned c = 0; c < 8; ++c) {
        const __m512i bit = _mm512_and_si512(_mm512_srli_epi16(high[c], s), _mm512_set1_epi8(1));
        q[8 * s + c] = _mm512_or_si512(q[8 * s + c], _mm512_slli_epi16(bit, 4));
      }
    }
  }
  static void load_scales(const BlockRows& rows, KScales<8>& scales) { unpack_k_scales(rows, scales); }
};

}  // namespace
}  // namespace minfer
