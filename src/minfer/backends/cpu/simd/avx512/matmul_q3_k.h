// How the scales and the third bits of Q3_K are unpacked.
#pragma once

#include "backends/cpu/simd/avx512/matmul_k_groups.h"
#include "quant/q3_k.h"

namespace minfer {
namespace {

// Scales of groups 4i .. 4i + 3, a signed byte each.
inline void unpack_q3_scales(const __m512i tail[4], __m512i scales[4]) {
  __m512i bytes[3];  // the 12 bytes: two of low nibbles, then the upper bits of all
#pragma GCC unroll 4
  for (int i = 0; i < 3; ++i)
    bytes[i] = _mm512_or_si512(_mm512_srli_epi32(tail[i], 16), _mm512_slli_epi32(tail[i + 1], 16));
  const __m512i upper = _mm512_set1_epi8(0x30);
  scales[0] = or_masked(low_nibbles(bytes[0]), _mm512_slli_epi16(bytes[2], 4), upper);
  scales[1] = or_masked(low_nibbles(bytes[1]), _mm512_slli_epi16(bytes[2], 2), upper);
  scales[2] = or_masked(high_nibbles(bytes[0]), bytes[2], upper);
  scales[3] = or_masked(high_nibbles(bytes[1]), _mm512_srli_epi16(bytes[2], 2), upper);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) scales[i] = _mm512_sub_epi8(scales[i], _mm512_set1_epi8(32));
}

// The third bit of each code is bit `bit` of a byte.
inline void add_third_bits(const __m512i high[4], unsigned bit, __m512i q[4]) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m512i moved = bit < 2 ? _mm512_slli_epi16(high[i], 2 - bit) : _mm512_srli_epi16(high[i], bit - 2);
    q[i] = or_masked(q[i], moved, _mm512_set1_epi8(4));
  }
}

}  // namespace
}  // namespace minfer
