// Matrix product kernels in scalar code, one file a weight type; see matmul_kernels.h.
#pragma once

#include "backends/cpu/matmul/matmul_kernels.h"

namespace minfer {

void matmul_f32_scalar(const MatMulRows& m);
void matmul_f16_scalar(const MatMulRows& m);
void matmul_bf16_scalar(const MatMulRows& m);
void matmul_q4_0_scalar(const MatMulRows& m);
void matmul_q4_1_scalar(const MatMulRows& m);
void matmul_q5_0_scalar(const MatMulRows& m);
void matmul_q5_1_scalar(const MatMulRows& m);
void matmul_q8_0_scalar(const MatMulRows& m);
void matmul_q2_k_scalar(const MatMulRows& m);
void matmul_q3_k_scalar(const MatMulRows& m);
void matmul_q4_k_scalar(const MatMulRows& m);
void matmul_q5_k_scalar(const MatMulRows& m);
void matmul_q6_k_scalar(const MatMulRows& m);
void matmul_iq4_nl_scalar(const MatMulRows& m);
void matmul_iq4_xs_scalar(const MatMulRows& m);

}  // namespace minfer
