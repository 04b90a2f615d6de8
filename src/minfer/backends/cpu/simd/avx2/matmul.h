// Matrix product kernels with AVX2, FMA and F16C, and the integer ones with AVX-VNNI as well, one file a weight type;
// see matmul_kernels.h and tier.h.
#pragma once

#include "backends/cpu/matmul/matmul_kernels.h"
#include "backends/cpu/simd/avx2/tier.h"

namespace minfer::avx2 {

void matmul_f32(const MatMulRows& m);
void matmul_f16(const MatMulRows& m);
void matmul_bf16(const MatMulRows& m);
void matmul_q4_0(const MatMulRows& m);
void matmul_q4_1(const MatMulRows& m);
void matmul_q5_0(const MatMulRows& m);
void matmul_q5_1(const MatMulRows& m);
void matmul_q8_0(const MatMulRows& m);
void matmul_q2_k(const MatMulRows& m);
void matmul_q3_k(const MatMulRows& m);
void matmul_q4_k(const MatMulRows& m);
void matmul_q5_k(const MatMulRows& m);
void matmul_q6_k(const MatMulRows& m);
void matmul_iq4_nl(const MatMulRows& m);
void matmul_iq4_xs(const MatMulRows& m);

}  // namespace minfer::avx2

namespace minfer::avx_vnni {

void matmul_q4_0(const MatMulRows& m);
void matmul_q4_1(const MatMulRows& m);
void matmul_q5_0(const MatMulRows& m);
void matmul_q5_1(const MatMulRows& m);
void matmul_q8_0(const MatMulRows& m);
void matmul_q2_k(const MatMulRows& m);
void matmul_q3_k(const MatMulRows& m);
void matmul_q4_k(const MatMulRows& m);
void matmul_q5_k(const MatMulRows& m);
void matmul_q6_k(const MatMulRows& m);
void matmul_iq4_nl(const MatMulRows& m);
void matmul_iq4_xs(const MatMulRows& m);

}  // namespace minfer::avx_vnni
