#include "backends/cpu/simd/avx512/codes_iq4_xs.h"
#include "backends/cpu/simd/avx512/gemm.h"
#include "backends/cpu/simd/avx512/gemm_blocks256.h"

namespace minfer {

const GemmKernel kGemmIQ4_XSAvx512 = gemm_kernel<Format256<CodesIQ4_XS>>();

}  // namespace minfer
