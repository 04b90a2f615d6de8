// What IQ4_NL and IQ4_XS share: codes that stand for signed values of a table.
#pragma once

#include "backends/cpu/simd/avx2/matmul_words.h"
#include "quant/iq4_nl.h"

namespace minfer {
namespace {

// IQ4_NL's values of the 32 codes in 16 bytes of each row.
inline void look_up_nibbles(const BlockRows& rows, std::size_t offset, __m256i q[8]) {
  const __m256i table =
      _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kIq4NlValues)));
  unpack_nibbles(rows, offset, q);
  for (int i = 0; i < 8; ++i) q[i] = _mm256_shuffle_epi8(table, q[i]);
}

}  // namespace
}  // namespace minfer
