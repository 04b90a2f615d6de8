// The words of simd/generic/attention_words.inl (which defines them) for AVX2.
#pragma once

#define MINFER_ATTENTION_WORDS

#include "backends/cpu/simd/avx2/words.h"

namespace minfer {
namespace {

constexpr int kTileWords = 1;
constexpr int kTileQueries = 6;

// 8 rows of 8.
inline void transpose(__m256 (&rows)[8]) {
  __m256 pairs[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
  }
  __m256 fours[8];  // [i] and [4 + i]: lanes i and 4 + i of rows 0-3 and of rows 4-7
  for (int i = 0; i < 8; i += 4) {
    fours[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
    fours[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xee);
    fours[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
    fours[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xee);
  }
  for (int i = 0; i < 4; ++i) {
    rows[i] = _mm256_permute2f128_ps(fours[i], fours[4 + i], 0x20);
    rows[4 + i] = _mm256_permute2f128_ps(fours[i], fours[4 + i], 0x31);
  }
}
inline void transpose(F32x16 (&rows)[kLanes]) {
  __m256 quarters[4][8];  // rows 0-7 and 8-15, low lanes; then high lanes
  for (int i = 0; i < 8; ++i) {
    quarters[0][i] = rows[i].low;
    quarters[1][i] = rows[8 + i].low;
    quarters[2][i] = rows[i].high;
    quarters[3][i] = rows[8 + i].high;
  }
  for (int q = 0; q < 4; ++q) transpose(quarters[q]);
  for (int i = 0; i < 8; ++i) {
    rows[i] = {quarters[0][i], quarters[1][i]};
    rows[8 + i] = {quarters[2][i], quarters[3][i]};
  }
}

inline F32x16 load_two_blocks(const void* first, const void* second) {
  return {_mm256_loadu_ps(static_cast<const float*>(first)),
          _mm256_loadu_ps(static_cast<const float*>(second))};
}
inline void store_column(std::int8_t* target, F32x16 bits) { store(reinterpret_cast<float*>(target), bits); }
// Sums of 4 products. |keys| as unsigned bytes times x with their signs: pairs of products stay within 16 bits.
inline __m256i dot_fours(__m256i keys, __m256i x) {
  const __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(keys), _mm256_sign_epi8(x, keys));
  return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}
inline F32x16 dot_columns(const std::int8_t* columns, const std::int8_t* x, std::int32_t /*sum_x*/) {
  I32x16 sums = {_mm256_setzero_si256(), _mm256_setzero_si256()};
  for (int i = 0; i < 8; ++i) {
    std::int32_t four;
    std::memcpy(&four, x + 4 * i, sizeof(four));
    const auto* column = reinterpret_cast<const __m256i*>(columns + 64 * i);
    sums.low = _mm256_add_epi32(sums.low, dot_fours(_mm256_loadu_si256(column), _mm256_set1_epi32(four)));
    sums.high =
        _mm256_add_epi32(sums.high, dot_fours(_mm256_loadu_si256(column + 1), _mm256_set1_epi32(four)));
  }
  return to_f32(sums);
}

}  // namespace
}  // namespace minfer
