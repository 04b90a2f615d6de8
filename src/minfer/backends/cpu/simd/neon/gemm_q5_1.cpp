#include "backends/cpu/simd/neon/codes_q5_1.h"
#include "backends/cpu/simd/neon/gemm.h"
#include "backends/cpu/simd/neon/gemm_blocks32.h"

namespace minfer::MINFER_NEON_TIER {

const GemmKernel kGemmQ5_1 = gemm_kernel<PanelFormat32<CodesQ5_1>>();

}  // namespace minfer::MINFER_NEON_TIER
