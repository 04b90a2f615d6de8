#include "backends/cpu/simd/amx/gemm.h"

namespace minfer {

const GemmKernels kAmxGemm = {
    .name = "amx gemm",
    .q4_0 = &kGemmQ4_0Amx,
    .q4_1 = &kGemmQ4_1Amx,
    .q5_0 = &kGemmQ5_0Amx,
    .q5_1 = &kGemmQ5_1Amx,
    .q8_0 = &kGemmQ8_0Amx,
    .q2_k = &kGemmQ2_KAmx,
    .q3_k = &kGemmQ3_KAmx,
    .q4_k = &kGemmQ4_KAmx,
    .q5_k = &kGemmQ5_KAmx,
    .q6_k = &kGemmQ6_KAmx,
    .iq4_nl = &kGemmIQ4_NLAmx,
    .iq4_xs = &kGemmIQ4_XSAmx,
};

}  // namespace minfer
