// Words of the integer matrix product (simd/generic/matmul_blocks.inl) for AVX2: eight weight rows, one in each
// 32-bit lane. A column vector holds four consecutive codes of every row, so a block of 32 codes is eight columns,
// and multiplying by the same four activations in every lane sums nothing across lanes.
//
// maddubs adds two products of an unsigned and a signed byte into 16 bits with saturation. Activations are in
// [-127, 127], so for codes of b bits a pair is at most 2 * (2^b - 1) * 127 in magnitude, and as many pairs may be
// added in 16 bits as stay within 32767: eight for 4 bits (30480), four for 5 bits (31496), two for 6 bits (32004),
// one for the magnitudes 0..128 of int8 (32512).
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/cpu/matmul/matmul_kernels.h"
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

// Sum of kColumns columns times activations, as two 16-bit sums a lane. The limits of the header hold for kColumns.
template <int kColumns>
inline __m256i dot_pairs(const __m256i* q, const std::int8_t* x) {
  __m256i sum = _mm256_maddubs_epi16(q[0], broadcast_4(x));
  for (int i = 1; i < kColumns; ++i)
    sum = _mm256_add_epi16(sum, _mm256_maddubs_epi16(q[i], broadcast_4(x + 4 * i)));
  return sum;
}

inline __m256i add_pairs(__m256i sums) { return _mm256_madd_epi16(sums, _mm256_set1_epi16(1)); }

// acc + (d_w * d_x) * sum, the product of the scales rounded once.
inline Lanes add_scaled(Lanes acc, __m256 d_w, float d_x, __m256i sum) {
  return _mm256_fmadd_ps(_mm256_mul_ps(d_w, _mm256_set1_ps(d_x)), _mm256_cvtepi32_ps(sum), acc);
}

}  // namespace
}  // namespace minfer
