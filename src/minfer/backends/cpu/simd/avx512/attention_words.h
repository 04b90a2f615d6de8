// The words of simd/generic/attention_words.inl (which defines them) for AVX-512 F, BW, VL, DQ and VNNI.
#pragma once

#define MINFER_ATTENTION_WORDS

#include "backends/cpu/simd/avx512/words.h"

namespace minfer {
namespace {

constexpr int kTileWords = 2;
constexpr int kTileQueries = 12;

inline void transpose(F32x16 (&rows)[kLanes]) {
  __m512 fours[kLanes];  // [4 * i + j]: lanes j, 4 + j, 8 + j and 12 + j of rows 4 * i .. 4 * i + 3
  for (int i = 0; i < kLanes; i += 4) {
    const __m512d low01 = _mm512_castps_pd(_mm512_unpacklo_ps(rows[i].lanes, rows[i + 1].lanes));
    const __m512d high01 = _mm512_castps_pd(_mm512_unpackhi_ps(rows[i].lanes, rows[i + 1].lanes));
    const __m512d low23 = _mm512_castps_pd(_mm512_unpacklo_ps(rows[i + 2].lanes, rows[i + 3].lanes));
    const __m512d high23 = _mm512_castps_pd(_mm512_unpackhi_ps(rows[i + 2].lanes, rows[i + 3].lanes));
    fours[i] = _mm512_castpd_ps(_mm512_unpacklo_pd(low01, low23));
    fours[i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low01, low23));
    fours[i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high01, high23));
    fours[i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high01, high23));
  }
  for (int j = 0; j < 4; ++j) {
    const __m512 even_low = _mm512_shuffle_f32x4(fours[j], fours[4 + j], 0x88);  // lanes j and 8 + j
    const __m512 odd_low = _mm512_shuffle_f32x4(fours[j], fours[4 + j], 0xdd);   // lanes 4 + j and 12 + j
    const __m512 even_high = _mm512_shuffle_f32x4(fours[8 + j], fours[12 + j], 0x88);
    const __m512 odd_high = _mm512_shuffle_f32x4(fours[8 + j], fours[12 + j], 0xdd);
    rows[j] = {_mm512_shuffle_f32x4(even_low, even_high, 0x88)};
    rows[4 + j] = {_mm512_shuffle_f32x4(odd_low, odd_high, 0x88)};
    rows[8 + j] = {_mm512_shuffle_f32x4(even_low, even_high, 0xdd)};
    rows[12 + j] = {_mm512_shuffle_f32x4(odd_low, odd_high, 0xdd)};
  }
}

inline F32x16 load_two_blocks(const void* first, const void* second) {
  const __m512 low = _mm512_castps256_ps512(_mm256_loadu_ps(static_cast<const float*>(first)));
  return {_mm512_insertf32x8(low, _mm256_loadu_ps(static_cast<const float*>(second)), 1)};
}
// vpdpbusd takes unsigned bytes times signed ones: columns hold the values plus 128.
inline void store_column(std::int8_t* target, F32x16 bits) {
  _mm512_storeu_si512(target, _mm512_xor_si512(_mm512_castps_si512(bits.lanes), _mm512_set1_epi8(-128)));
}
inline F32x16 dot_columns(const std::int8_t* columns, const std::int8_t* x, std::int32_t sum_x) {
  __m512i sums = _mm512_set1_epi32(-128 * sum_x);
  for (int i = 0; i < 8; ++i) {
    std::int32_t four;
    std::memcpy(&four, x + 4 * i, sizeof(four));
    sums = _mm512_dpbusd_epi32(sums, _mm512_loadu_si512(columns + 64 * i), _mm512_set1_epi32(four));
  }
  return to_f32({sums});
}

}  // namespace
}  // namespace minfer
