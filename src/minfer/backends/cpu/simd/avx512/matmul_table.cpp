#include "backends/cpu/simd/avx512/matmul.h"

namespace minfer {

const MatMulKernels kAvx512MatMul = {
    .name = "avx512",
    .f32 = matmul_f32_avx512,
    .f16 = matmul_f16_avx512,
    .bf16 = matmul_bf16_avx512,
    .q4_0 = matmul_q4_0_avx512,
    .q4_1 = matmul_q4_1_avx512,
    .q5_0 = matmul_q5_0_avx512,
    .q5_1 = matmul_q5_1_avx512,
    .q8_0 = matmul_q8_0_avx512,
    .q2_k = matmul_q2_k_avx512,
    .q3_k = matmul_q3_k_avx512,
    .q4_k = matmul_q4_k_avx512,
    .q5_k = matmul_q5_k_avx512,
    .q6_k = matmul_q6_k_avx512,
    .iq4_nl = matmul_iq4_nl_avx512,
    .iq4_xs = matmul_iq4_xs_avx512,
};

}  // namespace minfer
