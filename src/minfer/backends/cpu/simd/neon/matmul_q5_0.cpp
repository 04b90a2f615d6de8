#include "backends/cpu/simd/neon/codes_q5_0.h"
#include "backends/cpu/simd/neon/matmul.h"
#include "backends/cpu/simd/neon/matmul_blocks32.h"

namespace minfer::MINFER_NEON_TIER {

void matmul_q5_0(const MatMulRows& m) { matmul_stream<Format32<CodesQ5_0>>(m); }

}  // namespace minfer::MINFER_NEON_TIER
