#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_k_groups.h"
#include "quant/q6_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ6_K;
  static constexpr std::size_t kGroup = 256;
  static constexpr bool kFetchesAhead = true;
  static constexpr int kExcess = 32;  // codes are so much too large

  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    __m512i scales[4];
    __m512i tail[4];  // ends with d, the block's last word
    load_columns(rows, offsetof(Block, scales), scales);
    load_columns(rows, sizeof(Block) - 16, tail);
    KGroupSums<kTokens, kExcess> sums(x);
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) add_part(rows, i / 2, i % 2, scales, sums);
    const __m512 d = high_halves(tail[3]);
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t) acc[t] = add_scaled(acc[t], d, x[t].d, sums.sum[t]);
  }

  // The codes 16 * part .. 16 * part + 15 of each of the four groups of 32 in a half of the block.
  template <int kTokens>
  static void add_part(const BlockRows& rows, unsigned half, unsigned part, const __m512i scales[4],
                       KGroupSums<kTokens, kExcess>& sums) {
    fetch_ahead<Block>(rows, 2 * half + part, 4);
    const std::size_t offset = 64 * half + 16 * part;
    __m512i low[4];
    __m512i low_next[4];
    __m512i high[4];
    load_columns(rows, offsetof(Block, ql) + offset, low);
    load_columns(rows, offsetof(Block, ql) + offset + 32, low_next);
    load_columns(rows, offsetof(Block, qh) + offset - 32 * half, high);
    const unsigned g = 8 * half + part;
    __m512i q[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) q[i] = add_high_bits(low_nibbles(low[i]), _mm512_slli_epi16(high[i], 4));
    sums.add_group(g, q, scales);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) q[i] = add_high_bits(low_nibbles(low_next[i]), _mm512_slli_epi16(high[i], 2));
    sums.add_group(g + 2, q, scales);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) q[i] = add_high_bits(high_nibbles(low[i]), high[i]);
    sums.add_group(g + 4, q, scales);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
      q[i] = add_high_bits(high_nibbles(low_next[i]), _mm512_srli_epi16(high[i], 2));
    sums.add_group(g + 6, q, scales);
  }

  static __m512i add_high_bits(__m512i nibbles, __m512i high) {
    return or_masked(nibbles, high, _mm512_set1_epi8(0x30));
  }
};

}  // namespace

void matmul_q6_k_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
