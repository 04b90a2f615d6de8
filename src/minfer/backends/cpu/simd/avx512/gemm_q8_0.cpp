#include "backends/cpu/simd/avx512/codes_q8_0.h"
#include "backends/cpu/simd/avx512/gemm.h"
#include "backends/cpu/simd/avx512/gemm_blocks32.h"

namespace minfer {

const GemmKernel kGemmQ8_0Avx512 = gemm_kernel<Format32<CodesQ8_0>>();

}  // namespace minfer
