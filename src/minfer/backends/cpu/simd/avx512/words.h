// The words of simd/scalar/words.h (which defines them) for AVX-512 F, BW, VL and DQ: 16 lanes are one register.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace minfer {
namespace {

constexpr int kLanes = 16;

struct F32x16 {
  __m512 lanes;
};
struct I32x16 {
  __m512i lanes;
};

inline float fma_scalar(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline float sqrt_scalar(float a) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a))); }
inline float f16_to_f32(std::uint16_t half) { return _cvtsh_ss(half); }
inline std::uint16_t f32_to_f16(float value) { return _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT); }

inline F32x16 broadcast(float value) { return {_mm512_set1_ps(value)}; }
inline F32x16 zeros() { return {_mm512_setzero_ps()}; }

inline F32x16 load(const float* source) { return {_mm512_loadu_ps(source)}; }
inline void store(float* target, F32x16 a) { _mm512_storeu_ps(target, a.lanes); }

// The lanes below n.
inline __mmask16 lane_mask(int n) { return static_cast<__mmask16>((1u << n) - 1); }
inline F32x16 load_partial(const float* source, int n, float fill = 0.0f) {
  return {_mm512_mask_loadu_ps(_mm512_set1_ps(fill), lane_mask(n), source)};
}
inline void store_partial(float* target, F32x16 a, int n) {
  _mm512_mask_storeu_ps(target, lane_mask(n), a.lanes);
}

inline F32x16 add(F32x16 a, F32x16 b) { return {_mm512_add_ps(a.lanes, b.lanes)}; }
inline F32x16 sub(F32x16 a, F32x16 b) { return {_mm512_sub_ps(a.lanes, b.lanes)}; }
inline F32x16 mul(F32x16 a, F32x16 b) { return {_mm512_mul_ps(a.lanes, b.lanes)}; }
inline F32x16 div(F32x16 a, F32x16 b) { return {_mm512_div_ps(a.lanes, b.lanes)}; }
inline F32x16 fma(F32x16 a, F32x16 b, F32x16 c) { return {_mm512_fmadd_ps(a.lanes, b.lanes, c.lanes)}; }
inline F32x16 max(F32x16 a, F32x16 b) { return {_mm512_max_ps(a.lanes, b.lanes)}; }
inline F32x16 min(F32x16 a, F32x16 b) { return {_mm512_min_ps(a.lanes, b.lanes)}; }
inline F32x16 abs(F32x16 a) { return {_mm512_andnot_ps(_mm512_set1_ps(-0.0f), a.lanes)}; }
inline F32x16 negate(F32x16 a) { return {_mm512_xor_ps(_mm512_set1_ps(-0.0f), a.lanes)}; }
inline F32x16 select_less(F32x16 a, F32x16 b, F32x16 x, F32x16 y) {
  return {_mm512_mask_blend_ps(_mm512_cmp_ps_mask(a.lanes, b.lanes, _CMP_LT_OQ), y.lanes, x.lanes)};
}
inline F32x16 select_less_equal(F32x16 a, F32x16 b, F32x16 x, F32x16 y) {
  return {_mm512_mask_blend_ps(_mm512_cmp_ps_mask(a.lanes, b.lanes, _CMP_LE_OQ), y.lanes, x.lanes)};
}
inline float first_lane(F32x16 a) { return _mm512_cvtss_f32(a.lanes); }
inline int find_equal(F32x16 a, F32x16 b) {
  const unsigned equal = _mm512_cmp_ps_mask(a.lanes, b.lanes, _CMP_EQ_OQ);
  return __builtin_ctz(equal | 1u << kLanes);
}
inline F32x16 add_to_exponent(F32x16 a, F32x16 t) {
  const __m512i shifted = _mm512_slli_epi32(_mm512_castps_si512(t.lanes), 23);
  return {_mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(a.lanes), shifted))};
}

