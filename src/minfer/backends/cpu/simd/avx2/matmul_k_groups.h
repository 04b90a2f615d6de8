// What Q2_K, Q3_K and Q6_K share: 16 groups of 16 codes, each with a scale of a signed byte.
#pragma once

#include "backends/cpu/simd/avx2/matmul_words.h"

namespace minfer {
namespace {

struct KGroupTile {
  __m256i q[64];
  __m256i scales[16];      // of a group: column_scale
  __m256i scale_pairs[8];  // of groups 2i and 2i + 1, as 16-bit numbers
  __m256 d;
};

inline __m256i repeat_low(__m256i words) {
  return _mm256_blend_epi16(words, _mm256_slli_epi32(words, 16), 0xaa);
}
inline __m256i repeat_high(__m256i words) {
  return _mm256_blend_epi16(_mm256_srli_epi32(words, 16), words, 0xaa);
}

// From four int8 scales a lane. A byte in the upper half of a 16-bit number is shifted down with its sign.
inline void spread_scales(__m256i packed, __m256i scales[4], __m256i pairs[2]) {
  const __m256i even = _mm256_srai_epi16(_mm256_slli_epi16(packed, 8), 8);  // scale 0, scale 2
  const __m256i odd = _mm256_srai_epi16(packed, 8);                         // scale 1, scale 3
  scales[0] = repeat_low(even);
  scales[1] = repeat_low(odd);
  scales[2] = repeat_high(even);
  scales[3] = repeat_high(odd);
  pairs[0] = _mm256_blend_epi16(scales[0], scales[1], 0xaa);
  pairs[1] = _mm256_blend_epi16(scales[2], scales[3], 0xaa);
  for (int i = 0; i < 4; ++i) scales[i] = column_scale(scales[i]);
}

// Sum of scale * code * activation.
template <int kBits>
inline __m256i sum_k_groups(const __m256i q[64], const __m256i scales[16], const std::int8_t* x) {
  __m256i sum = _mm256_setzero_si256();
  for (int g = 0; g < 16; ++g) sum = add_scaled_columns<kBits, 4>(sum, q + 4 * g, x + 16 * g, scales[g]);
  return sum;
}

// Sum of pairs (of scales, or of minimums) times the sums of 16 activations.
inline __m256i sum_of_pairs(const __m256i pairs[8], const std::int16_t* x_sums) {
  __m256i sum = _mm256_setzero_si256();
  for (int i = 0; i < 8; ++i) {
    const __m256i two_sums = _mm256_set1_epi32(load_4_bytes(x_sums + 2 * i));
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(two_sums, pairs[i]));
  }
  return sum;
}

// Codes are kExcess too large: sum scale * (q - e) * x = sum scale * q * x - e * sum scale * sum x.
template <int kBits, int kExcess>
inline Lanes dot_k_groups(const KGroupTile& tile, const ActivationBlock& x, Lanes acc) {
  const __m256i sum = sum_k_groups<kBits>(tile.q, tile.scales, x.q);
  const __m256i excess =
      _mm256_mullo_epi32(sum_of_pairs(tile.scale_pairs, x.sums), _mm256_set1_epi32(kExcess));
  return add_scaled(acc, tile.d, x.d, _mm256_sub_epi32(sum, excess));
}

// Codes of two bits: of value 128h + 32s + l at bits 2s, 2s + 1 of byte 32h + l.
inline void unpack_two_bits(const BlockRows& rows, std::size_t offset, __m256i q[64]) {
  const __m256i mask = _mm256_set1_epi8(3);
  for (int quarter = 0; quarter < 4; ++quarter) {
    __m256i packed[4];
    load_columns(rows, offset + static_cast<std::size_t>(16 * quarter), packed);
    __m256i* target = q + 32 * (quarter / 2) + 4 * (quarter % 2);
    for (int i = 0; i < 4; ++i)
      for (int s = 0; s < 4; ++s)
        target[8 * s + i] = _mm256_and_si256(_mm256_srli_epi16(packed[i], 2 * s), mask);
  }
}

}  // namespace
}  // namespace minfer
