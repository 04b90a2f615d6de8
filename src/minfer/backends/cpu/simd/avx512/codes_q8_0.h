// A block of Q8_0 as columns of codes: see gemm_blocks32.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_words.h"
#include "quant/q8_0.h"

namespace minfer {
namespace {

struct CodesQ8_0 {
  using Block = BlockQ8_0;
  static constexpr Codes kCodes = Codes::kSigned;
  static constexpr bool kHasMin = false;

  static void load(const BlockRows& rows, const __m512i*, __m512i q[8]) {
    load_columns(rows, offsetof(Block, qs), q);
    load_columns(rows, offsetof(Block, qs) + 16, q + 4);
  }
};

}  // namespace
}  // namespace minfer
