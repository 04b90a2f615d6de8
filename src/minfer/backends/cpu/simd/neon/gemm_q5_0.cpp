#include "backends/cpu/simd/neon/codes_q5_0.h"
#include "backends/cpu/simd/neon/gemm.h"
#include "backends/cpu/simd/neon/gemm_blocks32.h"

namespace minfer::MINFER_NEON_TIER {

const GemmKernel kGemmQ5_0 = gemm_kernel<PanelFormat32<CodesQ5_0>>();

}  // namespace minfer::MINFER_NEON_TIER
