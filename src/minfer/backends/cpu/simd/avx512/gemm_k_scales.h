// The scales of a block of 256 codes in kSubs groups (8 or 16), each with an integer scale and, for some types, an
// integer minimum; and how the sums of the activations that minimums are multiplied with are read.
#pragma once

#include "backends/cpu/simd/avx512/gemm_words.h"

namespace minfer {
namespace {

template <int kSubs>
struct KScales {
  __m512i scales[kSubs];    // 32-bit
  __m512i mins[kSubs / 2];  // of groups 2i and 2i + 1, in 16 bits each
  __m512 d;
  __m512 dmin;
};

// The sums of groups of 32 activations, 16 bits each, from those of 16.
inline __m128i sums_of_32(const std::uint8_t* sums_of_16) {
  const __m256i sums = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums_of_16));
  return _mm256_cvtepi32_epi16(_mm256_madd_epi16(sums, _mm256_set1_epi16(1)));
}

// One token's minimum term of kGroups registers of rows: mins are those of KScales, sums the token's sums of 16.
template <int kSubs>
inline void add_minimums(const __m512i (&mins)[kSubs / 2][kGroups], const __m512 (&dmin)[kGroups],
                         const std::uint8_t* sums, __m512 d, __m512 (&acc)[kGroups]) {
  alignas(16) std::uint8_t pairs[16];
  if constexpr (kSubs == 8) {
    _mm_store_si128(reinterpret_cast<__m128i*>(pairs), sums_of_32(sums));
    sums = pairs;
  }
  __m512i total[kGroups] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
  for (int i = 0; i < kSubs / 2; ++i)
    for (int g = 0; g < kGroups; ++g)
      total[g] = _mm512_dpwssd_epi32(total[g], mins[i][g], _mm512_set1_epi32(load_4_bytes(sums + 4 * i)));
  for (int g = 0; g < kGroups; ++g)
    acc[g] = _mm512_fnmadd_ps(_mm512_mul_ps(dmin[g], d), _mm512_cvtepi32_ps(total[g]), acc[g]);
}

}  // namespace
}  // namespace minfer
