#include "backends/cpu/simd/amx/gemm.h"
#include "backends/cpu/simd/amx/gemm_blocks32.h"
#include "backends/cpu/simd/avx512/codes_q8_0.h"

namespace minfer {

const GemmKernel kGemmQ8_0Amx = tile_kernel<TileFormat32<CodesQ8_0>>();

}  // namespace minfer
