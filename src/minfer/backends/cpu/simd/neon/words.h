// The words of simd/scalar/words.h (which defines them) for NEON: 16 lanes are four registers.
#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace minfer {
namespace {

constexpr int kLanes = 16;
constexpr int kParts = 4;  // registers of a word

struct F32x16 {
  float32x4_t part[kParts];  // lanes 0-3, 4-7, ...
};
struct I32x16 {
  int32x4_t part[kParts];
};

template <typename Function>
inline F32x16 make_floats(Function part_of) {
  return {{part_of(0), part_of(1), part_of(2), part_of(3)}};
}
template <typename Function>
inline I32x16 make_integers(Function part_of) {
  return {{part_of(0), part_of(1), part_of(2), part_of(3)}};
}

inline float fma_scalar(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline float sqrt_scalar(float a) { return vgetq_lane_f32(vsqrtq_f32(vdupq_n_f32(a)), 0); }
inline float f16_to_f32(std::uint16_t half) {
  return vgetq_lane_f32(vcvt_f32_f16(vreinterpret_f16_u16(vdup_n_u16(half))), 0);
}
inline std::uint16_t f32_to_f16(float value) {
  return vget_lane_u16(vreinterpret_u16_f16(vcvt_f16_f32(vdupq_n_f32(value))), 0);
}

inline F32x16 broadcast(float value) {
  return make_floats([&](int) { return vdupq_n_f32(value); });
}
inline F32x16 zeros() { return broadcast(0.0f); }

inline F32x16 load(const float* source) {
  return make_floats([&](int i) { return vld1q_f32(source + 4 * i); });
}
inline void store(float* target, F32x16 a) {
  for (int i = 0; i < kParts; ++i) vst1q_f32(target + 4 * i, a.part[i]);
}
inline F32x16 load_partial(const float* source, int n, float fill = 0.0f) {
  float all[kLanes];
  store(all, broadcast(fill));
  std::memcpy(all, source, static_cast<std::size_t>(n) * sizeof(float));
  return load(all);
}
inline void store_partial(float* target, F32x16 a, int n) {
  float all[kLanes];
  store(all, a);
  std::memcpy(target, all, static_cast<std::size_t>(n) * sizeof(float));
}

inline F32x16 add(F32x16 a, F32x16 b) {
  return make_floats([&](int i) { return vaddq_f32(a.part[i], b.part[i]); });
}
inline F32x16 sub(F32x16 a, F32x16 b) {
  return make_floats([&](int i) { return vsubq_f32(a.part[i], b.part[i]); });
}
inline F32x16 mul(F32x16 a, F32x16 b) {
  return make_floats([&](int i) { return vmulq_f32(a.part[i], b.part[i]); });
}
inline F32x16 div(F32x16 a, F32x16 b) {
  return make_floats([&](int i) { return vdivq_f32(a.part[i], b.part[i]); });
}
inline F32x16 fma(F32x16 a, F32x16 b, F32x16 c) {
  return make_floats([&](int i) { return vfmaq_f32(c.part[i], a.part[i], b.part[i]); });
}
// FMAX and FMIN would give NaN for a NaN, and +0 for zeros of either sign.
inline float32x4_t larger(float32x4_t a, float32x4_t b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
inline F32x16 max(F32x16 a, F32x16 b) {
  return make_floats([&](int i) { return larger(a.part[i], b.part[i]); });
}
inline F32x16 min(F32x16 a, F32x16 b) {
  return make_floats([&](int i) { return vbslq_f32(vcltq_f32(a.part[i], b.part[i]), a.part[i], b.part[i]); });
}
inline F32x16 abs(F32x16 a) {
  return make_floats([&](int i) { return vabsq_f32(a.part[i]); });
}
inline F32x16 negate(F32x16 a) {
  return make_floats([&](int i) { return vnegq_f32(a.part[i]); });
}
inline F32x16 select_less(F32x16 a, F32x16 b, F32x16 x, F32x16 y) {
  return make_floats([&](int i) { return vbslq_f32(vcltq_f32(a.part[i], b.part[i]), x.part[i], y.part[i]); });
}
inline F32x16 select_less_equal(F32x16 a, F32x16 b, F32x16 x, F32x16 y) {
  return make_floats([&](int i) { return vbslq_f32(vcleq_f32(a.part[i], b.part[i]), x.part[i], y.part[i]); });
}
inline float first_lane(F32x16 a) { return vgetq_lane_f32(a.part[0], 0); }
inline int find_equal(F32x16 a, F32x16 b) {
  const auto equal = [&](int i) { return vceqq_f32(a.part[i], b.part[i]); };
  const uint16x8_t low = vuzp1q_u16(vreinterpretq_u16_u32(equal(0)), vreinterpretq_u16_u32(equal(1)));
  const uint16x8_t high = vuzp1q_u16(vreinterpretq_u16_u32(equal(2)), vreinterpretq_u16_u32(equal(3)));
  const uint8x16_t lanes = vuzp1q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high));
  // Four bits of each byte.
  const uint8x8_t nibbles = vshrn_n_u16(vreinterpretq_u16_u8(lanes), 4);
  const std::uint64_t mask = vget_lane_u64(vreinterpret_u64_u8(nibbles), 0);
  return mask == 0 ? kLanes : __builtin_ctzll(mask) / 4;
}
inline F32x16 add_to_exponent(F32x16 a, F32x16 t) {
  return make_floats([&](int i) {
    const int32x4_t shifted = vshlq_n_s32(vreinterpretq_s32_f32(t.part[i]), 23);
    return vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(a.part[i]), shifted));
  });
}

