#include "backends/cpu/simd/amx/gemm.h"
#include "backends/cpu/simd/amx/gemm_blocks256.h"
#include "backends/cpu/simd/avx512/codes_q6_k.h"

namespace minfer {

const GemmKernel kGemmQ6_KAmx = tile_kernel<TileFormat256<CodesQ6_K>>();

}  // namespace minfer
