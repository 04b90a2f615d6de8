#include "backends/cpu/simd/amx/gemm.h"
#include "backends/cpu/simd/amx/gemm_blocks256.h"
#include "backends/cpu/simd/avx512/codes_q4_k.h"

namespace minfer {

const GemmKernel kGemmQ4_KAmx = tile_kernel<TileFormat256<CodesQ4_K>>();

}  // namespace minfer
