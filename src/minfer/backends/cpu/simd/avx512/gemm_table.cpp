#include "backends/cpu/simd/avx512/gemm.h"

namespace minfer {

const GemmKernels kAvx512Gemm = {
    .name = "avx512 gemm",
    .q4_0 = &kGemmQ4_0Avx512,
    .q4_1 = &kGemmQ4_1Avx512,
    .q5_0 = &kGemmQ5_0Avx512,
    .q5_1 = &kGemmQ5_1Avx512,
    .q8_0 = &kGemmQ8_0Avx512,
    .q2_k = &kGemmQ2_KAvx512,
    .q3_k = &kGemmQ3_KAvx512,
    .q4_k = &kGemmQ4_KAvx512,
    .q5_k = &kGemmQ5_KAvx512,
    .q6_k = &kGemmQ6_KAvx512,
    .iq4_nl = &kGemmIQ4_NLAvx512,
    .iq4_xs = &kGemmIQ4_XSAvx512,
};

}  // namespace minfer
