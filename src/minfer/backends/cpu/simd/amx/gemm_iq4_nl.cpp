#include "backends/cpu/simd/amx/gemm.h"
#include "backends/cpu/simd/amx/gemm_blocks32.h"
#include "backends/cpu/simd/avx512/codes_iq4_nl.h"

namespace minfer {

const GemmKernel kGemmIQ4_NLAmx = tile_kernel<TileFormat32<CodesIQ4_NL>>();

}  // namespace minfer
