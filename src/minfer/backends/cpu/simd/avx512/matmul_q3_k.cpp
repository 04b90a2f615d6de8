#include <cstddef>

#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_k_groups.h"
#include "quant/q3_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ3_K;
  static constexpr std::size_t kGroup = 256;
  static constexpr int kExcess = 4;  // codes are so much too large

  template <int kTokens>
  static void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens], Lanes (&acc)[kTokens]) {
    __m512i tail[4];  // two other bytes, the 12 of the scales, d
    load_columns(rows, sizeof(Block) - 16, tail);
    __m512i scales[4];
    unpack_scales(tail, scales);
    __m512i high[8];  // bit j / 32 of each byte is the third bit of code j
    load_columns(rows, offsetof(Block, hmask), high);
    load_columns(rows, offsetof(Block, hmask) + 16, high + 4);
    KGroupSums<kTokens, kExcess> sums(x);
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) {  // group 8h + 2s + part has its codes in bytes 32h + 16part ..
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

  // Scales of groups 4i .. 4i + 3, a signed byte each.
  static void unpack_scales(const __m512i tail[4], __m512i scales[4]) {
    __m512i bytes[3];  // the 12 bytes: two of low nibbles, then the upper bits of all
#pragma GCC unroll 4
    for (int i = 0; i < 3; ++i)
      bytes[i] = _mm512_or_si512(_mm512_srli_epi32(tail[i], 16), _mm512_slli_epi32(tail[i + 1], 16));
    const __m512i upper = _mm512_set1_epi8(0x30);
    scales[0] = or_masked(low_nibbles(bytes[0]), _mm512_slli_epi16(bytes[2], 4), upper);
    scales[1] = or_masked(low_nibbles(bytes[1]), _mm512_slli_epi16(bytes[2], 2), upper);
    scales[2] = or_masked(high_nibbles(bytes[0]), bytes[2], upper);
    scales[3] = or_masked(high_nibbles(bytes[1]), _mm512_srli_epi16(bytes[2], 2), upper);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) scales[i] = _mm512_sub_epi8(scales[i], _mm512_set1_epi8(32));
  }

  // The third bit of each code is bit `bit` of a byte.
  static void add_third_bits(const __m512i high[4], unsigned bit, __m512i q[4]) {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const __m512i moved =
          bit < 2 ? _mm512_slli_epi16(high[i], 2 - bit) : _mm512_srli_epi16(high[i], bit - 2);
      q[i] = or_masked(q[i], moved, _mm512_set1_epi8(4));
    }
  }
};

}  // namespace

void matmul_q3_k_avx512(const MatMulRows& m) { matmul_stream<Format>(m); }

}  // namespace minfer
