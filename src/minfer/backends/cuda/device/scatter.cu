#include "backends/cuda/device/scatter.h"

#include "backends/cuda/device/check.h"

namespace minfer::cuda {
namespace {

constexpr int kBlock = 256;

// One block, so that later pieces come after earlier ones.
__global__ void __launch_bounds__(kBlock) scatter_kernel(const __grid_constant__ ScatterArgs args) {
  for (int p = 0; p < args.n; ++p) {
    const ScatterArgs::Piece& piece = args.pieces[p];
    for (std::uint32_t i = threadIdx.x; i < piece.words; i += kBlock)
      reinterpret_cast<std::uint32_t*>(piece.target)[i] =
          reinterpret_cast<const std::uint32_t*>(piece.source)[i];
    __syncthreads();
  }
}

}  // namespace

void launch_scatter(const ScatterArgs& args, cudaStream_t stream) {
  scatter_kernel<<<1, kBlock, 0, stream>>>(args);
  check_launch("scatter");
}

}  // namespace minfer::cuda
