#include "backends/cpu/simd/avx512/codes_q5_k.h"
#include "backends/cpu/simd/avx512/gemm.h"
#include "backends/cpu/simd/avx512/gemm_blocks256.h"

namespace minfer {

const GemmKernel kGemmQ5_KAvx512 = gemm_kernel<Format256<CodesQ5_K>>();

}  // namespace minfer
