#include "backends/cpu/simd/avx2/matmul.h"

namespace minfer {

const MatMulKernels kAvx2MatMul = {
    .name = "avx2",
    .f32 = matmul_f32_avx2,
    .f16 = matmul_f16_avx2,
    .bf16 = matmul_bf16_avx2,
    .q4_0 = matmul_q4_0_avx2,
    .q4_1 = matmul_q4_1_avx2,
    .q5_0 = matmul_q5_0_avx2,
    .q5_1 = matmul_q5_1_avx2,
    .q8_0 = matmul_q8_0_avx2,
    .q2_k = matmul_q2_k_avx2,
    .q3_k = matmul_q3_k_avx2,
    .q4_k = matmul_q4_k_avx2,
    .q5_k = matmul_q5_k_avx2,
    .q6_k = matmul_q6_k_avx2,
    .iq4_nl = matmul_iq4_nl_avx2,
    .iq4_xs = matmul_iq4_xs_avx2,
};

}  // namespace minfer
