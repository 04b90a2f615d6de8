// A block of Q4_K as columns of codes: see gemm_blocks256.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_k_affine.h"
#include "quant/q4_k.h"

namespace minfer {
namespace {

struct CodesQ4_K {
  using Block = BlockQ4_K;
  static constexpr Codes kCodes = Codes::kUnsigned;
  static constexpr bool kHasMin = true;
  static constexpr int kSubs = 8;

  static void load(const BlockRows& rows, __m512i q[64]) { unpack_k_nibbles(rows, offsetof(Block, qs), q); }
  static void load_scales(const BlockRows& rows, KScales<8>& scales) { unpack_k_scales(rows, scales); }
};

}  // namespace
}  // namespace minfer
