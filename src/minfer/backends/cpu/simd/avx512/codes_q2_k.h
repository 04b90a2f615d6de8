// A block of Q2_K as columns of codes: see gemm_blocks256.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_k_scales.h"
#include "backends/cpu/simd/avx512/matmul_k_groups.h"
#include "quant/q2_k.h"

namespace minfer {
namespace {

struct CodesQ2_K {
  using Block = BlockQ2_K;
  static constexpr Codes kCodes = Codes::kUnsigned;
  static constexpr bool kHasMin = true;
  static constexpr int kSubs = 16;

  // Group 8h + 2s + part has its codes at bits 2s of bytes 32h + 16part ..
  static void load(const BlockRows& rows, __m512i q[64]) {
    for (unsigned i = 0; i < 4; ++i) {
      __m512i packed[4];
      load_columns(rows, offsetof(Block, qs) + 16 * i, packed);
      for (unsigned s = 0; s < 4; ++s) two_bits(packed, s, q + 4 * (8 * (i / 2) + 2 * s + i % 2));
    }
  }

  static void load_scales(const BlockRows& rows, KScales<16>& out) {
    __m512i packed[4];  // of four groups: the scale in the low nibble, the minimum in the high one
    __m512i tail[4];    // ends with d and dmin
    load_columns(rows, offsetof(Block, scales), packed);
    load_columns(rows, sizeof(Block) - 16, tail);
    for (unsigned s = 0; s < 16; ++s)
      out.scales[s] = byte_of_lanes(low_nibbles(packed[s / 4]), s % 4, 0x000000ffu);
    for (unsigned i = 0; i < 8; ++i) {
      const __m512i mins = high_nibbles(packed[i / 2]);
      out.mins[i] = _mm512_or_si512(byte_of_lanes(mins, 2 * i % 4, 0x000000ffu),
                                    byte_of_lanes(mins, 2 * i % 4 + 1, 0x00ff0000u));
    }
    out.d = low_halves(tail[3]);
    out.dmin = high_halves(tail[3]);
  }
};

}  // namespace
}  // namespace minfer
