// Panel products with AMX tiles, one file a weight type; see gemm_kernels.h.
#pragma once

#include "backends/cpu/matmul/gemm_kernels.h"

namespace minfer {

extern const GemmKernel kGemmQ4_0Amx;
extern const GemmKernel kGemmQ4_1Amx;
extern const GemmKernel kGemmQ5_0Amx;
extern const GemmKernel kGemmQ5_1Amx;
extern const GemmKernel kGemmQ8_0Amx;
extern const GemmKernel kGemmQ2_KAmx;
extern const GemmKernel kGemmQ3_KAmx;
extern const GemmKernel kGemmQ4_KAmx;
extern const GemmKernel kGemmQ5_KAmx;
extern const GemmKernel kGemmQ6_KAmx;
extern const GemmKernel kGemmIQ4_NLAmx;
extern const GemmKernel kGemmIQ4_XSAmx;

}  // namespace minfer
