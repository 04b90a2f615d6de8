#include "backends/cpu/simd/avx512/codes_q4_k.h"
#include "backends/cpu/simd/avx512/gemm.h"
#include "backends/cpu/simd/avx512/gemm_blocks256.h"

namespace minfer {

const GemmKernel kGemmQ4_KAvx512 = gemm_kernel<Format256<CodesQ4_K>>();

}  // namespace minfer
