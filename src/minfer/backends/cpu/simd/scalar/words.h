// The words that every float algorithm of this backend is written in (simd/generic/*.inl), in plain C++. This
// file defines what each word means; another instruction set's words.h gives the same bits for the same
// arguments, except that which NaN comes out of a NaN is left open.
//
// A vector word works on 16 virtual lanes, whatever the registers are. A sum over a row takes element i into
// lane i % 16 and ends with reduce_add: so its bits depend neither on the instruction set nor on who computes
// it.
//
// Everything is in an anonymous namespace: each unit keeps its own copy, compiled for its instruction set,
// and the linker cannot put one that needs AVX where the baseline calls it. Plain headers only, for the same
// reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "quant/float16.h"

namespace minfer {
namespace {

constexpr int kLanes = 16;

struct F32x16 {
  float lane[kLanes];
};
struct I32x16 {
  std::int32_t lane[kLanes];
};

// a * b + c, rounded once. Without an instruction for it: the product of two floats is exact in double, the
// sum is rounded to odd there (an inexact sum gets an odd last bit), and so rounding it to float is rounding
// the exact sum (S. Boldo, G. Melquiond: Emulation of FMA and correctly rounded sums, IEEE Trans. Computers
// 57(4), 2008).
inline float fma_scalar(float a, float b, float c) {
#if defined(__FMA__) || defined(__aarch64__)
  return __builtin_fmaf(a, b, c);
#else
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double addend = static_cast<double>(c);
  double sum = product + addend;
  const double rest = sum - product;
  const double error = (product - (sum - rest)) + (addend - rest);
  std::int64_t bits;
  std::memcpy(&bits, &sum, sizeof(bits));
  const bool inexact = error > 0.0 || error < 0.0;  // false where the sum is infinite or NaN
  if (inexact && (bits & 1) == 0) bits += (error > 0.0) == (sum > 0.0) ? 1 : -1;
  std::memcpy(&sum, &bits, sizeof(bits));
  return static_cast<float>(sum);
#endif
}

inline float sqrt_scalar(float a) { return __builtin_sqrtf(a); }
inline float f16_to_f32(std::uint16_t half) { return fp16_to_fp32(half); }
inline std::uint16_t f32_to_f16(float value) { return fp32_to_fp16(value); }

template <typename Function>
inline F32x16 make_lanes(Function value_of_lane) {
  F32x16 result;
  for (int i = 0; i < kLanes; ++i) result.lane[i] = value_of_lane(i);
  return result;
}

inline F32x16 broadcast(float value) {
  return make_lanes([&](int) { return value; });
}
inline F32x16 zeros() { return broadcast(0.0f); }

inline F32x16 load(const float* source) {
  F32x16 result;
  std::memcpy(result.lane, source, sizeof(result.lane));
  return result;
}
// n values, 0 <= n <= 16; the other lanes are `fill`. Reads no other memory.
inline F32x16 load_partial(const float* source, int n, float fill = 0.0f) {
  F32x16 result = broadcast(fill);
  for (int i = 0; i < n; ++i) result.lane[i] = source[i];
  return result;
}
inline void store(float* target, F32x16 a) { std::memcpy(target, a.lane, sizeof(a.lane)); }
inline void store_partial(float* target, F32x16 a, int n) {  // writes no other memory
  for (int i = 0; i < n; ++i) target[i] = a.lane[i];
}

inline F32x16 add(F32x16 a, F32x16 b) {
  return make_lanes([&](int i) { return a.lane[i] + b.lane[i]; });
}
inline F32x16 sub(F32x16 a, F32x16 b) {
  return make_lanes([&](int i) { return a.lane[i] - b.lane[i]; });
}
inline F32x16 mul(F32x16 a, F32x16 b) {
  return make_lanes([&](int i) { return a.lane[i] * b.lane[i]; });
}
inline F32x16 div(F32x16 a, F32x16 b) {
  return make_lanes([&](int i) { return a.lane[i] / b.lane[i]; });
}
inline F32x16 fma(F32x16 a, F32x16 b, F32x16 c) {  // a * b + c, rounded once
  return make_lanes([&](int i) { return fma_scalar(a.lane[i], b.lane[i], c.lane[i]); });
}
inline F32x16 max(F32x16 a, F32x16 b) {  // b where either is NaN, and for two zeros
  return make_lanes([&](int i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline F32x16 min(F32x16 a, F32x16 b) {  // b where either is NaN, and for two zeros
  return make_lanes([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline F32x16 abs(F32x16 a) {  // clears the sign bit
  return make_lanes([&](int i) { return bits_to_float(float_to_bits(a.lane[i]) & 0x7fffffffu); });
}
inline F32x16 negate(F32x16 a) {  // flips the sign bit
  return make_lanes([&](int i) { return bits_to_float(float_to_bits(a.lane[i]) ^ 0x80000000u); });
}
// a < b ? x : y and a <= b ? x : y; y where either is NaN.
inline F32x16 select_less(F32x16 a, F32x16 b, F32x16 x, F32x16 y) {
  return make_lanes([&](int i) { return a.lane[i] < b.lane[i] ? x.lane[i] : y.lane[i]; });
}
inline F32x16 select_less_equal(F32x16 a, F32x16 b, F32x16 x, F32x16 y) {
  return make_lanes([&](int i) { return a.lane[i] <= b.lane[i] ? x.lane[i] : y.lane[i]; });
}
inline float first_lane(F32x16 a) { return a.lane[0]; }
// The lowest lane where a == b, or kLanes.
inline int find_equal(F32x16 a, F32x16 b) {
  int i = 0;
  while (i < kLanes && !(a.lane[i] == b.lane[i])) ++i;
  return i;
}
// Adds the low 9 bits of t's pattern to a's exponent: a * 2^n for t = 1.5 * 2^23 + n, as long as both
// exponents and their sum are those of normal numbers. Any other argument gives some float.
inline F32x16 add_to_exponent(F32x16 a, F32x16 t) {
  return make_lanes(
      [&](int i) { return bits_to_float(float_to_bits(a.lane[i]) + (float_to_bits(t.lane[i]) << 23)); });
}

// One tree: lanes i and i + 8, then i and i + 4, i and i + 2, and the last two.
inline float reduce_add(F32x16 a) {
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) a.lane[i] += a.lane[i + half];
  }
  return a.lane[0];
}
// The same tree of max(lane i, lane i + half).
inline float reduce_max(F32x16 a) {
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) a.lane[i] = a.lane[i] > a.lane[i + half] ? a.lane[i] : a.lane[i + half];
  }
  return a.lane[0];
}
// target[0..3] = reduce_add of each.
inline void reduce_add_4(float* target, F32x16 a, F32x16 b, F32x16 c, F32x16 d) {
  target[0] = reduce_add(a);
  target[1] = reduce_add(b);
  target[2] = reduce_add(c);
  target[3] = reduce_add(d);
}

// Float to integer: the smallest int32 where the rounded value does not fit, and for NaN.
inline std::int32_t truncate_scalar(float value) {
  return value >= -0x1p31f && value < 0x1p31f ? static_cast<std::int32_t>(value) : INT32_MIN;
}
inline I32x16 truncate(F32x16 a) {
  I32x16 result;
  for (int i = 0; i < kLanes; ++i) result.lane[i] = truncate_scalar(a.lane[i]);
  return result;
}
inline I32x16 round_even(F32x16 a) {  // to nearest, ties to even
  I32x16 result;
  for (int i = 0; i < kLanes; ++i) {
    const float magnitude = bits_to_float(float_to_bits(a.lane[i]) & 0x7fffffffu);
    // Adding 2^23 to the magnitude drops its fraction; a larger magnitude has none.
    const float whole = magnitude < 0x1p23f ? (magnitude + 0x1p23f) - 0x1p23f : magnitude;
    result.lane[i] = truncate_scalar(a.lane[i] < 0.0f ? -whole : whole);
  }
  return result;
}
inline I32x16 round_away(F32x16 a) {  // to nearest, ties away from zero, for |a| < 2^23; else as truncate
  // The largest float below a half: a half itself would lift 0.49999997 to 1.
  const F32x16 nudge = make_lanes([&](int i) {
    return bits_to_float(float_to_bits(0x1.fffffep-2f) | (float_to_bits(a.lane[i]) & 0x80000000u));
  });
  const F32x16 large = select_less(abs(a), broadcast(0x1p23f), add(a, nudge), a);
  return truncate(large);
}
inline F32x16 to_f32(I32x16 a) {
  return make_lanes([&](int i) { return static_cast<float>(a.lane[i]); });
}
inline std::int32_t reduce_add(I32x16 a) {
  std::uint32_t sum = 0;
  for (int i = 0; i < kLanes; ++i) sum += static_cast<std::uint32_t>(a.lane[i]);
  return static_cast<std::int32_t>(sum);
}

// 16 int8, saturated to [-128, 127].
inline void store_i8(std::int8_t* target, I32x16 a) {
  for (int i = 0; i < kLanes; ++i) {
    const std::int32_t value = a.lane[i] < -128 ? -128 : a.lane[i] > 127 ? 127 : a.lane[i];
    target[i] = static_cast<std::int8_t>(value);
  }
}
inline F32x16 load_i8(const std::int8_t* source) {
  return make_lanes([&](int i) { return static_cast<float>(source[i]); });
}
// Sum over 32 of a[i] * b[i], exact.
inline std::int32_t dot_i8x32(const std::int8_t* a, const std::int8_t* b) {
  std::int32_t sum = 0;
  for (int i = 0; i < 32; ++i) sum += a[i] * b[i];
  return sum;
}

inline F32x16 load_f16(const std::uint16_t* source) {
  return make_lanes([&](int i) { return f16_to_f32(source[i]); });
}
inline void store_f16(std::uint16_t* target, F32x16 a) {
  for (int i = 0; i < kLanes; ++i) target[i] = f32_to_f16(a.lane[i]);
}

}  // namespace
}  // namespace minfer
