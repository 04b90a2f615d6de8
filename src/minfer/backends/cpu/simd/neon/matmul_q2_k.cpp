#include "backends/cpu/simd/neon/codes_q2_k.h"
#include "backends/cpu/simd/neon/matmul.h"
#include "backends/cpu/simd/neon/matmul_blocks256.h"

namespace minfer::MINFER_NEON_TIER {

void matmul_q2_k(const MatMulRows& m) { matmul_stream<Format256<CodesQ2_K>>(m); }

}  // namespace minfer::MINFER_NEON_TIER
