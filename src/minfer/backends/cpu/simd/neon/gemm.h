// Panel products of a tier of NEON with dot products, one file a weight type; see gemm_kernels.h.
#pragma once

#include "backends/cpu/matmul/gemm_kernels.h"
#include "backends/cpu/simd/neon/tier.h"

namespace minfer::MINFER_NEON_TIER {

extern const GemmKernel kGemmQ4_0;
extern const GemmKernel kGemmQ4_1;
extern const GemmKernel kGemmQ5_0;
extern const GemmKernel kGemmQ5_1;
extern const GemmKernel kGemmQ8_0;
extern const GemmKernel kGemmQ2_K;
extern const GemmKernel kGemmQ3_K;
extern const GemmKernel kGemmQ4_K;
extern const GemmKernel kGemmQ5_K;
extern const GemmKernel kGemmQ6_K;
extern const GemmKernel kGemmIQ4_NL;
extern const GemmKernel kGemmIQ4_XS;

}  // namespace minfer::MINFER_NEON_TIER
