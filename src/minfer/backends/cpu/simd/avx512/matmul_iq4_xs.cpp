#include "quant/iq4_xs.h"

#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_iq4.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockIQ4_XS;
  static constexpr std::size_t kGroup = 256;
  static constexpr bool kFetchesAhead = true;

  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    __m512i head[4];  // d and scales_h in the first four bytes, scales_l in the next
    load_columns(rows, 0, head);
    __m512i sum[kTokens];
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t) sum[t] = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (unsigned g = 0; g < 8; ++g) {
      if (g % 2 == 0) fetch_ahead<Block>(rows, g / 2, 4);
      __m512i q[8];
      look_up_nibbles(rows, offsetof(Block, qs) + 16 * g, q);
      const __m512i scale = iq4_xs_scale(head, g);
#pragma GCC unroll 8
      for (int t = 0; t < kTokens; ++t) {
        const int x_sum = x[t].sums[2 * g] + x[t].sums[2 * g + 1];
        const __m512i dot = dot_32(_mm512_set1_epi32(-kIq4Excess * x_sum), q, x[t].q + 32 * g);
        sum[t] = _mm512_add_epi32(sum[t], _mm512_mullo_epi32(dot, scale));
      }
    }
    const __m512 d = low_halves(head[0]);
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t) acc[t] = add_scaled(acc[t], d, x[t].d, sum[t]);
  }
};

}  // namespace

void matmul_iq4_xs_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
