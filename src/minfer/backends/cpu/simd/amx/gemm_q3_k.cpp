#include "backends/cpu/simd/amx/gemm.h"
#include "backends/cpu/simd/amx/gemm_blocks256.h"
#include "backends/cpu/simd/avx512/codes_q3_k.h"

namespace minfer {

const GemmKernel kGemmQ3_KAmx = tile_kernel<TileFormat256<CodesQ3_K>>();

}  // namespace minfer
