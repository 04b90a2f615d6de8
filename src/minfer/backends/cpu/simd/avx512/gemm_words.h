// Words of the panel products: the sixteen rows in a register of matmul_words.h, two registers of them in a panel.
//
// vpdpbusd wants one side unsigned. Codes without an offset (Q4_1, Q5_1, Q4_K, Q5_K) are that side. For the other
// types codes are signed and the activations are made unsigned by adding 128, which is flipping their top bit; the
// excess, 128 times the sum of the codes, is a property of the weights and is taken off once for all tokens.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/matmul/gemm_kernels.h"
#include "backends/cpu/simd/avx512/matmul_words.h"

namespace minfer {
namespace {

constexpr int kGroups = 2;
// Tokens computed together: 2 * 6 integer sums and as many accumulators (or sums of scaled sums) are 24 registers.
constexpr int kTileTokens = 6;

enum class Codes { kUnsigned, kSigned };

inline void subtract(__m512i q[], int n, int offset) {
  for (int i = 0; i < n; ++i) q[i] = _mm512_sub_epi8(q[i], _mm512_set1_epi8(static_cast<char>(offset)));
}

// 128 times the sum of the codes of n columns.
inline __m512i excess(const __m512i q[], int n) {
  __m512i sum = _mm512_setzero_si512();
  for (int i = 0; i < n; ++i) sum = _mm512_dpbusd_epi32(sum, _mm512_set1_epi8(-128), q[i]);
  return sum;
}

// Four activations in every lane, on the side that the codes leave to them.
template <Codes kCodes>
inline __m512i broadcast_4(const std::uint8_t* x) {
  const __m512i values = _mm512_set1_epi32(load_4_bytes(x));
  if constexpr (kCodes == Codes::kUnsigned) return values;
  return _mm512_xor_si512(values, _mm512_set1_epi8(-128));
}

template <Codes kCodes>
inline __m512i add_dot(__m512i sum, __m512i codes, __m512i x) {
  if constexpr (kCodes == Codes::kUnsigned) return _mm512_dpbusd_epi32(sum, codes, x);
  return _mm512_dpbusd_epi32(sum, x, codes);
}

inline __m512 broadcast_float(const std::uint8_t* x) {
  return _mm512_castsi512_ps(_mm512_set1_epi32(load_4_bytes(x)));
}

// acc + (d_w * d_x) * sum, the product of the scales rounded once.
inline __m512 add_scaled(__m512 acc, __m512 d_w, __m512 d_x, __m512i sum) {
  return _mm512_fmadd_ps(_mm512_mul_ps(d_w, d_x), _mm512_cvtepi32_ps(sum), acc);
}

}  // namespace
}  // namespace minfer
