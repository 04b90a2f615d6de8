// What Q4_K and Q5_K share: 8 groups of 32 codes, each with a 6-bit scale and minimum (quant/k_scales.h).
#pragma once

#include "backends/cpu/simd/avx512/matmul_words.h"

namespace minfer {
namespace {

struct KAffineScales {
  __m512i scales[2];  // of groups 0-3 and 4-7, a byte each
  __m512i mins[2];
  __m512 d;
  __m512 dmin;
};

// Both blocks begin with d, dmin and the 12 bytes of scales: 16 bytes, four columns.
inline KAffineScales load_k_scales(const BlockRows& rows) {
  __m512i head[4];
  load_columns(rows, 0, head);
  const __m512i six_bits = _mm512_set1_epi8(63);
  const __m512i two_bits = _mm512_set1_epi8(0x30);
  KAffineScales s;
  s.scales[0] = _mm512_and_si512(head[1], six_bits);
  s.mins[0] = _mm512_and_si512(head[2], six_bits);
  s.scales[1] = or_masked(low_nibbles(head[3]), _mm512_srli_epi16(head[1], 2), two_bits);
  s.mins[1] = or_masked(high_nibbles(head[3]), _mm512_srli_epi16(head[2], 2), two_bits);
  s.d = low_halves(head[0]);
  s.dmin = high_halves(head[0]);
  return s;
}

// 32 bytes hold group 2 * pair in their low nibbles and the next one in the high ones.
inline void load_packed_pair(const BlockRows& rows, std::size_t qs_offset, unsigned pair, __m512i packed[8]) {
  load_columns(rows, qs_offset + 32 * pair, packed);
  load_columns(rows, qs_offset + 32 * pair + 16, packed + 4);
}

// The integer sums of a block, for each token.
template <int kTokens>
struct KAffineSums {
  __m512i sum[kTokens];      // of scale * code * activation
  __m512i min_sum[kTokens];  // of minimum * activation

  KAffineSums() {
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t) sum[t] = min_sum[t] = _mm512_setzero_si512();
  }

  void add_group(unsigned g, const __m512i q[8], const KAffineScales& s,
                 const ActivationBlock (&x)[kTokens]) {
    const __m512i scale = byte_of_lanes(s.scales[g / 4], g % 4, 0x000000ffu);
    // Twice, as 16-bit numbers: for two sums of 16 activations.
    const __m512i min = byte_of_lanes(s.mins[g / 4], g % 4, 0x00ff00ffu);
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t) {
      const __m512i dot = dot_32(_mm512_setzero_si512(), q, x[t].q + 32 * g);
      sum[t] = _mm512_add_epi32(sum[t], _mm512_mullo_epi32(dot, scale));
      min_sum[t] = _mm512_dpwssd_epi32(min_sum[t], min, _mm512_set1_epi32(load_4_bytes(x[t].sums + 2 * g)));
    }
  }

  void finish(const KAffineScales& s, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) const {
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t) {
      acc[t] = add_scaled(acc[t], s.d, x[t].d, sum[t]);
      const __m512 scale = _mm512_mul_ps(s.dmin, _mm512_set1_ps(x[t].d));
      acc[t] = _mm512_fnmadd_ps(scale, _mm512_cvtepi32_ps(min_sum[t]), acc[t]);
    }
  }
};

}  // namespace
}  // namespace minfer
