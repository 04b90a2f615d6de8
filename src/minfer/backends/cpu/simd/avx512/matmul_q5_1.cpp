#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_fifth_bits.h"
#include "quant/q5_1.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ5_1;
  static constexpr std::size_t kGroup = 32;

  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    __m512i head[4];  // d and m in the first four bytes, qh in the next four
    __m512i q[8];
    load_columns(rows, 0, head);
    unpack_nibbles(rows, offsetof(Block, qs), q);
    add_fifth_bits(head[1], q);
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

void matmul_q5_1_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
