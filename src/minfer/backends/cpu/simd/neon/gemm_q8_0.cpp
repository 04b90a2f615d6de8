#include "backends/cpu/simd/neon/codes_q8_0.h"
#include "backends/cpu/simd/neon/gemm.h"
#include "backends/cpu/simd/neon/gemm_blocks32.h"

namespace minfer::MINFER_NEON_TIER {

const GemmKernel kGemmQ8_0 = gemm_kernel<PanelFormat32<CodesQ8_0>>();

}  // namespace minfer::MINFER_NEON_TIER
