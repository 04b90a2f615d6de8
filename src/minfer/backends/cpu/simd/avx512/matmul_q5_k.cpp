#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_k_affine.h"
#include "quant/q5_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ5_K;
  static constexpr std::size_t kGroup = 256;
  static constexpr bool kFetchesAhead = true;

  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    const KAffineScales scales = load_k_scales(rows);
    __m512i bits[8];  // bit g of each byte is the fifth bit of a code of group g
    load_columns(rows, offsetof(Block, qh), bits);
    load_columns(rows, offsetof(Block, qh) + 16, bits + 4);
    KAffineSums<kTokens> sums;
#pragma GCC unroll 4
    for (unsigned pair = 0; pair < 4; ++pair) {
      fetch_ahead<Block>(rows, pair, 4);
      __m512i packed[8];
      load_packed_pair(rows, offsetof(Block, qs), pair, packed);
      __m512i q[8];
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i) q[i] = add_fifth_bit(low_nibbles(packed[i]), bits[i], 2 * pair);
      sums.add_group(2 * pair, q, scales, x);
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i) q[i] = add_fifth_bit(high_nibbles(packed[i]), bits[i], 2 * pair + 1);
      sums.add_group(2 * pair + 1, q, scales, x);
    }
    sums.finish(scales, x, acc);
  }

  static __m512i add_fifth_bit(__m512i q, __m512i bits, unsigned g) {
    const __m512i moved = g < 4 ? _mm512_slli_epi16(bits, 4 - g) : _mm512_srli_epi16(bits, g - 4);
    return or_masked(q, moved, _mm512_set1_epi8(16));
  }
};

}  // namespace

void matmul_q5_k_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
