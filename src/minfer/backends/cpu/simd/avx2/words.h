// The words of simd/scalar/words.h (which defines them) for AVX2, FMA and F16C: 16 lanes are two registers.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace minfer {
namespace {

constexpr int kLanes = 16;

struct F32x16 {
  __m256 low;   // lanes 0-7
  __m256 high;  // lanes 8-15
};
struct I32x16 {
  __m256i low;
  __m256i high;
};

inline float fma_scalar(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline float sqrt_scalar(float a) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a))); }
inline float f16_to_f32(std::uint16_t half) { return _cvtsh_ss(half); }
inline std::uint16_t f32_to_f16(float value) { return _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT); }

inline F32x16 broadcast(float value) { return {_mm256_set1_ps(value), _mm256_set1_ps(value)}; }
inline F32x16 zeros() { return {_mm256_setzero_ps(), _mm256_setzero_ps()}; }

inline F32x16 load(const float* source) { return {_mm256_loadu_ps(source), _mm256_loadu_ps(source + 8)}; }
inline void store(float* target, F32x16 a) {
  _mm256_storeu_ps(target, a.low);
  _mm256_storeu_ps(target + 8, a.high);
}

// All ones in the lanes first + i < n.
inline __m256i lane_mask(int n, int first) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(n - first), lane);
}
inline F32x16 load_partial(const float* source, int n, float fill = 0.0f) {
  const __m256i low = lane_mask(n, 0);
  const __m256i high = lane_mask(n, 8);
  const __m256 rest = _mm256_set1_ps(fill);
  const float* upper = n > 8 ? source + 8 : source;
  return {_mm256_blendv_ps(rest, _mm256_maskload_ps(source, low), _mm256_castsi256_ps(low)),
          _mm256_blendv_ps(rest, _mm256_maskload_ps(upper, high), _mm256_castsi256_ps(high))};
}
inline void store_partial(float* target, F32x16 a, int n) {
  _mm256_maskstore_ps(target, lane_mask(n, 0), a.low);
  if (n > 8) _mm256_maskstore_ps(target + 8, lane_mask(n, 8), a.high);
}

inline F32x16 add(F32x16 a, F32x16 b) { return {_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)}; }
inline F32x16 sub(F32x16 a, F32x16 b) { return {_mm256_sub_ps(a.low, b.low), _mm256_sub_ps(a.high, b.high)}; }
inline F32x16 mul(F32x16 a, F32x16 b) { return {_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high)}; }
inline F32x16 div(F32x16 a, F32x16 b) { return {_mm256_div_ps(a.low, b.low), _mm256_div_ps(a.high, b.high)}; }
inline F32x16 fma(F32x16 a, F32x16 b, F32x16 c) {
  return {_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high)};
}
inline F32x16 max(F32x16 a, F32x16 b) { return {_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high)}; }
inline F32x16 min(F32x16 a, F32x16 b) { return {_mm256_min_ps(a.low, b.low), _mm256_min_ps(a.high, b.high)}; }
inline F32x16 abs(F32x16 a) {
  const __m256 sign = _mm256_set1_ps(-0.0f);
  return {_mm256_andnot_ps(sign, a.low), _mm256_andnot_ps(sign, a.high)};
}
inline F32x16 negate(F32x16 a) {
  const __m256 sign = _mm256_set1_ps(-0.0f);
  return {_mm256_xor_ps(sign, a.low), _mm256_xor_ps(sign, a.high)};
}
inline F32x16 select_less(F32x16 a, F32x16 b, F32x16 x, F32x16 y) {
  return {_mm256_blendv_ps(y.low, x.low, _mm256_cmp_ps(a.low, b.low, _CMP_LT_OQ)),
          _mm256_blendv_ps(y.high, x.high, _mm256_cmp_ps(a.high, b.high, _CMP_LT_OQ))};
}
inline F32x16 select_less_equal(F32x16 a, F32x16 b, F32x16 x, F32x16 y) {
  return {_mm256_blendv_ps(y.low, x.low, _mm256_cmp_ps(a.low, b.low, _CMP_LE_OQ)),
          _mm256_blendv_ps(y.high, x.high, _mm256_cmp_ps(a.high, b.high, _CMP_LE_OQ))};
}
inline float first_lane(F32x16 a) { return _mm256_cvtss_f32(a.low); }
inline int find_equal(F32x16 a, F32x16 b) {
  const int low = _mm256_movemask_ps(_mm256_cmp_ps(a.low, b.low, _CMP_EQ_OQ));
  const int high = _mm256_movemask_ps(_mm256_cmp_ps(a.high, b.high, _CMP_EQ_OQ));
  return __builtin_ctz(static_cast<unsigned>(low | high << 8) | 1u << kLanes);
}
inline __m256 add_to_exponent(__m256 a, __m256 t) {
  const __m256i shifted = _mm256_slli_epi32(_mm256_castps_si256(t), 23);
  return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(a), shifted));
}
inline F32x16 add_to_exponent(F32x16 a, F32x16 t) {
  return {add_to_exponent(a.low, t.low), add_to_exponent(a.high, t.high)};
}

