#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/matmul/mmq_params.h"
#include "backends/cuda/matmul/ptx.cuh"

namespace minfer::cuda {
namespace {

__global__ void sum_splits_kernel(const float* parts, int n_splits, std::int64_t split_stride, std::int64_t n,
                                  float* out, std::int64_t out_stride, const float* residual) {
  let_successors_start();
  wait_for_predecessors();
  const std::int64_t r = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x, t = blockIdx.y;
  if (r >= n) return;
  float sum = 0;
  for (int i = 0; i < n_splits; ++i) sum += parts[i * split_stride + t * n + r];
  const std::int64_t at = t * out_stride + r;
  out[at] = residual ? residual[at] + sum : sum;
}

}  // namespace

void launch_mmq_variant(const MmqVariant& variant, int tile_tokens, bool pairs, const MmqParams& params,
                        bool overlap, cudaStream_t stream) {
  const int rows = pairs ? 2 * params.n : params.n;
  const dim3 grid(static_cast<unsigned>((params.n_tokens + tile_tokens - 1) / tile_tokens),
                  static_cast<unsigned>((rows + kMmqRows - 1) / kMmqRows),
                  static_cast<unsigned>(params.n_splits));
  const auto kernel = reinterpret_cast<void (*)(const MmqParams)>(const_cast<void*>(variant.kernel));
  launch_kernel("mmq", kernel, {grid, 256, static_cast<std::size_t>(variant.shared_bytes), overlap}, stream,
                params);
}

void launch_sum_splits(const float* parts, int n_splits, std::int64_t split_stride, std::int64_t n,
                       std::int64_t n_tokens, float* out, std::int64_t out_stride, const float* residual,
                       bool overlap, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>((n + 255) / 256), static_cast<unsigned>(n_tokens));
  launch_kernel("sum splits", sum_splits_kernel, {grid, 256, 0, overlap}, stream, parts, n_splits,
                split_stride, n, out, out_stride, residual);
}

}  // namespace minfer::cuda
