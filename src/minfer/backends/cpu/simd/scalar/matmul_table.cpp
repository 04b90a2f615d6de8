#include "backends/cpu/simd/scalar/matmul.h"

namespace minfer {

const MatMulKernels kScalarMatMul = {
    .name = "scalar",
    .f32 = matmul_f32_scalar,
    .f16 = matmul_f16_scalar,
    .bf16 = matmul_bf16_scalar,
    .q4_0 = matmul_q4_0_scalar,
    .q4_1 = matmul_q4_1_scalar,
    .q5_0 = matmul_q5_0_scalar,
    .q5_1 = matmul_q5_1_scalar,
    .q8_0 = matmul_q8_0_scalar,
    .q2_k = matmul_q2_k_scalar,
    .q3_k = matmul_q3_k_scalar,
    .q4_k = matmul_q4_k_scalar,
    .q5_k = matmul_q5_k_scalar,
    .q6_k = matmul_q6_k_scalar,
    .iq4_nl = matmul_iq4_nl_scalar,
    .iq4_xs = matmul_iq4_xs_scalar,
};

}  // namespace minfer
