#include "backends/cpu/simd/neon/codes_q3_k.h"
#include "backends/cpu/simd/neon/matmul.h"
#include "backends/cpu/simd/neon/matmul_blocks256.h"

namespace minfer::MINFER_NEON_TIER {

void matmul_q3_k(const MatMulRows& m) { matmul_stream<Format256<CodesQ3_K>>(m); }

}  // namespace minfer::MINFER_NEON_TIER
