// A block of Q4_1 as columns of codes: see gemm_blocks32.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_words.h"
#include "quant/q4_1.h"

namespace minfer {
namespace {

struct CodesQ4_1 {
  using Block = BlockQ4_1;
  static constexpr Codes kCodes = Codes::kUnsigned;
  static constexpr bool kHasMin = true;

  static void load(const BlockRows& rows, const __m512i*, __m512i q[8]) {
    unpack_nibbles(rows, offsetof(Block, qs), q);
  }
};

}  // namespace
}  // namespace minfer
