// Panel products of the K types: blocks of 256 codes in kSubs groups, each with an integer scale and, for some, an
// integer minimum. A Codes256 type has
//   Block                      the packed struct of quant/
//   kCodes, kHasMin, kSubs     8 or 16
//   void load(const BlockRows&, __m512i q[64])
//   void load_scales(const BlockRows&, KScales<kSubs>&)     scales, d and, where it has them, mins, dmin
#pragma once

#include "backends/cpu/simd/avx512/gemm_k_scales.h"
#include "backends/cpu/simd/avx512/gemm_panel.h"

namespace minfer {
namespace {

template <int kSubs>
struct Panel256 {
  __m512i q[64][kGroups];          // by column
  __m512i scales[kSubs][kGroups];  // 32-bit
  __m512i mins[kSubs / 2][kGroups];
  __m512i start[kGroups];  // what the integer sum starts from
  __m512 d[kGroups];
  __m512 dmin[kGroups];
};

template <class Codes256>
struct Format256 {
  using Block = typename Codes256::Block;
  using Panel = Panel256<Codes256::kSubs>;
  static constexpr int kColumns = 64 / Codes256::kSubs;  // of a group

  static void unpack(const BlockRows& rows, int group, Panel& panel) {
    __m512i q[64];
    Codes256::load(rows, q);
    for (int c = 0; c < 64; ++c) panel.q[c][group] = q[c];
    KScales<Codes256::kSubs> scales;
    Codes256::load_scales(rows, scales);
    for (int s = 0; s < Codes256::kSubs; ++s) panel.scales[s][group] = scales.scales[s];
    panel.d[group] = scales.d;
    if constexpr (Codes256::kHasMin) {
      for (int i = 0; i < Codes256::kSubs / 2; ++i) panel.mins[i][group] = scales.mins[i];
      panel.dmin[group] = scales.dmin;
    }
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

  template <int T>
  static inline void multiply(const Panel* panels, std::size_t n_blocks, const Tokens& x,
                              __m512 (&acc)[T][kGroups]) {
    const std::uint8_t* scales = x.row + activation_scales_offset(x.k);
    const std::uint8_t* sums = x.row + activation_sums_offset(x.k, 256);
    for (int t = 0; t < T; ++t)
      for (int g = 0; g < kGroups; ++g) acc[t][g] = zero_lanes();
    for (std::size_t b = 0; b < n_blocks; ++b) {
      const Panel& panel = panels[b];
      __m512i total[T][kGroups];
      dot(panel, x.row + 256 * b, x.stride, total);
      for (int t = 0; t < T; ++t) {
        const std::size_t row = static_cast<std::size_t>(t) * x.stride;
        const __m512 d = broadcast_float(scales + row + 4 * b);
        for (int g = 0; g < kGroups; ++g) acc[t][g] = add_scaled(acc[t][g], panel.d[g], d, total[t][g]);
        if constexpr (Codes256::kHasMin)
          add_minimums<Codes256::kSubs>(panel.mins, panel.dmin, sums + row + 32 * b, d, acc[t]);
      }
    }
  }
};

}  // namespace
}  // namespace minfer
