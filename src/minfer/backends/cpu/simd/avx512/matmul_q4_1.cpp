#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_words.h"
#include "quant/q4_1.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ4_1;
  static constexpr std::size_t kGroup = 32;

  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    __m512i head[4];
    __m512i q[8];
    load_columns(rows, offsetof(Block, d), head);
    unpack_nibbles(rows, offsetof(Block, qs), q);
    const __m512 d = low_halves(head[0]);
    const __m512 m = high_halves(head[0]);
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t) {
      acc[t] = add_scaled(acc[t], d, x[t].d, dot_32(_mm512_setzero_si512(), q, x[t].q));
      acc[t] = add_scaled(acc[t], m, x[t].d, _mm512_set1_epi32(x[t].sums[0]));
    }
  }
};

}  // namespace

void matmul_q4_1_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
