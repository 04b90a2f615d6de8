#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_words.h"
#include "quant/q8_0.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ8_0;
  static constexpr std::size_t kGroup = 32;

  // vpdpbusd takes unsigned codes, q + 128: sum q * x = sum (q + 128) * x - 128 * sum x.
  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    __m512i q[8];
    load_columns(rows, offsetof(Block, qs), q);
    load_columns(rows, offsetof(Block, qs) + 16, q + 4);
    const __m512i sign = _mm512_set1_epi8(static_cast<char>(0x80));
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) q[i] = _mm512_xor_si512(q[i], sign);
    const __m512 d = load_scales(rows);
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t)
      acc[t] = add_scaled(acc[t], d, x[t].d, dot_32(_mm512_set1_epi32(-128 * x[t].sums[0]), q, x[t].q));
  }
};

}  // namespace

void matmul_q8_0_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
