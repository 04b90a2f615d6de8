// What Q4_K and Q5_K share as panels.
#pragma once

#include "backends/cpu/simd/avx512/gemm_blocks256.h"
#include "backends/cpu/simd/avx512/matmul_k_affine.h"

namespace minfer {
namespace {

inline void unpack_k_scales(const BlockRows& rows, int group, Panel256<8>& panel) {
  const KAffineScales s = load_k_scales(rows);
  for (unsigned i = 0; i < 8; ++i)
    panel.scales[i][group] = byte_of_lanes(s.scales[i / 4], i % 4, 0x000000ffu);
  for (unsigned i = 0; i < 4; ++i) {
    const __m512i first = byte_of_lanes(s.mins[i / 2], 2 * i % 4, 0x000000ffu);
    const __m512i second = byte_of_lanes(s.mins[i / 2], 2 * i % 4 + 1, 0x00ff0000u);
    panel.mins[i][group] = _mm512_or_si512(first, second);
  }
  panel.d[group] = s.d;
  panel.dmin[group] = s.dmin;
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
