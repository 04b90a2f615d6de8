// What Q5_0 and Q5_1 share: the fifth bits of 32 codes, kept apart from their nibbles.
#pragma once

#include "backends/cpu/simd/avx2/matmul_words.h"

namespace minfer {
namespace {

// The 32-bit word at `offset` of every row.
inline __m256i load_dwords(const BlockRows& rows, std::size_t offset) {
  __m128i row[kRows];
  for (int r = 0; r < kRows; ++r) row[r] = _mm_cvtsi32_si128(load_4_bytes(rows.row[r] + offset));
  const __m128i r0123 =
      _mm_unpacklo_epi64(_mm_unpacklo_epi32(row[0], row[1]), _mm_unpacklo_epi32(row[2], row[3]));
  const __m128i r4567 =
      _mm_unpacklo_epi64(_mm_unpacklo_epi32(row[4], row[5]), _mm_unpacklo_epi32(row[6], row[7]));
  return _mm256_inserti128_si256(_mm256_castsi128_si256(r0123), r4567, 1);
}

// Bit i of a row's 32 bits becomes bit 4 of code i: byte i % 4 of column i / 4. A column needs bits 4c .. 4c + 3,
// which lie in one byte of the word.
inline void add_fifth_bits(__m256i bits, __m256i q[8]) {
  const __m256i sixteen = _mm256_set1_epi8(16);
  const __m256i lower = _mm256_set1_epi32(0x08040201);  // bit of byte i of an even column
  const __m256i upper = _mm256_set1_epi32(static_cast<int>(0x80402010u));
  for (int byte = 0; byte < 4; ++byte) {
    const __m256i spread = _mm256_set_epi8(12, 12, 12, 12, 8, 8, 8, 8, 4, 4, 4, 4, 0, 0, 0, 0,  //
                                           12, 12, 12, 12, 8, 8, 8, 8, 4, 4, 4, 4, 0, 0, 0, 0);
    const __m256i repeated =
        _mm256_shuffle_epi8(bits, _mm256_add_epi8(spread, _mm256_set1_epi8(static_cast<char>(byte))));
    const __m256i even = _mm256_cmpeq_epi8(_mm256_and_si256(repeated, lower), lower);
    const __m256i odd = _mm256_cmpeq_epi8(_mm256_and_si256(repeated, upper), upper);
    q[2 * byte] = _mm256_or_si256(q[2 * byte], _mm256_and_si256(even, sixteen));
    q[2 * byte + 1] = _mm256_or_si256(q[2 * byte + 1], _mm256_and_si256(odd, sixteen));
  }
}

}  // namespace
}  // namespace minfer
