#include "backends/cpu/simd/avx512/codes_q5_0.h"
#include "backends/cpu/simd/avx512/gemm.h"
#include "backends/cpu/simd/avx512/gemm_blocks32.h"

namespace minfer {

const GemmKernel kGemmQ5_0Avx512 = gemm_kernel<Format32<CodesQ5_0>>();

}  // namespace minfer
