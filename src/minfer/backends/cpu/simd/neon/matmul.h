// Matrix product kernels of a tier of NEON, one file a weight type; see matmul_kernels.h.
#pragma once

#include "backends/cpu/matmul/matmul_kernels.h"
#include "backends/cpu/simd/neon/tier.h"

namespace minfer::MINFER_NEON_TIER {

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

}  // namespace minfer::MINFER_NEON_TIER
