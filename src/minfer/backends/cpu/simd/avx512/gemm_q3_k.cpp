#include "backends/cpu/simd/avx512/codes_q3_k.h"
#include "backends/cpu/simd/avx512/gemm.h"
#include "backends/cpu/simd/avx512/gemm_blocks256.h"

namespace minfer {

const GemmKernel kGemmQ3_KAvx512 = gemm_kernel<Format256<CodesQ3_K>>();

}  // namespace minfer