inline float reduce_add(F32x16 a) {
  const float32x4_t low = vaddq_f32(a.part[0], a.part[2]);
  const float32x4_t four = vaddq_f32(low, vaddq_f32(a.part[1], a.part[3]));
  const float32x2_t two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
  return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
}
inline float reduce_max(F32x16 a) {
  const float32x4_t four = larger(larger(a.part[0], a.part[2]), larger(a.part[1], a.part[3]));
  const float32x4_t two = larger(four, vextq_f32(four, four, 2));
  return vgetq_lane_f32(larger(two, vextq_f32(two, two, 1)), 0);
}
// The same tree for four vectors at once.
inline void reduce_add_4(float* target, F32x16 a, F32x16 b, F32x16 c, F32x16 d) {
  const auto fold = [](F32x16 x) {
    return vaddq_f32(vaddq_f32(x.part[0], x.part[2]), vaddq_f32(x.part[1], x.part[3]));
  };
  const auto fold_halves = [](float32x4_t x, float32x4_t y) {  // (x0 + x2, x1 + x3, y0 + y2, y1 + y3)
    return vaddq_f32(vcombine_f32(vget_low_f32(x), vget_low_f32(y)),
                     vcombine_f32(vget_high_f32(x), vget_high_f32(y)));
  };
  const float32x4_t ab = fold_halves(fold(a), fold(b));
  const float32x4_t cd = fold_halves(fold(c), fold(d));
  vst1q_f32(target, vpaddq_f32(ab, cd));
}

// FCVT saturates and takes NaN to 0.
inline int32x4_t or_smallest(float32x4_t a, int32x4_t converted) {
  const uint32x4_t fits = vandq_u32(vcgeq_f32(a, vdupq_n_f32(-0x1p31f)), vcltq_f32(a, vdupq_n_f32(0x1p31f)));
  return vbslq_s32(fits, converted, vdupq_n_s32(INT32_MIN));
}
inline I32x16 truncate(F32x16 a) {
  return make_integers([&](int i) { return or_smallest(a.part[i], vcvtq_s32_f32(a.part[i])); });
}
inline I32x16 round_even(F32x16 a) {
  return make_integers([&](int i) { return or_smallest(a.part[i], vcvtnq_s32_f32(a.part[i])); });
}
inline I32x16 round_away(F32x16 a) {
  return make_integers([&](int i) { return or_smallest(a.part[i], vcvtaq_s32_f32(a.part[i])); });
}
inline F32x16 to_f32(I32x16 a) {
  return make_floats([&](int i) { return vcvtq_f32_s32(a.part[i]); });
}
inline std::int32_t reduce_add(I32x16 a) {
  return vaddvq_s32(vaddq_s32(vaddq_s32(a.part[0], a.part[1]), vaddq_s32(a.part[2], a.part[3])));
}

inline void store_i8(std::int8_t* target, I32x16 a) {
  const int16x8_t low = vcombine_s16(vqmovn_s32(a.part[0]), vqmovn_s32(a.part[1]));
  const int16x8_t high = vcombine_s16(vqmovn_s32(a.part[2]), vqmovn_s32(a.part[3]));
  vst1q_s8(target, vcombine_s8(vqmovn_s16(low), vqmovn_s16(high)));
}
inline F32x16 load_i8(const std::int8_t* source) {
  const int8x16_t bytes = vld1q_s8(source);
  const int16x8_t low = vmovl_s8(vget_low_s8(bytes));
  const int16x8_t high = vmovl_high_s8(bytes);
  return to_f32({{vmovl_s16(vget_low_s16(low)), vmovl_high_s16(low), vmovl_s16(vget_low_s16(high)),
                  vmovl_high_s16(high)}});
}
inline int32x4_t dot_i8x16(int32x4_t sum, const std::int8_t* a, const std::int8_t* b) {
  const int8x16_t x = vld1q_s8(a);
  const int8x16_t y = vld1q_s8(b);
#if defined(__ARM_FEATURE_DOTPROD)
  return vdotq_s32(sum, x, y);
#else
  // One product at a time in 16 bits: two of -128 * -128 would not fit.
  return vpadalq_s16(vpadalq_s16(sum, vmull_s8(vget_low_s8(x), vget_low_s8(y))), vmull_high_s8(x, y));
#endif
}
inline std::int32_t dot_i8x32(const std::int8_t* a, const std::int8_t* b) {
  return vaddvq_s32(dot_i8x16(dot_i8x16(vdupq_n_s32(0), a, b), a + 16, b + 16));
}

inline F32x16 load_f16(const std::uint16_t* source) {
  return make_floats([&](int i) { return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(source + 4 * i))); });
}
inline void store_f16(std::uint16_t* target, F32x16 a) {
  for (int i = 0; i < kParts; ++i) vst1_u16(target + 4 * i, vreinterpret_u16_f16(vcvt_f16_f32(a.part[i])));
}

}  // namespace
}  // namespace minfer
