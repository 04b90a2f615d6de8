// Panel products of the types with blocks of 256 codes; Codes256 as in matmul_blocks256.h.
#pragma once

#include "backends/cpu/simd/neon/gemm_words.h"
#include "backends/cpu/simd/neon/matmul_blocks256.h"

namespace minfer {
namespace {

template <class Codes256>
struct alignas(64) Panel256 {
  static constexpr int kMins = Codes256::kHasMin ? Codes256::kSubs : 1;
  int8x16_t q[16][8];
  std::int32_t scales[Codes256::kSubs][kPanelLanes];
  std::int16_t mins[kMins][kPanelLanes];
  float d[kPanelLanes];
  float dmin[kPanelLanes];
};

template <class Codes256>
struct PanelFormat256 {
  using Block = typename Codes256::Block;
  using Panel = Panel256<Codes256>;
  static constexpr int kSubs = Codes256::kSubs;
  static constexpr int kVectors = 16 / kSubs;  // of a group

  static void unpack(const BlockRows& rows, int group, Panel& panel) {
    int8x16_t q[16][kRows];
    for (int r = 0; r < kRows; ++r) {
      int8x16_t codes[16];
      Codes256::load(rows.row[r], codes);
      for (int v = 0; v < 16; ++v) q[v][r] = codes[v];
      unpack_scales(rows.row[r], kRows * group + r, panel);
    }
    for (int v = 0; v < 16; ++v) store_codes(q[v], group, panel.q[v]);
  }

  static void unpack_scales(const std::uint8_t* block, int row, Panel& panel) {
    SubScales<kSubs> s;
    std::int16_t scales[kSubs];
    Codes256::load_scales(block, s);
    for (int i = 0; i < kSubs / 8; ++i) vst1q_s16(scales + 8 * i, s.scales[i]);
    for (int i = 0; i < kSubs; ++i) set_row(panel.scales[i], row, std::int32_t{scales[i]});
    set_row(panel.d, row, half_to_float(block + offsetof(Block, d)));
    if constexpr (Codes256::kHasMin) {
      std::int16_t mins[kSubs];
      for (int i = 0; i < kSubs / 8; ++i) vst1q_s16(mins + 8 * i, s.mins[i]);
      for (int i = 0; i < kSubs; ++i) set_row(panel.mins[i], row, mins[i]);
      set_row(panel.dmin, row, half_to_float(block + offsetof(Block, dmin)));
    }
  }

  template <int T>
  static inline void multiply(const Panel* panels, std::size_t n_blocks, const Tokens& x,
                              float32x4_t (&rows)[T][kGroups]) {
    const std::size_t scales = activation_scales_offset(x.k);
    const std::size_t sums = activation_sums_offset(x.k, 256);
    UnitAccumulators<T> total;
    for (std::size_t b = 0; b < n_blocks; ++b) {
      const Panel& panel = panels[b];
      UnitSums<T> dot;
      for (int s = 0; s < kSubs; ++s) add_group(panel, s, x, 256 * b, dot);
#pragma GCC unroll 4
      for (int t = 0; t < kTokenUnits<T>; ++t) {
        const TokenUnit tokens = token_unit<T>(x, t);
        const float32x4_t d = token_floats(tokens.row + scales + 4 * b, tokens.to_second);
#pragma GCC unroll 4
        for (int u = 0; u < kUnits; ++u)
          total.acc[t][u] =
              vfmaq_f32(total.acc[t][u], vmulq_f32(vld1q_f32(panel.d + 4 * u), d), to_floats(dot.sum[t][u]));
        if constexpr (Codes256::kHasMin)
          subtract_minimums(panel, d, tokens.row + sums + 32 * b, tokens.to_second, total.acc[t]);
      }
    }
    total.give_rows(rows);
  }

  // total += scale * (codes times activations) of group s.
  template <int T>
  static inline void add_group(const Panel& panel, int s, const Tokens& x, std::size_t offset,
                               UnitSums<T>& total) {
    UnitSums<T> dot;
    dot.template add<kVectors>(panel.q + kVectors * s, x,
                               offset + static_cast<std::size_t>(16 * kVectors * s));
#pragma GCC unroll 4
    for (int u = 0; u < kUnits; ++u) {
      const int32x4_t scale = vld1q_s32(panel.scales[s] + 4 * u);
#pragma GCC unroll 4
      for (int t = 0; t < kTokenUnits<T>; ++t)
        total.sum[t][u] = vmlaq_s32(total.sum[t][u], dot.sum[t][u], scale);
    }
  }

  static inline void subtract_minimums(const Panel& panel, float32x4_t d, const std::uint8_t* x_sums,
                                       std::size_t to_second, float32x4_t (&acc)[kUnits]) {
    std::int16_t first[kSubs];
    std::int16_t second[kSubs];
    store_group_sums(x_sums, first);
    store_group_sums(x_sums + to_second, second);
    int32x4_t total[kUnits];
    for (int u = 0; u < kUnits; ++u) total[u] = vdupq_n_s32(0);
    for (int s = 0; s < kSubs; ++s) {
      const int16x4_t sums = token_shorts(first[s], second[s]);
#pragma GCC unroll 4
      for (int u = 0; u < kUnits; ++u) total[u] = vmlal_s16(total[u], vld1_s16(panel.mins[s] + 4 * u), sums);
    }
#pragma GCC unroll 4
    for (int u = 0; u < kUnits; ++u)
      acc[u] = vfmsq_f32(acc[u], vmulq_f32(vld1q_f32(panel.dmin + 4 * u), d), to_floats(total[u]));
  }

  static inline void store_group_sums(const std::uint8_t* x_sums, std::int16_t (&target)[kSubs]) {
    int16x8_t sums[kSubs / 8];
    load_group_sums<kSubs>(reinterpret_cast<const std::int16_t*>(x_sums), sums);
    for (int i = 0; i < kSubs / 8; ++i) vst1q_s16(target + 8 * i, sums[i]);
  }
};

}  // namespace
}  // namespace minfer
