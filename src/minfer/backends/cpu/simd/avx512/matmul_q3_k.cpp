#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_q3_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ3_K;
  static constexpr std::size_t kGroup = 256;
  static constexpr bool kFetchesAhead = true;
  static constexpr int kExcess = 4;  // codes are so much too large

  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    __m512i tail[4];  // two other bytes, the 12 of the scales, d
    load_columns(rows, sizeof(Block) - 16, tail);
    __m512i scales[4];
    unpack_q3_scales(tail, scales);
    __m512i high[8];  // bit j / 32 of each byte is the third bit of code j
    load_columns(rows, offsetof(Block, hmask), high);
    load_columns(rows, offsetof(Block, hmask) + 16, high + 4);
    KGroupSums<kTokens, kExcess> sums(x);
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) {  // group 8h + 2s + part has its codes in bytes 32h + 16part ..
      fetch_ahead<Block>(rows, i, 4);
      __m512i packed[4];
      load_columns(rows, offsetof(Block, qs) + 16 * i, packed);
#pragma GCC unroll 4
      for (unsigned s = 0; s < 4; ++s) {
        __m512i q[4];
        two_bits(packed, s, q);
        add_third_bits(high + 4 * (i % 2), 4 * (i / 2) + s, q);
        sums.add_group(8 * (i / 2) + 2 * s + i % 2, q, scales);
      }
    }
    const __m512 d = high_halves(tail[3]);
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t) acc[t] = add_scaled(acc[t], d, x[t].d, sums.sum[t]);
  }
};

}  // namespace

void matmul_q3_k_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
