#include "backends/cpu/simd/avx512/codes_q6_k.h"
#include "backends/cpu/simd/avx512/gemm.h"
#include "backends/cpu/simd/avx512/gemm_blocks256.h"

namespace minfer {

const GemmKernel kGemmQ6_KAvx512 = gemm_kernel<Format256<CodesQ6_K>>();

}  // namespace minfer
