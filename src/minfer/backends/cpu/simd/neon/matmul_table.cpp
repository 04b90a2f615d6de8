#include "backends/cpu/simd/neon/matmul.h"

namespace minfer {

namespace tier = MINFER_NEON_TIER;

#if defined(__ARM_FEATURE_DOTPROD)
const MatMulKernels kNeonDotprodMatMul = {
    .name = "neon_dotprod",
#else
const MatMulKernels kNeonMatMul = {
    .name = "neon",
#endif
    .f32 = tier::matmul_f32,
    .f16 = tier::matmul_f16,
    .bf16 = tier::matmul_bf16,
    .q4_0 = tier::matmul_q4_0,
    .q4_1 = tier::matmul_q4_1,
    .q5_0 = tier::matmul_q5_0,
    .q5_1 = tier::matmul_q5_1,
    .q8_0 = tier::matmul_q8_0,
    .q2_k = tier::matmul_q2_k,
    .q3_k = tier::matmul_q3_k,
    .q4_k = tier::matmul_q4_k,
    .q5_k = tier::matmul_q5_k,
    .q6_k = tier::matmul_q6_k,
    .iq4_nl = tier::matmul_iq4_nl,
    .iq4_xs = tier::matmul_iq4_xs,
};

}  // namespace minfer
