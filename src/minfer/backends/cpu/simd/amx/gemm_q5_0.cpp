#include "backends/cpu/simd/amx/gemm.h"
#include "backends/cpu/simd/amx/gemm_blocks32.h"
#include "backends/cpu/simd/avx512/codes_q5_0.h"

namespace minfer {

const GemmKernel kGemmQ5_0Amx = tile_kernel<TileFormat32<CodesQ5_0>>();

}  // namespace minfer
