// Words of the integer matrix product for AVX-512 with VNNI: sixteen weight rows, one in each 32-bit lane. A column
// vector holds four consecutive codes of every row, and vpdpbusd adds the products of its unsigned bytes and the same
// four signed activations to the 32-bit sum of each row: exactly, so codes of any width and order may be summed.
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

constexpr int kRows = 16;
using Lanes = __m512;

inline Lanes zero_lanes() { return _mm512_setzero_ps(); }

inline void store_lanes(Lanes values, float* out, int n_valid) {
  _mm512_mask_storeu_ps(out, static_cast<__mmask16>((1u << n_valid) - 1), values);
}

#include "backends/cpu/simd/generic/matmul_blocks.inl"
#include "backends/cpu/simd/generic/matmul_stream.inl"

inline __m128i load_16_bytes(const std::uint8_t* source) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(source));
}

inline std::int32_t load_4_bytes(const void* source) {
  std::int32_t value;
  std::memcpy(&value, source, sizeof(value));
  return value;
}

// Transposes 16 bytes of each row, at `offset` in the block, into four columns of four bytes a row.
inline void load_columns(const BlockRows& rows, std::size_t offset, __m512i columns[4]) {
  __m512i part[4];  // rows i, i + 4, i + 8 and i + 12 in its quarters
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const auto bytes = [&](int row) { return load_16_bytes(rows.row[row] + offset); };
    part[i] = _mm512_castsi128_si512(bytes(i));
    part[i] = _mm512_mask_broadcast_i32x4(part[i], 0x00f0, bytes(i + 4));
    part[i] = _mm512_mask_broadcast_i32x4(part[i], 0x0f00, bytes(i + 8));
    part[i] = _mm512_mask_broadcast_i32x4(part[i], 0xf000, bytes(i + 12));
  }
  const __m512i low01 = _mm512_unpacklo_epi32(part[0], part[1]);
  const __m512i high01 = _mm512_unpackhi_epi32(part[0], part[1]);
  const __m512i low23 = _mm512_unpacklo_epi32(part[2], part[3]);
  const __m512i high23 = _mm512_unpackhi_epi32(part[2], part[3]);
  columns[0] = _mm512_unpacklo_epi64(low01, low23);
  columns[1] = _mm512_unpackhi_epi64(low01, low23);
  columns[2] = _mm512_unpacklo_epi64(high01, high23);
  columns[3] = _mm512_unpackhi_epi64(high01, high23);
}

// The float16 in the lower (upper) half of each lane.
inline __m512 low_halves(__m512i words) { return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(words)); }
inline __m512 high_halves(__m512i words) { return low_halves(_mm512_srli_epi32(words, 16)); }

// The float16 scale that a block begins with.
inline __m512 load_scales(const BlockRows& rows) {
  __m512i head[4];
  load_columns(rows, 0, head);
  return low_halves(head[0]);
}

inline __m512i low_nibbles(__m512i bytes) { return _mm512_and_si512(bytes, _mm512_set1_epi8(15)); }
inline __m512i high_nibbles(__m512i bytes) { return low_nibbles(_mm512_srli_epi16(bytes, 4)); }

// a | (b & mask)
inline __m512i or_masked(__m512i a, __m512i b, __m512i mask) {
  return _mm512_ternarylogic_epi32(a, b, mask, 0xf8);
}

// Byte `index` of every lane in the bytes of it that `places` covers; the others are 0.
inline __m512i byte_of_lanes(__m512i lanes, std::uint32_t index, std::uint32_t places) {
  const auto lane = [&](std::uint32_t i) {
    return static_cast<int>((0x01010101u * (4 * i + index) & places) | (0x80808080u & ~places));
  };
  const __m128i control = _mm_setr_epi32(lane(0), lane(1), lane(2), lane(3));
  return _mm512_shuffle_epi8(lanes, _mm512_broadcast_i32x4(control));
}

// Codes of 4 bits, value i < 16 in the low nibble of byte i and value i + 16 in the high one.
inline void unpack_nibbles(const BlockRows& rows, std::size_t offset, __m512i q[8]) {
  __m512i packed[4];
  load_columns(rows, offset, packed);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    q[i] = low_nibbles(packed[i]);
    q[i + 4] = high_nibbles(packed[i]);
  }
}

// sum + kColumns columns times activations.
template <int kColumns>
inline __m512i dot_columns(__m512i sum, const __m512i* q, const std::int8_t* x) {
#pragma GCC unroll 8
  for (int i = 0; i < kColumns; ++i)
    sum = _mm512_dpbusd_epi32(sum, q[i], _mm512_set1_epi32(load_4_bytes(x + 4 * i)));
  return sum;
}

// sum + the products of eight columns, in two chains: one would make a block wait for eight latencies.
inline __m512i dot_32(__m512i sum, const __m512i q[8], const std::int8_t* x) {
  return _mm512_add_epi32(dot_columns<4>(sum, q, x), dot_columns<4>(_mm512_setzero_si512(), q + 4, x + 16));
}

// acc + (d_w * d_x) * sum, the product of the scales rounded once.
inline Lanes add_scaled(Lanes acc, __m512 d_w, float d_x, __m512i sum) {
  return _mm512_fmadd_ps(_mm512_mul_ps(d_w, _mm512_set1_ps(d_x)), _mm512_cvtepi32_ps(sum), acc);
}

}  // namespace
}  // namespace minfer
