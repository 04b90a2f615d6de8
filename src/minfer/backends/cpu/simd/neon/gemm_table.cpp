#include "backends/cpu/simd/neon/gemm.h"

namespace minfer {

namespace tier = MINFER_NEON_TIER;

#if defined(__ARM_FEATURE_MATMUL_INT8)
const GemmKernels kNeonI8mmGemm = {
    .name = "neon_i8mm gemm",
#else
const GemmKernels kNeonDotprodGemm = {
    .name = "neon_dotprod gemm",
#endif
    .q4_0 = &tier::kGemmQ4_0,
    .q4_1 = &tier::kGemmQ4_1,
    .q5_0 = &tier::kGemmQ5_0,
    .q5_1 = &tier::kGemmQ5_1,
    .q8_0 = &tier::kGemmQ8_0,
    .q2_k = &tier::kGemmQ2_K,
    .q3_k = &tier::kGemmQ3_K,
    .q4_k = &tier::kGemmQ4_K,
    .q5_k = &tier::kGemmQ5_K,
    .q6_k = &tier::kGemmQ6_K,
    .iq4_nl = &tier::kGemmIQ4_NL,
    .iq4_xs = &tier::kGemmIQ4_XS,
};

}  // namespace minfer
