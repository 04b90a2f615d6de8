#include "backends/cpu/simd/avx512/codes_q4_1.h"
#include "backends/cpu/simd/avx512/gemm.h"
#include "backends/cpu/simd/avx512/gemm_blocks32.h"

namespace minfer {

const GemmKernel kGemmQ4_1Avx512 = gemm_kernel<Format32<CodesQ4_1>>();

}  // namespace minfer
