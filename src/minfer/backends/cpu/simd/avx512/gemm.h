// Panel products with AVX-512 VNNI, one file a weight type; see gemm_kernels.h.
#pragma once

#include "backends/cpu/matmul/gemm_kernels.h"

namespace minfer {

extern const GemmKernel kGemmQ4_0Avx512;
extern const GemmKernel kGemmQ4_1Avx512;
extern const GemmKernel kGemmQ5_0Avx512;
extern const GemmKernel kGemmQ5_1Avx512;
extern const GemmKernel kGemmQ8_0Avx512;
extern const GemmKernel kGemmQ2_KAvx512;
extern const GemmKernel kGemmQ3_KAvx512;
extern const GemmKernel kGemmQ4_KAvx512;
extern const GemmKernel kGemmQ5_KAvx512;
extern const GemmKernel kGemmQ6_KAvx512;
extern const GemmKernel kGemmIQ4_NLAvx512;
extern const GemmKernel kGemmIQ4_XSAvx512;

}  // namespace minfer
