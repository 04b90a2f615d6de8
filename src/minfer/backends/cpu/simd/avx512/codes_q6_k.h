// A block of Q6_K as columns of codes: see gemm_blocks256.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_k_scales.h"
#include "quant/q6_k.h"

namespace minfer {
namespace {

struct CodesQ6_K {
  using Block = BlockQ6_K;
  static constexpr Codes kCodes = Codes::kSigned;
  static constexpr bool kHasMin = false;
  static constexpr int kSubs = 16;

  static void load(const BlockRows& rows, __m512i q[64]) {
    for (std::size_t half = 0; half < 2; ++half)
      for (std::size_t part = 0; part < 2; ++part) load_part(rows, half, part, q + 32 * half + 4 * part);
    subtract(q, 64, 32);
  }

  // The codes 16 * part .. 16 * part + 15 of each of the four runs of 32 in a half of the block.
  static void load_part(const BlockRows& rows, std::size_t half, std::size_t part, __m512i* q) {
    __m512i low[4];
    __m512i low_next[4];
    __m512i high[4];
    load_columns(rows, offsetof(Block, ql) + 64 * half + 16 * part, low);
    load_columns(rows, offsetof(Block, ql) + 64 * half + 16 * part + 32, low_next);
    load_columns(rows, offsetof(Block, qh) + 32 * half + 16 * part, high);
    const __m512i mask = _mm512_set1_epi8(0x30);
    for (int i = 0; i < 4; ++i) {
      q[i] = or_masked(low_nibbles(low[i]), _mm512_slli_epi16(high[i], 4), mask);
      q[i + 8] = or_masked(low_nibbles(low_next[i]), _mm512_slli_epi16(high[i], 2), mask);
      q[i + 16] = or_masked(high_nibbles(low[i]), high[i], mask);
      q[i + 24] = or_masked(high_nibbles(low_next[i]), _mm512_srli_epi16(high[i], 2), mask);
    }
  }

  static void load_scales(const BlockRows& rows, KScales<16>& out) {
    __m512i packed[4];
    __m512i tail[4];  // ends with d, the block's last word
    load_columns(rows, offsetof(Block, scales), packed);
    load_columns(rows, sizeof(Block) - 16, tail);
    for (unsigned s = 0; s < 16; ++s)
      out.scales[s] = _mm512_srai_epi32(byte_of_lanes(packed[s / 4], s % 4, 0xff000000u), 24);
    out.d = high_halves(tail[3]);
  }
};

}  // namespace
}  // namespace minfer