inline float reduce_add(F32x16 a) {
  const __m256 eight = _mm256_add_ps(a.low, a.high);
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
inline float reduce_max(F32x16 a) {
  const __m256 eight = _mm256_max_ps(a.low, a.high);
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}
// The same tree for four vectors at once: each 128-bit half of a register holds another vector.
inline void reduce_add_4(float* target, F32x16 a, F32x16 b, F32x16 c, F32x16 d) {
  const __m256 a8 = _mm256_add_ps(a.low, a.high);
  const __m256 b8 = _mm256_add_ps(b.low, b.high);
  const __m256 c8 = _mm256_add_ps(c.low, c.high);
  const __m256 d8 = _mm256_add_ps(d.low, d.high);
  const __m256 ac = _mm256_add_ps(_mm256_permute2f128_ps(a8, c8, 0x20), _mm256_permute2f128_ps(a8, c8, 0x31));
  const __m256 bd = _mm256_add_ps(_mm256_permute2f128_ps(b8, d8, 0x20), _mm256_permute2f128_ps(b8, d8, 0x31));
  // (a0 a1 b0 b1 | c0 c1 d0 d1) + (a2 a3 b2 b3 | c2 c3 d2 d3)
  const __m256 two = _mm256_add_ps(_mm256_shuffle_ps(ac, bd, 0x44), _mm256_shuffle_ps(ac, bd, 0xee));
  // a and b in the first two lanes of the low half, c and d in those of the high half
  const __m256 one = _mm256_add_ps(_mm256_shuffle_ps(two, two, 0x88), _mm256_shuffle_ps(two, two, 0xdd));
  const __m128 sums = _mm_movelh_ps(_mm256_castps256_ps128(one), _mm256_extractf128_ps(one, 1));
  _mm_storeu_ps(target, sums);
}

inline I32x16 truncate(F32x16 a) { return {_mm256_cvttps_epi32(a.low), _mm256_cvttps_epi32(a.high)}; }
inline I32x16 round_even(F32x16 a) { return {_mm256_cvtps_epi32(a.low), _mm256_cvtps_epi32(a.high)}; }
inline I32x16 round_away(F32x16 a) {
  const __m256 sign = _mm256_set1_ps(-0.0f);
  const __m256 nudge = _mm256_set1_ps(0x1.fffffep-2f);
  const F32x16 nudged = add(
      a, {_mm256_or_ps(nudge, _mm256_and_ps(sign, a.low)), _mm256_or_ps(nudge, _mm256_and_ps(sign, a.high))});
  return truncate(select_less(abs(a), broadcast(0x1p23f), nudged, a));
}
inline F32x16 to_f32(I32x16 a) { return {_mm256_cvtepi32_ps(a.low), _mm256_cvtepi32_ps(a.high)}; }
inline std::int32_t reduce_add(__m256i a) {
  const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
  const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}
inline std::int32_t reduce_add(I32x16 a) { return reduce_add(_mm256_add_epi32(a.low, a.high)); }

inline void store_i8(std::int8_t* target, I32x16 a) {
  const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(a.low, a.high), 0xd8);
  const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  std::memcpy(target, &bytes, sizeof(bytes));
}
inline __m128i load_bytes(const std::int8_t* source) {
  __m128i bytes;
  std::memcpy(&bytes, source, sizeof(bytes));
  return bytes;
}
inline F32x16 load_i8(const std::int8_t* source) {
  const __m128i bytes = load_bytes(source);
  return to_f32({_mm256_cvtepi8_epi32(bytes), _mm256_cvtepi8_epi32(_mm_srli_si128(bytes, 8))});
}
inline __m256i dot_i8x16(const std::int8_t* a, const std::int8_t* b) {  // 8 partial sums
  return _mm256_madd_epi16(_mm256_cvtepi8_epi16(load_bytes(a)), _mm256_cvtepi8_epi16(load_bytes(b)));
}
inline std::int32_t dot_i8x32(const std::int8_t* a, const std::int8_t* b) {
  return reduce_add(_mm256_add_epi32(dot_i8x16(a, b), dot_i8x16(a + 16, b + 16)));
}

inline F32x16 load_f16(const std::uint16_t* source) {
  __m128i halves[2];
  std::memcpy(halves, source, sizeof(halves));
  return {_mm256_cvtph_ps(halves[0]), _mm256_cvtph_ps(halves[1])};
}
inline void store_f16(std::uint16_t* target, F32x16 a) {
  const __m128i halves[2] = {_mm256_cvtps_ph(a.low, _MM_FROUND_TO_NEAREST_INT),
                             _mm256_cvtps_ph(a.high, _MM_FROUND_TO_NEAREST_INT)};
  std::memcpy(target, halves, sizeof(halves));
}

}  // namespace
}  // namespace minfer
