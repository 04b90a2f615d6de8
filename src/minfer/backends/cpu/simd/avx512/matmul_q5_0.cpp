#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_fifth_bits.h"
#include "quant/q5_0.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ5_0;
  static constexpr std::size_t kGroup = 32;

  // Codes are 16 too large: sum (q - 16) * x = sum q * x - 16 * sum x.
  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    __m512i head[4];  // d in the first two bytes, qh in the next four
    __m512i q[8];
    load_columns(rows, 0, head);
    unpack_nibbles(rows, offsetof(Block, qs), q);
    add_fifth_bits(_mm512_or_si512(_mm512_srli_epi32(head[0], 16), _mm512_slli_epi32(head[1], 16)), q);
    const __m512 d = low_halves(head[0]);
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t)
      acc[t] = add_scaled(acc[t], d, x[t].d, dot_32(_mm512_set1_epi32(-16 * x[t].sums[0]), q, x[t].q));
  }
};

}  // namespace

void matmul_q5_0_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
