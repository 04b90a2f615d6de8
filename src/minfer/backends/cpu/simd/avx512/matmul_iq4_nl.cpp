#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_iq4.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockIQ4_NL;
  static constexpr std::size_t kGroup = 32;

  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    __m512i q[8];
    look_up_nibbles(rows, offsetof(Block, qs), q);
    const __m512 d = load_scales(rows);
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t) {
      const __m512i start = _mm512_set1_epi32(-kIq4Excess * x[t].sums[0]);
      acc[t] = add_scaled(acc[t], d, x[t].d, dot_32(start, q, x[t].q));
    }
  }
};

}  // namespace

void matmul_iq4_nl_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
