// What Q2_K, Q3_K and Q6_K share: 16 groups of 16 codes, each with a scale of a signed byte.
#pragma once

#include "backends/cpu/simd/avx512/matmul_words.h"

namespace minfer {
namespace {

// The integer sums of a block, for each token. Codes are kExcess too large: the dot product of a group starts from
// -kExcess times the sum of its activations.
template <int kTokens, int kExcess>
struct KGroupSums {
  const ActivationBlock (&x)[kTokens];
  __m512i sum[kTokens];  // of scale * code * activation
  alignas(64) std::int32_t start[kTokens][16];

  explicit KGroupSums(const ActivationBlock (&activations)[kTokens]) : x(activations) {
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t) {
      sum[t] = _mm512_setzero_si512();
      const __m256i sums = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x[t].sums));
      const __m512i factor = _mm512_set1_epi32(-kExcess);
      _mm512_store_si512(start[t], _mm512_mullo_epi32(_mm512_cvtepi16_epi32(sums), factor));
    }
  }

  // Group g of 16 codes; its scale is byte g % 4 of each lane of scales[g / 4].
  void add_group(unsigned g, const __m512i q[4], const __m512i scales[4]) {
    const __m512i scale = _mm512_srai_epi32(byte_of_lanes(scales[g / 4], g % 4, 0xff000000u), 24);
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t) {
      const __m512i dot = dot_columns<4>(_mm512_set1_epi32(start[t][g]), q, x[t].q + 16 * g);
      sum[t] = _mm512_add_epi32(sum[t], _mm512_mullo_epi32(dot, scale));
    }
  }
};

// Four columns of codes of two bits at bits 2s, 2s + 1 of each byte.
inline void two_bits(const __m512i packed[4], unsigned s, __m512i q[4]) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
    q[i] = _mm512_and_si512(_mm512_srli_epi16(packed[i], 2 * s), _mm512_set1_epi8(3));
}

}  // namespace
}  // namespace minfer
