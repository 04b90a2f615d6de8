// Words of the panel products. A panel holds eight rows, and its codes lie as the dot products of the tier read them.
// What differs between SDOT and SMMLA is in gemm_layout_sdot.h and gemm_layout_smmla.h; both define, for registers of
// four int32 sums or floats:
//   kUnits                      registers that hold a value of each row of a panel, in kUnitLanes lanes each
//   kUnitTokens                 tokens in a register of sums: one, or two that alternate
//   set_row(values, row, value)                 a row's value in its lanes of values[kUnits * 4]
//   store_codes(rows, group, target)            16 codes of four rows into their places in target[8]
//   load_codes(x, to_second) -> XCodes          16 activations of each token of a register
//   add_products(sum, codes, x)                 sum[kUnits] += codes[8] times activations
//   token_floats(x, to_second), token_shorts    a value of each token in its lanes
//   to_rows(unit, first, acc)                   finished sums as values of four rows, for each token
// where the second token's bytes lie `to_second` after the first one's.
#pragma once

#include "backends/cpu/matmul/gemm_kernels.h"
#include "backends/cpu/simd/neon/k_scales.h"
#include "backends/cpu/simd/neon/matmul_words.h"

namespace minfer {
namespace {

constexpr int kGroups = 2;
constexpr int kTileTokens = 4;  // eight registers of sums, as many of scaled sums and of accumulators

#include "backends/cpu/simd/generic/gemm_panel.inl"

template <typename T>
inline T load_value(const std::uint8_t* source) {
  T value;
  std::memcpy(&value, source, sizeof(value));
  return value;
}
inline float half_to_float(const std::uint8_t* source) {
  const uint16x4_t half = vdup_n_u16(load_value<std::uint16_t>(source));
  return vgetq_lane_f32(vcvt_f32_f16(vreinterpret_f16_u16(half)), 0);
}

}  // namespace
}  // namespace minfer

#if defined(__ARM_FEATURE_MATMUL_INT8)
#include "backends/cpu/simd/neon/gemm_layout_smmla.h"
#else
#include "backends/cpu/simd/neon/gemm_layout_sdot.h"
#endif

namespace minfer {
namespace {

constexpr int kPanelLanes = kUnits * 4;
template <int T>
constexpr int kTokenUnits = (T + kUnitTokens - 1) / kUnitTokens;  // registers of sums that T tokens take

// Where the tokens of a register of sums lie. A token without a partner is its own.
struct TokenUnit {
  const std::uint8_t* row;
  std::size_t to_second;
};
template <int T>
inline TokenUnit token_unit(const Tokens& x, int unit) {
  const int first = unit * kUnitTokens;
  return {x.row + static_cast<std::size_t>(first) * x.stride, first + 1 < T ? x.stride : 0};
}

// Registers of T tokens and the rows of a panel.
template <int T>
struct UnitSums {
  int32x4_t sum[kTokenUnits<T>][kUnits];

  UnitSums() {
#pragma GCC unroll 4
    for (int t = 0; t < kTokenUnits<T>; ++t)
#pragma GCC unroll 4
      for (int u = 0; u < kUnits; ++u) sum[t][u] = vdupq_n_s32(0);
  }

  // kVectors times 16 codes and activations from x + offset on.
  template <int kVectors>
  void add(const int8x16_t (*codes)[8], const Tokens& x, std::size_t offset) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
#pragma GCC unroll 4
      for (int t = 0; t < kTokenUnits<T>; ++t) {
        const TokenUnit tokens = token_unit<T>(x, t);
        const XCodes values =
            load_codes(tokens.row + offset + static_cast<std::size_t>(16 * v), tokens.to_second);
        add_products(sum[t], codes[v], values);
      }
    }
  }
};

template <int T>
struct UnitAccumulators {
  float32x4_t acc[kTokenUnits<T>][kUnits];

  UnitAccumulators() {
    for (int t = 0; t < kTokenUnits<T>; ++t)
      for (int u = 0; u < kUnits; ++u) acc[t][u] = vdupq_n_f32(0.0f);
  }

  void give_rows(float32x4_t (&rows)[T][kGroups]) const {
    for (int t = 0; t < kTokenUnits<T>; ++t) to_rows<T>(acc[t], t * kUnitTokens, rows);
  }
};

}  // namespace
}  // namespace minfer
