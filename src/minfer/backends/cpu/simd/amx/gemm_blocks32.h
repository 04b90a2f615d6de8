// Tile products of the types with blocks of 32 codes (the Codes32 types of avx512/gemm_blocks32.h). A block is half a
// tile of codes: its sum is needed by itself, since it is multiplied with scales of its own.
#pragma once

#include "backends/cpu/simd/amx/gemm_panel.h"

namespace minfer {
namespace {

struct TilePanel32 {
  __m512i q[8][kGroups];  // by column, signed
  __m512 d[kGroups];
  __m512 m[kGroups];
};

template <class Codes32>
struct TileFormat32 {
  using Block = typename Codes32::Block;
  using Panel = TilePanel32;
  static constexpr int kProductValues = 32;
  static constexpr int kStepBlocks = 4;
  struct Sums {
    TileSums of[kStepBlocks];
  };

  static void unpack(const BlockRows& rows, int group, Panel& panel) {
    __m512i head[4];
    __m512i q[8];
    load_columns(rows, 0, head);
    Codes32::load(rows, head, q);
    for (int c = 0; c < 8; ++c) panel.q[c][group] = q[c];
    panel.d[group] = low_halves(head[0]);
    if constexpr (Codes32::kHasMin) panel.m[group] = high_halves(head[0]);
  }

  template <int T>
  static inline void multiply(const Panel* panels, const std::uint8_t* x, std::size_t x_stride, int n_blocks,
                              Sums& sums) {
    for (int b = 0; b < n_blocks; ++b) {
      clear_sums<T>();
      add_products<T>(x + 32 * b, x_stride, panels[b].q);
      store_sums<T>(sums.of[b]);
    }
  }

  template <int N>
  static inline void add(const Panel* panels, const Sums& sums, const TokenRows& x, int token,
                         std::size_t block, int n_blocks, TileResults& results) {
    const std::uint8_t* row = x.row + static_cast<std::size_t>(token) * x.stride;
    const std::uint8_t* scales = row + activation_scales_offset(x.k) + 4 * block;
    const std::uint8_t* x_sums = row + activation_sums_offset(x.k, 32) + 2 * block;
    __m512 acc[N][kGroups];
    for (int t = 0; t < N; ++t)
      for (int g = 0; g < kGroups; ++g) acc[t][g] = results.acc[token + t][g];
    for (int b = 0; b < n_blocks; ++b) {
      const Panel& panel = panels[b];
#pragma GCC unroll 4
      for (int t = 0; t < N; ++t) {
        const std::size_t at = static_cast<std::size_t>(t) * x.stride;
        const __m512 d = broadcast_float(scales + at + 4 * b);
        for (int g = 0; g < kGroups; ++g)
          acc[t][g] = add_scaled(acc[t][g], panel.d[g], d, sums.of[b].sum[token + t][g]);
        if constexpr (Codes32::kHasMin) {
          const __m512 x_sum =
              _mm512_set1_ps(static_cast<float>(*reinterpret_cast<const std::int16_t*>(x_sums + at + 2 * b)));
          for (int g = 0; g < kGroups; ++g)
            acc[t][g] = _mm512_fmadd_ps(_mm512_mul_ps(panel.m[g], d), x_sum, acc[t][g]);
        }
      }
    }
    for (int t = 0; t < N; ++t)
      for (int g = 0; g < kGroups; ++g) results.acc[token + t][g] = acc[t][g];
  }
};

}  // namespace
}  // namespace minfer
