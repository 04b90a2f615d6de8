#include "backends/cpu/simd/neon/codes_iq4_xs.h"
#include "backends/cpu/simd/neon/gemm.h"
#include "backends/cpu/simd/neon/gemm_blocks256.h"

namespace minfer::MINFER_NEON_TIER {

const GemmKernel kGemmIQ4_XS = gemm_kernel<PanelFormat256<CodesIQ4_XS>>();

}  // namespace minfer::MINFER_NEON_TIER
