// Panel products of the types with blocks of 32 codes; Codes32 as in matmul_blocks32.h.
#pragma once

#include "backends/cpu/simd/neon/gemm_words.h"

namespace minfer {
namespace {

struct alignas(64) Panel32 {
  int8x16_t q[2][8];
  float d[kPanelLanes];
  float m[kPanelLanes];
};

template <class Codes32>
struct PanelFormat32 {
  using Block = typename Codes32::Block;
  using Panel = Panel32;

  static void unpack(const BlockRows& rows, int group, Panel& panel) {
    int8x16_t q[2][kRows];
    for (int r = 0; r < kRows; ++r) {
      const std::uint8_t* block = rows.row[r];
      int8x16_t codes[2];
      Codes32::load(block, codes);
      q[0][r] = codes[0];
      q[1][r] = codes[1];
      set_row(panel.d, kRows * group + r, half_to_float(block + offsetof(Block, d)));
      if constexpr (Codes32::kHasMin)
        set_row(panel.m, kRows * group + r, half_to_float(block + offsetof(Block, m)));
    }
    for (int v = 0; v < 2; ++v) store_codes(q[v], group, panel.q[v]);
  }

  template <int T>
  static inline void multiply(const Panel* panels, std::size_t n_blocks, const Tokens& x,
                              float32x4_t (&rows)[T][kGroups]) {
    const std::size_t scales = activation_scales_offset(x.k);
    const std::size_t sums = activation_sums_offset(x.k, 32);
    UnitAccumulators<T> total;
    for (std::size_t b = 0; b < n_blocks; ++b) {
      const Panel& panel = panels[b];
      UnitSums<T> dot;
      dot.template add<2>(panel.q, x, 32 * b);
#pragma GCC unroll 4
      for (int t = 0; t < kTokenUnits<T>; ++t) {
        const TokenUnit tokens = token_unit<T>(x, t);
        const float32x4_t d = token_floats(tokens.row + scales + 4 * b, tokens.to_second);
        add_block(panel, d, dot.sum[t], tokens.row + sums + 2 * b, tokens.to_second, total.acc[t]);
      }
    }
    total.give_rows(rows);
  }

  static inline void add_block(const Panel& panel, float32x4_t d, const int32x4_t (&sum)[kUnits],
                               [[maybe_unused]] const std::uint8_t* x_sum,
                               [[maybe_unused]] std::size_t to_second, float32x4_t (&acc)[kUnits]) {
#pragma GCC unroll 4
    for (int u = 0; u < kUnits; ++u)
      acc[u] = vfmaq_f32(acc[u], vmulq_f32(vld1q_f32(panel.d + 4 * u), d), to_floats(sum[u]));
    if constexpr (Codes32::kHasMin) {
      const int16x4_t shorts =
          token_shorts(load_value<std::int16_t>(x_sum), load_value<std::int16_t>(x_sum + to_second));
      const float32x4_t floats = to_floats(vmovl_s16(shorts));
#pragma GCC unroll 4
      for (int u = 0; u < kUnits; ++u)
        acc[u] = vfmaq_f32(acc[u], vmulq_f32(vld1q_f32(panel.m + 4 * u), d), floats);
    }
  }
};

}  // namespace
}  // namespace minfer
