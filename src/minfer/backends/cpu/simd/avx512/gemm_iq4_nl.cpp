#include "backends/cpu/simd/avx512/codes_iq4_nl.h"
#include "backends/cpu/simd/avx512/gemm.h"
#include "backends/cpu/simd/avx512/gemm_blocks32.h"

namespace minfer {

const GemmKernel kGemmIQ4_NLAvx512 = gemm_kernel<Format32<CodesIQ4_NL>>();

}  // namespace minfer
