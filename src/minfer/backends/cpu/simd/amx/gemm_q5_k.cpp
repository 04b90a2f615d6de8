#include "backends/cpu/simd/amx/gemm.h"
#include "backends/cpu/simd/amx/gemm_blocks256.h"
#include "backends/cpu/simd/avx512/codes_q5_k.h"

namespace minfer {

const GemmKernel kGemmQ5_KAmx = tile_kernel<TileFormat256<CodesQ5_K>>();

}  // namespace minfer
