#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_words.h"
#include "quant/q4_0.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ4_0;
  static constexpr std::size_t kGroup = 32;

  // Codes are 8 too large: sum (q - 8) * x = sum q * x - 8 * sum x.
  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    __m512i q[8];
    unpack_nibbles(rows, offsetof(Block, qs), q);
    const __m512 d = load_scales(rows);
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t)
      acc[t] = add_scaled(acc[t], d, x[t].d, dot_32(_mm512_set1_epi32(-8 * x[t].sums[0]), q, x[t].q));
  }
};

}  // namespace

void matmul_q4_0_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
