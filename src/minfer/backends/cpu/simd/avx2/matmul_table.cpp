#include "backends/cpu/simd/avx2/matmul.h"

namespace minfer {

const MatMulKernels kAvx2MatMul = {
    .name = "avx2",
    .f32 = avx2::matmul_f32,
    .f16 = avx2::matmul_f16,
    .bf16 = avx2::matmul_bf16,
    .q4_0 = avx2::matmul_q4_0,
    .q4_1 = avx2::matmul_q4_1,
    .q5_0 = avx2::matmul_q5_0,
    .q5_1 = avx2::matmul_q5_1,
    .q8_0 = avx2::matmul_q8_0,
    .q2_k = avx2::matmul_q2_k,
    .q3_k = avx2::matmul_q3_k,
    .q4_k = avx2::matmul_q4_k,
    .q5_k = avx2::matmul_q5_k,
    .q6_k = avx2::matmul_q6_k,
    .iq4_nl = avx2::matmul_iq4_nl,
    .iq4_xs = avx2::matmul_iq4_xs,
};

const MatMulKernels kAvxVnniMatMul = {
    .name = "avx_vnni",
    .f32 = avx2::matmul_f32,
    .f16 = avx2::matmul_f16,
    .bf16 = avx2::matmul_bf16,
    .q4_0 = avx_vnni::matmul_q4_0,
    .q4_1 = avx_vnni::matmul_q4_1,
    .q5_0 = avx_vnni::matmul_q5_0,
    .q5_1 = avx_vnni::matmul_q5_1,
    .q8_0 = avx_vnni::matmul_q8_0,
    .q2_k = avx_vnni::matmul_q2_k,
    .q3_k = avx_vnni::matmul_q3_k,
    .q4_k = avx_vnni::matmul_q4_k,
    .q5_k = avx_vnni::matmul_q5_k,
    .q6_k = avx_vnni::matmul_q6_k,
    .iq4_nl = avx_vnni::matmul_iq4_nl,
    .iq4_xs = avx_vnni::matmul_iq4_xs,
};

}  // namespace minfer