// Lanes i + lanes i + 8.
inline __m256 add_halves(F32x16 a) {
  return _mm256_add_ps(_mm512_castps512_ps256(a.lanes), _mm512_extractf32x8_ps(a.lanes, 1));
}
inline float reduce_add(F32x16 a) {
  const __m256 eight = add_halves(a);
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
inline float reduce_max(F32x16 a) {
  const __m256 eight = _mm256_max_ps(_mm512_castps512_ps256(a.lanes), _mm512_extractf32x8_ps(a.lanes, 1));
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}
// The same tree for four vectors at once: each 128-bit half of a register holds another vector.
inline void reduce_add_4(float* target, F32x16 a, F32x16 b, F32x16 c, F32x16 d) {
  const __m256 a8 = add_halves(a);
  const __m256 b8 = add_halves(b);
  const __m256 c8 = add_halves(c);
  const __m256 d8 = add_halves(d);
  const __m256 ac = _mm256_add_ps(_mm256_permute2f128_ps(a8, c8, 0x20), _mm256_permute2f128_ps(a8, c8, 0x31));
  const __m256 bd = _mm256_add_ps(_mm256_permute2f128_ps(b8, d8, 0x20), _mm256_permute2f128_ps(b8, d8, 0x31));
  // (a0 a1 b0 b1 | c0 c1 d0 d1) + (a2 a3 b2 b3 | c2 c3 d2 d3)
  const __m256 two = _mm256_add_ps(_mm256_shuffle_ps(ac, bd, 0x44), _mm256_shuffle_ps(ac, bd, 0xee));
  // a and b in the first two lanes of the low half, c and d in those of the high half
  const __m256 one = _mm256_add_ps(_mm256_shuffle_ps(two, two, 0x88), _mm256_shuffle_ps(two, two, 0xdd));
  _mm_storeu_ps(target, _mm_movelh_ps(_mm256_castps256_ps128(one), _mm256_extractf128_ps(one, 1)));
}

inline I32x16 truncate(F32x16 a) { return {_mm512_cvttps_epi32(a.lanes)}; }
inline I32x16 round_even(F32x16 a) { return {_mm512_cvtps_epi32(a.lanes)}; }
inline I32x16 round_away(F32x16 a) {
  const __m512 sign = _mm512_and_ps(_mm512_set1_ps(-0.0f), a.lanes);
  const F32x16 nudge = {_mm512_or_ps(_mm512_set1_ps(0x1.fffffep-2f), sign)};
  return truncate(select_less(abs(a), broadcast(0x1p23f), add(a, nudge), a));
}
inline F32x16 to_f32(I32x16 a) { return {_mm512_cvtepi32_ps(a.lanes)}; }
inline std::int32_t reduce_add(I32x16 a) {
  const __m256i eight =
      _mm256_add_epi32(_mm512_castsi512_si256(a.lanes), _mm512_extracti64x4_epi64(a.lanes, 1));
  const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
  const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}

inline void store_i8(std::int8_t* target, I32x16 a) {
  const __m128i bytes = _mm512_cvtsepi32_epi8(a.lanes);
  std::memcpy(target, &bytes, sizeof(bytes));
}
inline F32x16 load_i8(const std::int8_t* source) {
  __m128i bytes;
  std::memcpy(&bytes, source, sizeof(bytes));
  return to_f32({_mm512_cvtepi8_epi32(bytes)});
}
inline __m512i load_i8x32(const std::int8_t* source) {  // as 16-bit numbers
  __m256i bytes;
  std::memcpy(&bytes, source, sizeof(bytes));
  return _mm512_cvtepi8_epi16(bytes);
}
inline std::int32_t dot_i8x32(const std::int8_t* a, const std::int8_t* b) {
  return reduce_add(I32x16{_mm512_madd_epi16(load_i8x32(a), load_i8x32(b))});
}

inline F32x16 load_f16(const std::uint16_t* source) {
  __m256i halves;
  std::memcpy(&halves, source, sizeof(halves));
  return {_mm512_cvtph_ps(halves)};
}
inline void store_f16(std::uint16_t* target, F32x16 a) {
  const __m256i halves = _mm512_cvtps_ph(a.lanes, _MM_FROUND_TO_NEAREST_INT);
  std::memcpy(target, &halves, sizeof(halves));
}

}  // namespace
}  // namespace minfer
