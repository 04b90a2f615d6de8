// A block of IQ4_XS as columns of codes: see gemm_blocks256.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_k_scales.h"
#include "backends/cpu/simd/avx512/matmul_iq4.h"
#include "quant/iq4_xs.h"

namespace minfer {
namespace {

struct CodesIQ4_XS {
  using Block = BlockIQ4_XS;
  static constexpr Codes kCodes = Codes::kSigned;
  static constexpr bool kHasMin = false;
  static constexpr int kSubs = 8;

  static void load(const BlockRows& rows, __m512i q[64]) {
    for (unsigned g = 0; g < 8; ++g) look_up_nibbles(rows, offsetof(Block, qs) + 16 * g, q + 8 * g);
    subtract(q, 64, kIq4Excess);
  }

  static void load_scales(const BlockRows& rows, KScales<8>& out) {
    __m512i head[4];
    load_columns(rows, 0, head);
    for (unsigned g = 0; g < 8; ++g) out.scales[g] = iq4_xs_scale(head, g);
    out.d = low_halves(head[0]);
  }
};

}  // namespace
}  // namespace minfer
