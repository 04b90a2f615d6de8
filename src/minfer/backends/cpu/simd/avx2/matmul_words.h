// Words of the integer matrix product (simd/generic/matmul_blocks.inl) for AVX2: eight weight rows, one in each
// 32-bit lane. A column vector holds four consecutive codes of every row, so a block of 32 codes is eight columns,
// and multiplying by the same four activations in every lane sums nothing across lanes.
//
// maddubs adds two products of an unsigned and a signed byte into 16 bits with saturation. Activations are in
// [-127, 127], so for codes of b bits a pair is at most 2 * (2^b - 1) * 127 in magnitude, and as many pairs may be
// added in 16 bits as stay within 32767: eight for 4 bits (30480), four for 5 bits (31496), two for 6 bits (32004),
// one for the magnitudes 0..128 of int8 (32512). AVX-VNNI adds four products to 32 bits at once, without saturation.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/cpu/matmul/matmul_kernels.h"
#include "backends/cpu/simd/avx2/tier.h"
#include "backends/cpu/simd/prefetch.h"
#include "quant/activation_row.h"

namespace minfer {
namespace {

constexpr int kRows = 8;
using Lanes = __m256;

inline Lanes zero_lanes() { return _mm256_setzero_ps(); }

inline void store_lanes(Lanes values, float* out, int n_valid) {
  if (n_valid == kRows) return _mm256_storeu_ps(out, values);
  float all[kRows];
  _mm256_storeu_ps(all, values);
  std::memcpy(out, all, static_cast<std::size_t>(n_valid) * sizeof(float));
}

#include "backends/cpu/simd/generic/matmul_blocks.inl"

inline __m128i load_16_bytes(const std::uint8_t* source) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(source));
}

inline std::int32_t load_4_bytes(const void* source) {
  std::int32_t value;
  std::memcpy(&value, source, sizeof(value));
  return value;
}

// Transposes 16 bytes of each row, at `offset` in the block, into four columns of four bytes a row.
inline void load_columns(const BlockRows& rows, std::size_t offset, __m256i columns[4]) {
  __m256i pair[4];  // row i in the lower half, row i + 4 in the upper one
  for (int i = 0; i < 4; ++i)
    pair[i] = _mm256_inserti128_si256(_mm256_castsi128_si256(load_16_bytes(rows.row[i] + offset)),
                                      load_16_bytes(rows.row[i + 4] + offset), 1);
  const __m256i low01 = _mm256_unpacklo_epi32(pair[0], pair[1]);
  const __m256i high01 = _mm256_unpackhi_epi32(pair[0], pair[1]);
  const __m256i low23 = _mm256_unpacklo_epi32(pair[2], pair[3]);
  const __m256i high23 = _mm256_unpackhi_epi32(pair[2], pair[3]);
  columns[0] = _mm256_unpacklo_epi64(low01, low23);
  columns[1] = _mm256_unpackhi_epi64(low01, low23);
  columns[2] = _mm256_unpacklo_epi64(high01, high23);
  columns[3] = _mm256_unpackhi_epi64(high01, high23);
}

// The 16-bit words at `offset` (first) and offset + 2 (second) of every row.
struct WordPairs {
  __m128i first;
  __m128i second;
};
inline WordPairs load_words(const BlockRows& rows, std::size_t offset) {
  __m128i row[kRows];
  for (int r = 0; r < kRows; ++r) row[r] = _mm_cvtsi32_si128(load_4_bytes(rows.row[r] + offset));
  const __m128i r0123 =
      _mm_unpacklo_epi32(_mm_unpacklo_epi16(row[0], row[1]), _mm_unpacklo_epi16(row[2], row[3]));
  const __m128i r4567 =
      _mm_unpacklo_epi32(_mm_unpacklo_epi16(row[4], row[5]), _mm_unpacklo_epi16(row[6], row[7]));
  return {_mm_unpacklo_epi64(r0123, r4567), _mm_unpackhi_epi64(r0123, r4567)};
}

inline __m256 load_scales(const BlockRows& rows, std::size_t offset) {
  return _mm256_cvtph_ps(load_words(rows, offset).first);
}

inline __m256i low_nibbles(__m256i bytes) { return _mm256_and_si256(bytes, _mm256_set1_epi8(15)); }
inline __m256i high_nibbles(__m256i bytes) { return low_nibbles(_mm256_srli_epi16(bytes, 4)); }

// Codes of 4 bits, value i < 16 in the low nibble of byte i and value i + 16 in the high one.
inline void unpack_nibbles(const BlockRows& rows, std::size_t offset, __m256i q[8]) {
  __m256i packed[4];
  load_columns(rows, offset, packed);
  for (int i = 0; i < 4; ++i) {
    q[i] = low_nibbles(packed[i]);
    q[i + 4] = high_nibbles(packed[i]);
  }
}

// Four activations in every lane.
inline __m256i broadcast_4(const std::int8_t* x) { return _mm256_set1_epi32(load_4_bytes(x)); }

#if defined(__AVXVNNI__)

