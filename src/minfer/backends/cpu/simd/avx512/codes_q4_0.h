// A block of Q4_0 as columns of codes: see gemm_blocks32.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_words.h"
#include "quant/q4_0.h"

namespace minfer {
namespace {

struct CodesQ4_0 {
  using Block = BlockQ4_0;
  static constexpr Codes kCodes = Codes::kSigned;
  static constexpr bool kHasMin = false;

  static void load(const BlockRows& rows, const __m512i*, __m512i q[8]) {
    unpack_nibbles(rows, offsetof(Block, qs), q);
    subtract(q, 8, 8);
  }
};

}  // namespace
}  // namespace minfer
