// Panel products of the K types: blocks of 256 codes in kSubs groups, each with an integer scale and, for some, an
// integer minimum. A Codes256 type has
//   Block                      the packed struct of quant/
//   kCodes, kHasMin, kSubs     8 or 16
//   void load(const BlockRows&, __m512i q[64])
//   void load_scales(const BlockRows&, int group, Panel256<kSubs>&)     scales, d and, where it has them, mins, dmin
#pragma once

#include "backends/cpu/simd/avx512/gemm_panel.h"

namespace minfer {
namespace {

template <int kSubs>
struct Panel256 {
  __m512i q[64][kGroups];          // by column
  __m512i scales[kSubs][kGroups];  // 32-bit
  __m512i mins[4][kGroups];        // of groups 2i and 2i + 1, in 16 bits each
  __m512i start[kGroups];          // what the integer sum starts from
  __m512 d[kGroups];
  __m512 dmin[kGroups];
};

// The sums of groups of 32 activations, 16 bits each, from those of 16.
inline __m128i sums_of_32(const std::uint8_t* sums_of_16) {
  const __m256i sums = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums_of_16));
  return _mm256_cvtepi32_epi16(_mm256_madd_epi16(sums, _mm256_set1_epi16(1)));
}

template <class Codes256>
struct Format256 {
  using Block = typename Codes256::Block;
  using Panel = Panel256<Codes256::kSubs>;
  static constexpr int kColumns = 64 / Codes256::kSubs;  // of a group

  static void unpack(const BlockRows& rows, int group, Panel& panel) {
    __m512i q[64];
    Codes256::load(rows, q);
    for (int c = 0; c < 64; ++c) panel.q[c][group] = q[c];
    Codes256::load_scales(rows, group, panel);
    __m512i start = _mm512_setzero_si512();
    if constexpr (Codes256::kCodes == Codes::kSigned)
      for (int s = 0; s < Codes256::kSubs; ++s)
        start = _mm512_sub_epi32(
            start, _mm512_mullo_epi32(excess(q + kColumns * s, kColumns), panel.scales[s][group]));
    panel.start[group] = start;
  }

  // total += scale * (codes times activations) of one group.
  template <int T>
  static inline void add_group(const __m512i (*q)[kGroups], const __m512i (&scale)[kGroups],
                               const std::uint8_t* x, std::size_t stride, __m512i (&total)[T][kGroups]) {
    __m512i sum[T][kGroups];
    for (int t = 0; t < T; ++t)
      for (int g = 0; g < kGroups; ++g) sum[t][g] = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (int c = 0; c < kColumns; ++c) {
#pragma GCC unroll 8
      for (int t = 0; t < T; ++t) {
        const __m512i values =
            broadcast_4<Codes256::kCodes>(x + static_cast<std::size_t>(t) * stride + 4 * c);
        for (int g = 0; g < kGroups; ++g) sum[t][g] = add_dot<Codes256::kCodes>(sum[t][g], q[c][g], values);
      }
    }
    for (int t = 0; t < T; ++t)
      for (int g = 0; g < kGroups; ++g)
        total[t][g] = _mm512_add_epi32(total[t][g], _mm512_mullo_epi32(sum[t][g], scale[g]));
  }

  template <int T>
  static inline void dot(const Panel& panel, const std::uint8_t* x, std::size_t stride,
                         __m512i (&total)[T][kGroups]) {
    for (int t = 0; t < T; ++t)
      for (int g = 0; g < kGroups; ++g) total[t][g] = panel.start[g];
#pragma GCC unroll 1
    for (int s = 0; s < Codes256::kSubs; ++s)
      add_group(panel.q + kColumns * s, panel.scales[s], x + 4 * kColumns * s, stride, total);
  }

  static inline void add_minimums(const Panel& panel, const std::uint8_t* sums, __m512 d,
                                  __m512 (&acc)[kGroups]) {
    alignas(16) std::uint8_t x_sums[16];
    _mm_store_si128(reinterpret_cast<__m128i*>(x_sums), sums_of_32(sums));
    __m512i total[kGroups] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    for (int i = 0; i < 4; ++i)
      for (int g = 0; g < kGroups; ++g)
        total[g] =
            _mm512_dpwssd_epi32(total[g], panel.mins[i][g], _mm512_set1_epi32(load_4_bytes(x_sums + 4 * i)));
    for (int g = 0; g < kGroups; ++g)
      acc[g] = _mm512_fnmadd_ps(_mm512_mul_ps(panel.dmin[g], d), _mm512_cvtepi32_ps(total[g]), acc[g]);
  }

  template <int T>
  static inline void multiply(const Panel* panels, std::size_t n_blocks, const Tokens& x,
                              __m512 (&acc)[T][kGroups]) {
    const std::uint8_t* scales = x.row + activation_scales_offset(x.k);
    const std::uint8_t* sums = x.row + activation_sums_offset(x.k, 256);
    for (std::size_t b = 0; b < n_blocks; ++b) {
      const Panel& panel = panels[b];
      __m512i total[T][kGroups];
      dot(panel, x.row + 256 * b, x.stride, total);
      for (int t = 0; t < T; ++t) {
        const std::size_t row = static_cast<std::size_t>(t) * x.stride;
        const __m512 d = broadcast_float(scales + row + 4 * b);
        for (int g = 0; g < kGroups; ++g) acc[t][g] = add_scaled(acc[t][g], panel.d[g], d, total[t][g]);
        if constexpr (Codes256::kHasMin) add_minimums(panel, sums + row + 32 * b, d, acc[t]);
      }
    }
  }
};

}  // namespace
}  // namespace minfer
