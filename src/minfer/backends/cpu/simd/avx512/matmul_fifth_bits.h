// What Q5_0 and Q5_1 share: the fifth bits of 32 codes, kept apart from their nibbles.
#pragma once

#include "backends/cpu/simd/avx512/matmul_words.h"

namespace minfer {
namespace {

// Bit i of a row's 32 bits becomes bit 4 of code i: byte i % 4 of column i / 4. A column needs bits 4c .. 4c + 3,
// which lie in one byte of the word.
inline void add_fifth_bits(__m512i bits, __m512i q[8]) {
  const __m512i sixteen = _mm512_set1_epi8(16);
  const __m512i lower = _mm512_set1_epi32(0x08040201);  // bit of byte i of an even column
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(0x80402010u));
#pragma GCC unroll 4
  for (int byte = 0; byte < 4; ++byte) {
    const int first = 0x01010101 * byte;  // of lane 0 of a quarter
    const __m128i spread = _mm_setr_epi32(first, first + 0x04040404, first + 0x08080808, first + 0x0c0c0c0c);
    const __m512i repeated = _mm512_shuffle_epi8(bits, _mm512_broadcast_i32x4(spread));
    __m512i* pair = q + 2 * byte;
    pair[0] = _mm512_mask_add_epi8(pair[0], _mm512_test_epi8_mask(repeated, lower), pair[0], sixteen);
    pair[1] = _mm512_mask_add_epi8(pair[1], _mm512_test_epi8_mask(repeated, upper), pair[1], sixteen);
  }
}

}  // namespace
}  // namespace minfer
