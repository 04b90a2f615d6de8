// A block of IQ4_NL as columns of codes: see gemm_blocks32.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_words.h"
#include "backends/cpu/simd/avx512/matmul_iq4.h"

namespace minfer {
namespace {

struct CodesIQ4_NL {
  using Block = BlockIQ4_NL;
  static constexpr Codes kCodes = Codes::kSigned;
  static constexpr bool kHasMin = false;

  static void load(const BlockRows& rows, const __m512i*, __m512i q[8]) {
    look_up_nibbles(rows, offsetof(Block, qs), q);
    subtract(q, 8, kIq4Excess);
  }
};

}  // namespace
}  // namespace minfer
