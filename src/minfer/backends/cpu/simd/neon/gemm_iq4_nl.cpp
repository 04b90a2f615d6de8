#include "backends/cpu/simd/neon/codes_iq4_nl.h"
#include "backends/cpu/simd/neon/gemm.h"
#include "backends/cpu/simd/neon/gemm_blocks32.h"

namespace minfer::MINFER_NEON_TIER {

const GemmKernel kGemmIQ4_NL = gemm_kernel<PanelFormat32<CodesIQ4_NL>>();

}  // namespace minfer::MINFER_NEON_TIER