// Sum of kColumns columns times activations.
template <int kBits, int kColumns>
inline __m256i dot_columns(const __m256i* q, const std::int8_t* x) {
  __m256i sum = _mm256_setzero_si256();
#pragma GCC unroll 8
  for (int i = 0; i < kColumns; ++i) sum = _mm256_dpbusd_avx_epi32(sum, q[i], broadcast_4(x + 4 * i));
  return sum;
}

// A scale that each lane holds twice, as 16-bit numbers, in the form that add_scaled_columns takes: once, as a number
// of 32 bits.
inline __m256i column_scale(__m256i twice) { return _mm256_srai_epi32(twice, 16); }

// sum + scale * (columns times activations).
template <int kBits, int kColumns>
inline __m256i add_scaled_columns(__m256i sum, const __m256i* q, const std::int8_t* x, __m256i scale) {
  return _mm256_add_epi32(sum, _mm256_mullo_epi32(dot_columns<kBits, kColumns>(q, x), scale));
}

// The same for signed codes: the sign goes to the activation, which is never -128, so that negating it cannot overflow.
inline __m256i add_signed_column(__m256i sum, __m256i magnitude, __m256i q, const std::int8_t* x) {
  return _mm256_dpbusd_avx_epi32(sum, magnitude, _mm256_sign_epi8(broadcast_4(x), q));
}
template <int kColumns>
inline __m256i add_scaled_signed_columns(__m256i sum, const __m256i* q, const std::int8_t* x, __m256i scale) {
  __m256i dot = _mm256_setzero_si256();
#pragma GCC unroll 8
  for (int i = 0; i < kColumns; ++i) dot = add_signed_column(dot, _mm256_abs_epi8(q[i]), q[i], x + 4 * i);
  return _mm256_add_epi32(sum, _mm256_mullo_epi32(dot, scale));
}

#else

// How many columns of codes of kBits may be added in 16 bits.
template <int kBits>
constexpr int kMaxColumns = kBits <= 4   ? 8
                            : kBits == 5 ? 4
                                         : 2;

// Sum of kColumns <= kMaxColumns columns times activations, as two 16-bit sums a lane.
template <int kColumns>
inline __m256i dot_pairs(const __m256i* q, const std::int8_t* x) {
  __m256i sum = _mm256_maddubs_epi16(q[0], broadcast_4(x));
#pragma GCC unroll 8
  for (int i = 1; i < kColumns; ++i)
    sum = _mm256_add_epi16(sum, _mm256_maddubs_epi16(q[i], broadcast_4(x + 4 * i)));
  return sum;
}

// A scale that each lane holds twice, as 16-bit numbers, in the form that add_scaled_columns takes: as it is.
inline __m256i column_scale(__m256i twice) { return twice; }

// sum + scale * (columns times activations).
template <int kBits, int kColumns>
inline __m256i add_scaled_columns(__m256i sum, const __m256i* q, const std::int8_t* x, __m256i scale) {
  constexpr int kPart = kColumns < kMaxColumns<kBits> ? kColumns : kMaxColumns<kBits>;
#pragma GCC unroll 8
  for (int c = 0; c < kColumns; c += kPart)
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(dot_pairs<kPart>(q + c, x + 4 * c), scale));
  return sum;
}

// Sum of kColumns columns times activations.
template <int kBits, int kColumns>
inline __m256i dot_columns(const __m256i* q, const std::int8_t* x) {
  const __m256i one = _mm256_set1_epi16(1);
  return add_scaled_columns<kBits, kColumns>(_mm256_setzero_si256(), q, x, one);
}

// The same for signed codes: the sign goes to the activation, which is never -128, so that negating it cannot overflow.
inline __m256i add_scaled_signed_column(__m256i sum, __m256i magnitude, __m256i q, const std::int8_t* x,
                                        __m256i scale) {
  const __m256i pairs = _mm256_maddubs_epi16(magnitude, _mm256_sign_epi8(broadcast_4(x), q));
  return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, scale));
}
inline __m256i add_signed_column(__m256i sum, __m256i magnitude, __m256i q, const std::int8_t* x) {
  return add_scaled_signed_column(sum, magnitude, q, x, _mm256_set1_epi16(1));
}
template <int kColumns>
inline __m256i add_scaled_signed_columns(__m256i sum, const __m256i* q, const std::int8_t* x, __m256i scale) {
#pragma GCC unroll 8
  for (int i = 0; i < kColumns; ++i)
    sum = add_scaled_signed_column(sum, _mm256_abs_epi8(q[i]), q[i], x + 4 * i, scale);
  return sum;
}

#endif

// acc + (d_w * d_x) * sum, the product of the scales rounded once.
inline Lanes add_scaled(Lanes acc, __m256 d_w, float d_x, __m256i sum) {
  return _mm256_fmadd_ps(_mm256_mul_ps(d_w, _mm256_set1_ps(d_x)), _mm256_cvtepi32_ps(sum), acc);
}

}  // namespace
}  // namespace minfer
