#include "backends/cpu/simd/amx/gemm.h"
#include "backends/cpu/simd/amx/gemm_blocks256.h"
#include "backends/cpu/simd/avx512/codes_q2_k.h"

namespace minfer {

const GemmKernel kGemmQ2_KAmx = tile_kernel<TileFormat256<CodesQ2_K>>();

}  // namespace minfer
