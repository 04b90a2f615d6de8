#include "backends/cpu/simd/amx/gemm.h"
#include "backends/cpu/simd/amx/gemm_blocks32.h"
#include "backends/cpu/simd/avx512/codes_q4_1.h"

namespace minfer {

const GemmKernel kGemmQ4_1Amx = tile_kernel<TileFormat32<CodesQ4_1>>();

}  // namespace minfer
