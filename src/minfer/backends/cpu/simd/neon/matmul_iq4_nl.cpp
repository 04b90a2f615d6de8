#include "backends/cpu/simd/neon/codes_iq4_nl.h"
#include "backends/cpu/simd/neon/matmul.h"
#include "backends/cpu/simd/neon/matmul_blocks32.h"

namespace minfer::MINFER_NEON_TIER {

void matmul_iq4_nl(const MatMulRows& m) { matmul_stream<Format32<CodesIQ4_NL>>(m); }

}  // namespace minfer::MINFER_NEON_TIER
