#include "backends/cpu/simd/neon/codes_q2_k.h"
#include "backends/cpu/simd/neon/gemm.h"
#include "backends/cpu/simd/neon/gemm_blocks256.h"

namespace minfer::MINFER_NEON_TIER {

const GemmKernel kGemmQ2_K = gemm_kernel<PanelFormat256<CodesQ2_K>>();

}  // namespace minfer::MINFER_NEON_TIER
