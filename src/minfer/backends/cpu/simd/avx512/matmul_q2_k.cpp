#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_k_groups.h"
#include "quant/q2_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ2_K;
  static constexpr std::size_t kGroup = 256;
  static constexpr bool kFetchesAhead = true;

  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    __m512i packed[4];  // of four groups: the scale in the low nibble, the minimum in the high one
    __m512i tail[4];    // ends with d and dmin
    load_columns(rows, offsetof(Block, scales), packed);
    load_columns(rows, sizeof(Block) - 16, tail);
    const KGroupSums<kTokens, 0> sums = scaled_sums(rows, packed, x);
    const __m512 d = low_halves(tail[3]);
    const __m512 dmin = high_halves(tail[3]);
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t) {
      acc[t] = add_scaled(acc[t], d, x[t].d, sums.sum[t]);
      const __m512 scale = _mm512_mul_ps(dmin, _mm512_set1_ps(x[t].d));
      acc[t] = _mm512_fnmadd_ps(scale, _mm512_cvtepi32_ps(min_sum(packed, x[t])), acc[t]);
    }
  }

  template <int kTokens>
  static KGroupSums<kTokens, 0> scaled_sums(const BlockRows& rows, const __m512i packed_scales[4],
                                            const ActivationBlock (&x)[kTokens]) {
    __m512i scales[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) scales[i] = low_nibbles(packed_scales[i]);
    KGroupSums<kTokens, 0> sums(x);
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) {  // group 8h + 2s + part has its codes in bytes 32h + 16part ..
      fetch_ahead<Block>(rows, i, 4);
      __m512i packed[4];
      load_columns(rows, offsetof(Block, qs) + 16 * i, packed);
#pragma GCC unroll 4
      for (unsigned s = 0; s < 4; ++s) {
        __m512i q[4];
        two_bits(packed, s, q);
        sums.add_group(8 * (i / 2) + 2 * s + i % 2, q, scales);
      }
    }
    return sums;
  }

  static __m512i min_sum(const __m512i packed_scales[4], const ActivationBlock& x) {
    __m512i sum = _mm512_setzero_si512();
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const __m512i mins = high_nibbles(packed_scales[i]);
      const __m512i even = _mm512_and_si512(mins, _mm512_set1_epi16(0xff));  // of groups 0 and 2
      const __m512i odd = _mm512_srli_epi16(mins, 8);                        // of groups 1 and 3
      const std::int16_t* s = x.sums + 4 * i;
      sum = _mm512_dpwssd_epi32(sum, even, two_words(s[0], s[2]));
      sum = _mm512_dpwssd_epi32(sum, odd, two_words(s[1], s[3]));
    }
    return sum;
  }

  static __m512i two_words(std::int16_t low, std::int16_t high) {
    const auto word = [](std::int16_t value) { return std::uint32_t{static_cast<std::uint16_t>(value)}; };
    return _mm512_set1_epi32(static_cast<int>(word(low) | word(high) << 16));
  }
};

}  // namespace

void matmul_q2_k_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
