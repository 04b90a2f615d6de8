#include "backends/cpu/simd/amx/gemm.h"
#include "backends/cpu/simd/amx/gemm_blocks256.h"
#include "backends/cpu/simd/avx512/codes_iq4_xs.h"

namespace minfer {

const GemmKernel kGemmIQ4_XSAmx = tile_kernel<TileFormat256<CodesIQ4_XS>>();

}  // namespace minfer
