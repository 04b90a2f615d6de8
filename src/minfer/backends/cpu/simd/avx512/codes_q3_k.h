// A block of Q3_K as columns of codes: see gemm_blocks256.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_k_scales.h"
#include "backends/cpu/simd/avx512/matmul_q3_k.h"

namespace minfer {
namespace {

struct CodesQ3_K {
  using Block = BlockQ3_K;
  static constexpr Codes kCodes = Codes::kSigned;
  static constexpr bool kHasMin = false;
  static constexpr int kSubs = 16;

  // Group 8h + 2s + part has its low bits at bits 2s of bytes 32h + 16part ..; bit j / 32 of the bytes of hmask is the
  // third bit of code j.
  static void load(const BlockRows& rows, __m512i q[64]) {
    __m512i high[8];
    load_columns(rows, offsetof(Block, hmask), high);
    load_columns(rows, offsetof(Block, hmask) + 16, high + 4);
    for (unsigned i = 0; i < 4; ++i) {
      __m512i packed[4];
      load_columns(rows, offsetof(Block, qs) + 16 * i, packed);
      for (unsigned s = 0; s < 4; ++s) {
        __m512i* group = q + 4 * (8 * (i / 2) + 2 * s + i % 2);
        two_bits(packed, s, group);
        add_third_bits(high + 4 * (i % 2), 4 * (i / 2) + s, group);
      }
    }
    subtract(q, 64, 4);
  }

  static void load_scales(const BlockRows& rows, KScales<16>& out) {
    __m512i tail[4];  // two other bytes, the 12 of the scales, d
    load_columns(rows, sizeof(Block) - 16, tail);
    __m512i packed[4];
    unpack_q3_scales(tail, packed);
    for (unsigned s = 0; s < 16; ++s)
      out.scales[s] = _mm512_srai_epi32(byte_of_lanes(packed[s / 4], s % 4, 0xff000000u), 24);
    out.d = high_halves(tail[3]);
  }
};

}  // namespace
}  // namespace minfer
