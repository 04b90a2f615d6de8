#include "backends/cpu/simd/neon/codes_iq4_xs.h"
#include "backends/cpu/simd/neon/matmul.h"
#include "backends/cpu/simd/neon/matmul_blocks256.h"

namespace minfer::MINFER_NEON_TIER {

void matmul_iq4_xs(const MatMulRows& m) { matmul_stream<Format256<CodesIQ4_XS>>(m); }

}  // namespace minfer::MINFER_NEON_TIER
