// What Q4_K and Q5_K share as panels.
#pragma once

#include "backends/cpu/simd/avx512/gemm_k_scales.h"
#include "backends/cpu/simd/avx512/matmul_k_affine.h"

namespace minfer {
namespace {

inline void unpack_k_scales(const BlockRows& rows, KScales<8>& out) {
  const KAffineScales s = load_k_scales(rows);
  for (unsigned i = 0; i < 8; ++i) out.scales[i] = byte_of_lanes(s.scales[i / 4], i % 4, 0x000000ffu);
  for (unsigned i = 0; i < 4; ++i) {
    const __m512i first = byte_of_lanes(s.mins[i / 2], 2 * i % 4, 0x000000ffu);
    const __m512i second = byte_of_lanes(s.mins[i / 2], 2 * i % 4 + 1, 0x00ff0000u);
    out.mins[i] = _mm512_or_si512(first, second);
  }
  out.d = s.d;
  out.dmin = s.dmin;
}

// The low four bits of the codes.
inline void unpack_k_nibbles(const BlockRows& rows, std::size_t qs_offset, __m512i q[64]) {
  for (unsigned pair = 0; pair < 4; ++pair) {
    __m512i packed[8];
    load_packed_pair(rows, qs_offset, pair, packed);
    for (unsigned i = 0; i < 8; ++i) {
      q[16 * pair + i] = low_nibbles(packed[i]);
      q[16 * pair + 8 + i] = high_nibbles(packed[i]);
    }
  }
}

}  // namespace
}  // namespace minfer
