// Panel products of the types with blocks of 32 codes, a scale and, for some, a minimum. A Codes32 type has
//   Block                      the packed struct of quant/
//   kCodes, kHasMin
//   void load(const BlockRows&, const __m512i head[4], __m512i q[8])     head: the block's first 16 bytes, as columns
#pragma once

#include "backends/cpu/simd/avx512/gemm_panel.h"

namespace minfer {
namespace {

struct Panel32 {
  __m512i q[8][kGroups];   // by column
  __m512i start[kGroups];  // what the integer sum starts from
  __m512 d[kGroups];
  __m512 m[kGroups];
};

template <class Codes32>
struct Format32 {
  using Block = typename Codes32::Block;
  using Panel = Panel32;

  static void unpack(const BlockRows& rows, int group, Panel& panel) {
    __m512i head[4];
    __m512i q[8];
    load_columns(rows, 0, head);
    Codes32::load(rows, head, q);
    for (int c = 0; c < 8; ++c) panel.q[c][group] = q[c];
    panel.start[group] = _mm512_setzero_si512();
    if constexpr (Codes32::kCodes == Codes::kSigned)
      panel.start[group] = _mm512_sub_epi32(panel.start[group], excess(q, 8));
    panel.d[group] = low_halves(head[0]);
    if constexpr (Codes32::kHasMin) panel.m[group] = high_halves(head[0]);
  }

  template <int T>
  static inline void dot(const Panel& panel, const std::uint8_t* x, std::size_t stride,
                         __m512i (&sum)[T][kGroups]) {
    for (int t = 0; t < T; ++t)
      for (int g = 0; g < kGroups; ++g) sum[t][g] = panel.start[g];
#pragma GCC unroll 8
    for (int c = 0; c < 8; ++c) {
#pragma GCC unroll 8
      for (int t = 0; t < T; ++t) {
        const __m512i values = broadcast_4<Codes32::kCodes>(x + static_cast<std::size_t>(t) * stride + 4 * c);
        for (int g = 0; g < kGroups; ++g)
          sum[t][g] = add_dot<Codes32::kCodes>(sum[t][g], panel.q[c][g], values);
      }
    }
  }

  template <int T>
  static inline void multiply(const Panel* panels, std::size_t n_blocks, const Tokens& x,
                              __m512 (&acc)[T][kGroups]) {
    const std::uint8_t* scales = x.row + activation_scales_offset(x.k);
    const std::uint8_t* sums = x.row + activation_sums_offset(x.k, 32);
    for (int t = 0; t < T; ++t)
      for (int g = 0; g < kGroups; ++g) acc[t][g] = zero_lanes();
    for (std::size_t b = 0; b < n_blocks; ++b) {
      const Panel& panel = panels[b];
      __m512i sum[T][kGroups];
      dot(panel, x.row + 32 * b, x.stride, sum);
#pragma GCC unroll 8
      for (int t = 0; t < T; ++t) {
        const std::size_t row = static_cast<std::size_t>(t) * x.stride;
        const __m512 d = broadcast_float(scales + row + 4 * b);
        for (int g = 0; g < kGroups; ++g) acc[t][g] = add_scaled(acc[t][g], panel.d[g], d, sum[t][g]);
        if constexpr (Codes32::kHasMin) {
          const __m512 x_sum =
              _mm512_set1_ps(static_cast<float>(*reinterpret_cast<const std::int16_t*>(sums + row + 2 * b)));
          for (int g = 0; g < kGroups; ++g)
            acc[t][g] = _mm512_fmadd_ps(_mm512_mul_ps(panel.m[g], d), x_sum, acc[t][g]);
        }
      }
    }
  }
};

}  // namespace
}  // namespace minfer
