// The inner interface of matrix products: what a kernel of an instruction set computes, and the table of them.
// Plain types only: instruction-set-specific units include this header.
//
// One arithmetic. Every kernel of a weight type gives the same bits, on every instruction set, for any number of
// tokens and any split of the rows:
//   Quantized weights, x rows of kQ8Row32 or kQ8Row256 (quant/activation_row.h). One float32 accumulator per
//   output takes the blocks in ascending order, starting from +0:
//     acc = fma(d_w * d_x, float(isum), acc)           d_w * d_x rounded once to float32
//     acc = fma(m_w * d_x, float(sum_x), acc)          Q4_1, Q5_1
//     acc = fma(-(dmin_w * d_x), float(msum), acc)     Q2_K, Q4_K, Q5_K
//   where isum is the exact integer sum of a block's weight times activation (times sub-scale), sum_x that of the
//   activations, msum that of sub-minimum times activation. All fit int32: |isum| <= 256 * 128 * 63 * 127 < 2^28.
//   Float weights, x rows of float32: 16 virtual lanes, lane j takes the products of the indices that are j modulo
//   16 in ascending order, each by one fma from +0; a last, partial group of 16 is filled up with zeros on both
//   sides. Then the lanes are added in the tree of the F32x16 words (simd/.../words.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// out[t * out_stride + r] = sum over k of x[t][k] * weights[r][k], for r < n_rows and t < n_tokens.
// No alignment is asked of weights; rows of x start at multiples of 4 bytes. REQUIRES: k is a positive multiple of
// the weight type's block, and of the group of x.
struct MatMulRows {
  const std::uint8_t* weights = nullptr;  // the first row
  std::size_t row_stride = 0;             // bytes between weight rows
  std::int64_t k = 0;                     // values of a row
  std::int64_t n_rows = 0;
  const std::uint8_t* x = nullptr;  // the first token's row
  std::size_t x_stride = 0;         // bytes between rows of x
  std::int64_t n_tokens = 0;
  float* out = nullptr;
  std::size_t out_stride = 0;  // floats between the outputs of two tokens
};

using MatMulFn = void (*)(const MatMulRows&);

// The kernels of one instruction set, one for each weight type that has one.
struct MatMulKernels {
  const char* name = nullptr;  // "scalar", "avx2", "avx_vnni", "avx512", "neon", "neon_dotprod"
  MatMulFn f32 = nullptr;
  MatMulFn f16 = nullptr;
  MatMulFn bf16 = nullptr;
  MatMulFn q4_0 = nullptr;
  MatMulFn q4_1 = nullptr;
  MatMulFn q5_0 = nullptr;
  MatMulFn q5_1 = nullptr;
  MatMulFn q8_0 = nullptr;
  MatMulFn q2_k = nullptr;
  MatMulFn q3_k = nullptr;
  MatMulFn q4_k = nullptr;
  MatMulFn q5_k = nullptr;
  MatMulFn q6_k = nullptr;
  MatMulFn iq4_nl = nullptr;
  MatMulFn iq4_xs = nullptr;
};

extern const MatMulKernels kScalarMatMul;
extern const MatMulKernels kAvx2MatMul;         // x86 only; REQUIRES a CPU with AVX2, FMA and F16C
extern const MatMulKernels kAvxVnniMatMul;      // x86 only; REQUIRES also AVX-VNNI
extern const MatMulKernels kAvx512MatMul;       // x86 only; REQUIRES also AVX-512 F, BW, VL, DQ and VNNI
extern const MatMulKernels kNeonMatMul;         // Arm only
extern const MatMulKernels kNeonDotprodMatMul;  // Arm only; REQUIRES a CPU with SDOT

}  // namespace minfer
