// Words of the integer matrix product for NEON: four weight rows at a time. The codes of a row stay in their order; 16
// of them times 16 activations are added to four partial sums, and the partial sums of four rows are added across where
// a block ends. Integers, so the sums are exact in any order.
#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/cpu/matmul/matmul_kernels.h"
#include "backends/cpu/simd/neon/tier.h"
#include "backends/cpu/simd/prefetch.h"
#include "quant/activation_row.h"

namespace minfer {
namespace {

constexpr int kRows = 4;
using Lanes = float32x4_t;

inline Lanes zero_lanes() { return vdupq_n_f32(0.0f); }

inline void store_lanes(Lanes values, float* out, int n_valid) {
  if (n_valid == kRows) return vst1q_f32(out, values);
  float all[kRows];
  vst1q_f32(all, values);
  std::memcpy(out, all, static_cast<std::size_t>(n_valid) * sizeof(float));
}

#include "backends/cpu/simd/generic/matmul_blocks.inl"
#include "backends/cpu/simd/generic/matmul_stream.inl"

// sum + 16 codes times 16 activations. Without SDOT, two products are added in 16 bits: activations are in [-127, 127],
// so for any codes they are at most 2 * 128 * 127 = 32512 in magnitude.
inline int32x4_t add_dot(int32x4_t sum, int8x16_t codes, int8x16_t x) {
#if defined(__ARM_FEATURE_DOTPROD)
  return vdotq_s32(sum, codes, x);
#else
  return vpadalq_s16(sum, vmlal_high_s8(vmull_s8(vget_low_s8(codes), vget_low_s8(x)), codes, x));
#endif
}

// The sum of the lanes of each row's partial sums.
inline int32x4_t add_across(const int32x4_t (&row)[kRows]) {
  return vpaddq_s32(vpaddq_s32(row[0], row[1]), vpaddq_s32(row[2], row[3]));
}

// The float16 at `offset` in the block of every row.
inline float32x4_t load_halves(const BlockRows& rows, std::size_t offset) {
  const auto half = [&](int r) { return reinterpret_cast<const std::uint16_t*>(rows.row[r] + offset); };
  uint16x4_t halves = vld1_dup_u16(half(0));
  halves = vld1_lane_u16(half(1), halves, 1);
  halves = vld1_lane_u16(half(2), halves, 2);
  halves = vld1_lane_u16(half(3), halves, 3);
  return vcvt_f32_f16(vreinterpret_f16_u16(halves));
}

inline uint8x16_t low_nibbles(uint8x16_t bytes) { return vandq_u8(bytes, vdupq_n_u8(15)); }
inline uint8x16_t high_nibbles(uint8x16_t bytes) { return vshrq_n_u8(bytes, 4); }

// Every byte shifted to the left, or to the right by a negative number of bits.
inline uint8x16_t shift(uint8x16_t bytes, int left) {
  return vshlq_u8(bytes, vdupq_n_s8(static_cast<std::int8_t>(left)));
}

// a | (b & mask)
inline uint8x16_t or_masked(uint8x16_t a, uint8x16_t b, std::uint8_t mask) {
  return vorrq_u8(a, vandq_u8(b, vdupq_n_u8(mask)));
}

// Codes less an offset.
inline int8x16_t centered(uint8x16_t codes, int offset) {
  return vsubq_s8(vreinterpretq_s8_u8(codes), vdupq_n_s8(static_cast<std::int8_t>(offset)));
}
inline int8x16_t plain(uint8x16_t codes) { return vreinterpretq_s8_u8(codes); }

inline float32x4_t to_floats(int32x4_t sum) { return vcvtq_f32_s32(sum); }

// acc + (d_w * d_x) * sum, the product of the scales rounded once.
inline Lanes add_scaled(Lanes acc, float32x4_t d_w, float d_x, int32x4_t sum) {
  return vfmaq_f32(acc, vmulq_n_f32(d_w, d_x), to_floats(sum));
}
// acc - (d_w * d_x) * sum.
inline Lanes subtract_scaled(Lanes acc, float32x4_t d_w, float d_x, int32x4_t sum) {
  return vfmsq_f32(acc, vmulq_n_f32(d_w, d_x), to_floats(sum));
}

}  // namespace
}  // namespace minfer
