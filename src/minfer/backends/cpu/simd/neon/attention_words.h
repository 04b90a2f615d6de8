// The words of simd/generic/attention_words.inl (which defines them) for NEON.
#pragma once

#define MINFER_ATTENTION_WORDS

#include "backends/cpu/simd/generic/unrolled.inl"
#include "backends/cpu/simd/neon/words.h"

namespace minfer {
namespace {

// 20 registers of sums, four of a vector and five of factors, which the compiler loads together.
constexpr int kTileWords = 1;
constexpr int kTileQueries = 5;

// 4 rows of 4.
inline void transpose(float32x4_t& a, float32x4_t& b, float32x4_t& c, float32x4_t& d) {
  const auto pairs = [](float32x4_t x) { return vreinterpretq_f64_f32(x); };
  const float64x2_t even_ab = pairs(vtrn1q_f32(a, b));  // lanes 0 and 2
  const float64x2_t odd_ab = pairs(vtrn2q_f32(a, b));
  const float64x2_t even_cd = pairs(vtrn1q_f32(c, d));
  const float64x2_t odd_cd = pairs(vtrn2q_f32(c, d));
  a = vreinterpretq_f32_f64(vzip1q_f64(even_ab, even_cd));
  b = vreinterpretq_f32_f64(vzip1q_f64(odd_ab, odd_cd));
  c = vreinterpretq_f32_f64(vzip2q_f64(even_ab, even_cd));
  d = vreinterpretq_f32_f64(vzip2q_f64(odd_ab, odd_cd));
}
inline void transpose(F32x16 (&rows)[kLanes]) {
  F32x16 turned[kLanes];
  for (int i = 0; i < kParts; ++i) {
    for (int p = 0; p < kParts; ++p) {
      F32x16* const four = rows + 4 * i;
      transpose(four[0].part[p], four[1].part[p], four[2].part[p], four[3].part[p]);
      for (int j = 0; j < 4; ++j) turned[4 * p + j].part[i] = four[j].part[p];
    }
  }
  for (int i = 0; i < kLanes; ++i) rows[i] = turned[i];
}

inline F32x16 load_two_blocks(const void* first, const void* second) {
  const auto* low = static_cast<const float*>(first);
  const auto* high = static_cast<const float*>(second);
  return {{vld1q_f32(low), vld1q_f32(low + 4), vld1q_f32(high), vld1q_f32(high + 4)}};
}
inline void store_column(std::int8_t* target, F32x16 bits) { store(reinterpret_cast<float*>(target), bits); }

// Sums of 4 products, of four values of each of four rows and the values 4 * lane .. of x.
template <int lane>
MINFER_INLINE int32x4_t dot_fours(int32x4_t sums, int8x16_t rows, int8x16_t x) {
#if defined(__ARM_FEATURE_DOTPROD)
  return vdotq_laneq_s32(sums, rows, x, lane);
#else
  const int8x16_t four = vreinterpretq_s8_s32(vdupq_laneq_s32(vreinterpretq_s32_s8(x), lane));
  const int16x8_t low = vmull_s8(vget_low_s8(rows), vget_low_s8(four));
  // Two products stay within 16 bits: x is never -128.
  return vpadalq_s16(sums, vpaddq_s16(low, vmull_high_s8(rows, four)));
#endif
}
inline F32x16 dot_columns(const std::int8_t* columns, const std::int8_t* x, std::int32_t /*sum_x*/) {
  I32x16 sums = make_integers([](int) { return vdupq_n_s32(0); });
  unrolled<8>([&](auto i) MINFER_INLINE_LAMBDA {
    const int8x16_t values = vld1q_s8(x + i.value / 4 * 16);
    unrolled<kParts>([&](auto p) MINFER_INLINE_LAMBDA {
      const int8x16_t rows = vld1q_s8(columns + 64 * i.value + 16 * p.value);
      sums.part[p.value] = dot_fours<i.value % 4>(sums.part[p.value], rows, values);
    });
  });
  return to_f32(sums);
}

}  // namespace
}  // namespace minfer
