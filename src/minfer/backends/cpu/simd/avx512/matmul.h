// Matrix product kernels with AVX-512 F, BW, VL, DQ and VNNI, one file a weight type; see matmul_kernels.h.
#pragma once

#include "backends/cpu/matmul/matmul_kernels.h"

namespace minfer {

void matmul_f32_avx512(const MatMulRows& m);
void matmul_f16_avx512(const MatMulRows& m);
void matmul_bf16_avx512(const MatMulRows& m);
void matmul_q4_0_avx512(const MatMulRows& m);
void matmul_q4_1_avx512(const MatMulRows& m);
void matmul_q5_0_avx512(const MatMulRows& m);
void matmul_q5_1_avx512(const MatMulRows& m);
void matmul_q8_0_avx512(const MatMulRows& m);
void matmul_q2_k_avx512(const MatMulRows& m);
void matmul_q3_k_avx512(const MatMulRows& m);
void matmul_q4_k_avx512(const MatMulRows& m);
void matmul_q5_k_avx512(const MatMulRows& m);
void matmul_q6_k_avx512(const MatMulRows& m);
void matmul_iq4_nl_avx512(const MatMulRows& m);
void matmul_iq4_xs_avx512(const MatMulRows& m);

}  // namespace minfer
