// What Q4_K and Q5_K share: 8 groups of 32 codes, each with a 6-bit scale and minimum (quant/k_scales.h).
#pragma once

#include "backends/cpu/simd/avx2/matmul_words.h"

namespace minfer {
namespace {

struct KAffineTile {
  __m256i q[64];
  __m256i scales[8];  // of a group: column_scale
  __m256i mins[8];    // twice in each lane, as 16-bit numbers
  __m256 d;
  __m256 dmin;
};

// Four 6-bit numbers a lane, in its bytes, to four vectors that hold one of them twice.
inline void spread_bytes(__m256i bytes, __m256i words[4]) {
  const __m256i even = _mm256_and_si256(bytes, _mm256_set1_epi16(0xff));  // numbers 0 and 2
  const __m256i odd = _mm256_srli_epi16(bytes, 8);                        // numbers 1 and 3
  words[0] = _mm256_blend_epi16(even, _mm256_slli_epi32(even, 16), 0xaa);
  words[1] = _mm256_blend_epi16(odd, _mm256_slli_epi32(odd, 16), 0xaa);
  words[2] = _mm256_blend_epi16(_mm256_srli_epi32(even, 16), even, 0xaa);
  words[3] = _mm256_blend_epi16(_mm256_srli_epi32(odd, 16), odd, 0xaa);
}

// Both blocks begin with d, dmin and the 12 bytes of scales: 16 bytes, four columns.
inline void unpack_k_scales(const BlockRows& rows, KAffineTile& tile) {
  __m256i head[4];
  load_columns(rows, 0, head);
  const __m256i six_bits = _mm256_set1_epi8(63);
  const __m256i two_bits = _mm256_set1_epi8(0x30);
  spread_bytes(_mm256_and_si256(head[1], six_bits), tile.scales);
  spread_bytes(_mm256_and_si256(head[2], six_bits), tile.mins);
  const __m256i scales_top = _mm256_and_si256(_mm256_srli_epi16(head[1], 2), two_bits);
  const __m256i mins_top = _mm256_and_si256(_mm256_srli_epi16(head[2], 2), two_bits);
  spread_bytes(_mm256_or_si256(low_nibbles(head[3]), scales_top), tile.scales + 4);
  spread_bytes(_mm256_or_si256(high_nibbles(head[3]), mins_top), tile.mins + 4);
  for (__m256i& scale : tile.scales) scale = column_scale(scale);
  const __m256i d = _mm256_and_si256(head[0], _mm256_set1_epi32(0xffff));
  const __m256i words =
      _mm256_permute4x64_epi64(_mm256_packus_epi32(d, _mm256_srli_epi32(head[0], 16)), 0xd8);
  tile.d = _mm256_cvtph_ps(_mm256_castsi256_si128(words));
  tile.dmin = _mm256_cvtph_ps(_mm256_extracti128_si256(words, 1));
}

// The low four bits of the codes: 32 bytes hold a group in their low nibbles and the next one in the high ones.
inline void unpack_k_nibbles(const BlockRows& rows, std::size_t offset, KAffineTile& tile) {
  for (int pair = 0; pair < 4; ++pair) {
    for (int half = 0; half < 2; ++half) {
      __m256i packed[4];
      load_columns(rows, offset + static_cast<std::size_t>(32 * pair + 16 * half), packed);
      __m256i* q = tile.q + 16 * pair + 4 * half;
      for (int i = 0; i < 4; ++i) {
        q[i] = low_nibbles(packed[i]);
        q[i + 8] = high_nibbles(packed[i]);
      }
    }
  }
}

template <int kBits>
inline Lanes dot_k_affine(const KAffineTile& tile, const ActivationBlock& x, Lanes acc) {
  __m256i sum = _mm256_setzero_si256();
  __m256i min_sum = _mm256_setzero_si256();
  for (int g = 0; g < 8; ++g) {
    sum = add_scaled_columns<kBits, 8>(sum, tile.q + 8 * g, x.q + 32 * g, tile.scales[g]);
    // The two sums of 16 activations, each times the same minimum.
    const __m256i x_sums = _mm256_set1_epi32(load_4_bytes(x.sums + 2 * g));
    min_sum = _mm256_add_epi32(min_sum, _mm256_madd_epi16(x_sums, tile.mins[g]));
  }
  acc = add_scaled(acc, tile.d, x.d, sum);
  const __m256 scale = _mm256_mul_ps(tile.dmin, _mm256_set1_ps(x.d));
  return _mm256_fnmadd_ps(scale, _mm256_cvtepi32_ps(min_sum), acc);
}

}  // namespace
}  // namespace minfer
