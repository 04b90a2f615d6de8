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

}  // namespace
}  // namespace minfer
