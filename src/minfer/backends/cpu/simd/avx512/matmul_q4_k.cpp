#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_k_affine.h"
#include "quant/q4_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ4_K;
  static constexpr std::size_t kGroup = 256;
  static constexpr bool kFetchesAhead = true;

  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    const KAffineScales scales = load_k_scales(rows);
    KAffineSums<kTokens> sums;
#pragma GCC unroll 4
    for (unsigned pair = 0; pair < 4; ++pair) {
      fetch_ahead<Block>(rows, pair, 4);
      __m512i packed[8];
      load_packed_pair(rows, offsetof(Block, qs), pair, packed);
      __m512i q[8];
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i) q[i] = low_nibbles(packed[i]);
      sums.add_group(2 * pair, q, scales, x);
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i) q[i] = high_nibbles(packed[i]);
      sums.add_group(2 * pair + 1, q, scales, x);
    }
    sums.finish(scales, x, acc);
  }
};

}  // namespace

void matmul_q4_k_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
