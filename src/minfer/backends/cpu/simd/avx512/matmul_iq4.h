// What IQ4_NL and IQ4_XS share: codes of four bits that stand for values of a table.
#pragma once

#include "backends/cpu/simd/avx512/matmul_words.h"
#include "quant/iq4_nl.h"

namespace minfer {
namespace {

constexpr int kIq4Excess = 128;  // vpdpbusd takes unsigned bytes: the values, so much larger

// The values of 16 bytes of each row, plus kIq4Excess.
inline void look_up_nibbles(const BlockRows& rows, std::size_t offset, __m512i q[8]) {
  const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kIq4NlValues));
  const __m512i table =
      _mm512_broadcast_i32x4(_mm_xor_si128(values, _mm_set1_epi8(static_cast<char>(kIq4Excess))));
  unpack_nibbles(rows, offset, q);
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) q[i] = _mm512_shuffle_epi8(table, q[i]);
}

// The scale of group g of IQ4_XS; head: the block's first 16 bytes, d and scales_h in the first four, scales_l next.
inline __m512i iq4_xs_scale(const __m512i head[4], unsigned g) {
  const __m512i low = _mm512_and_si512(_mm512_srli_epi32(head[1], 4 * g), _mm512_set1_epi32(15));
  const __m512i shifted = _mm512_srli_epi32(head[0], 12 + 2 * g);
  return _mm512_sub_epi32(or_masked(low, shifted, _mm512_set1_epi32(0x30)), _mm512_set1_epi32(32));
}

}  // namespace
}  // namespace minfer
