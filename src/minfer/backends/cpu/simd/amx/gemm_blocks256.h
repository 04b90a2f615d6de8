// Tile products of the K types (the Codes256 types of avx512/gemm_blocks256.h). A code times the scale of its group is
// a number of at most 13 bits and a sign, which unpacking splits into low + 128 * high, a signed byte each: then whole
// blocks are summed by the tiles, and only one addition of both sums is left to do.
#pragma once

#include "backends/cpu/simd/amx/gemm_panel.h"
#include "backends/cpu/simd/avx512/gemm_k_scales.h"

namespace minfer {
namespace {

template <int kSubs>
struct TilePanel256 {
  __m512i low[64][kGroups];   // by column, -64 .. 63
  __m512i high[64][kGroups];  // -33 .. 33
  __m512i mins[kSubs / 2][kGroups];
  __m512 d[kGroups];
  __m512 dmin[kGroups];
};

// q (a byte each, signed) times scale (in both halves of every lane), as low + 128 * high.
inline void split_product(__m512i q, __m512i scale, __m512i& low, __m512i& high) {
  const __m512i even = _mm512_mullo_epi16(_mm512_srai_epi16(_mm512_slli_epi16(q, 8), 8), scale);
  const __m512i odd = _mm512_mullo_epi16(_mm512_srai_epi16(q, 8), scale);
  const __m512i half = _mm512_set1_epi16(64);
  const __m512i even_high = _mm512_srai_epi16(_mm512_add_epi16(even, half), 7);
  const __m512i odd_high = _mm512_srai_epi16(_mm512_add_epi16(odd, half), 7);
  const __m512i even_low = _mm512_sub_epi16(even, _mm512_slli_epi16(even_high, 7));
  const __m512i odd_low = _mm512_sub_epi16(odd, _mm512_slli_epi16(odd_high, 7));
  const __m512i low_byte = _mm512_set1_epi16(0x00ff);
  low = or_masked(_mm512_slli_epi16(odd_low, 8), even_low, low_byte);
  high = or_masked(_mm512_slli_epi16(odd_high, 8), even_high, low_byte);
}

template <class Codes256>
struct TileFormat256 {
  using Block = typename Codes256::Block;
  static constexpr int kSubs = Codes256::kSubs;
  using Panel = TilePanel256<kSubs>;
  static constexpr int kProductValues = 64;
  static constexpr int kStepBlocks = 1;
  struct Sums {
    TileSums low;
    TileSums high;
  };

  static void unpack(const BlockRows& rows, int group, Panel& panel) {
    __m512i q[64];
    KScales<kSubs> scales;
    Codes256::load(rows, q);
    Codes256::load_scales(rows, scales);
    constexpr int kColumns = 64 / kSubs;
    for (int s = 0; s < kSubs; ++s) {
      const __m512i scale =
          _mm512_mask_mov_epi16(scales.scales[s], 0xaaaaaaaau, _mm512_slli_epi32(scales.scales[s], 16));
      for (int c = kColumns * s; c < kColumns * (s + 1); ++c)
        split_product(q[c], scale, panel.low[c][group], panel.high[c][group]);
    }
    panel.d[group] = scales.d;
    if constexpr (Codes256::kHasMin) {
      for (int i = 0; i < kSubs / 2; ++i) panel.mins[i][group] = scales.mins[i];
      panel.dmin[group] = scales.dmin;
    }
  }

  template <int T>
  static inline void multiply_plane(const __m512i (&plane)[64][kGroups], const std::uint8_t* x,
                                    std::size_t x_stride, TileSums& sums) {
    clear_sums<T>();
    for (int i = 0; i < 4; ++i) add_products<T>(x + 64 * i, x_stride, plane + 16 * i);
    store_sums<T>(sums);
  }

  template <int T>
  static inline void multiply(const Panel* panels, const std::uint8_t* x, std::size_t x_stride,
                              int /*n_blocks*/, Sums& sums) {
    multiply_plane<T>(panels->low, x, x_stride, sums.low);
    multiply_plane<T>(panels->high, x, x_stride, sums.high);
  }

  template <int N>
  static inline void add(const Panel* panels, const Sums& sums, const TokenRows& x, int token,
                         std::size_t block, int /*n_blocks*/, TileResults& results) {
    const std::uint8_t* row = x.row + static_cast<std::size_t>(token) * x.stride;
    const std::uint8_t* scales = row + activation_scales_offset(x.k) + 4 * block;
    const std::uint8_t* x_sums = row + activation_sums_offset(x.k, 256) + 32 * block;
#pragma GCC unroll 4
    for (int t = 0; t < N; ++t) {
      const std::size_t at = static_cast<std::size_t>(t) * x.stride;
      const __m512 d = broadcast_float(scales + at);
      __m512(&acc)[kGroups] = results.acc[token + t];
      for (int g = 0; g < kGroups; ++g) {
        const __m512i high = _mm512_slli_epi32(sums.high.sum[token + t][g], 7);
        acc[g] = add_scaled(acc[g], panels->d[g], d, _mm512_add_epi32(sums.low.sum[token + t][g], high));
      }
      if constexpr (Codes256::kHasMin) add_minimums<kSubs>(panels->mins, panels->dmin, x_sums + at, d, acc);
    }
  }
};

}  // namespace
}  // namespace minfer
