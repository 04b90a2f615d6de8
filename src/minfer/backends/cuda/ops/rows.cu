#include "backends/cuda/ops/rows.h"

#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/matmul/ptx.cuh"
#include "backends/cuda/quant/activation.cuh"

namespace minfer::cuda {
namespace {

constexpr int kBlock = 256;
constexpr int kNormThreads = 512;

// Values 4i .. 4i + 3 of a row; zeros beyond its end. Rows whose length is no multiple of 4 are not aligned.
__device__ float4 load4(const float* row, std::int64_t i, std::int64_t n) {
  if (n % 4 == 0) return 4 * i < n ? reinterpret_cast<const float4*>(row)[i] : float4{0, 0, 0, 0};
  float4 v = {0, 0, 0, 0};
  if (4 * i < n) v.x = row[4 * i];
  if (4 * i + 1 < n) v.y = row[4 * i + 1];
  if (4 * i + 2 < n) v.z = row[4 * i + 2];
  if (4 * i + 3 < n) v.w = row[4 * i + 3];
  return v;
}

__device__ void store4(float* row, std::int64_t i, std::int64_t n, const float4& v) {
  if (n % 4 == 0) {
    if (4 * i < n) reinterpret_cast<float4*>(row)[i] = v;
    return;
  }
  if (4 * i < n) row[4 * i] = v.x;
  if (4 * i + 1 < n) row[4 * i + 1] = v.y;
  if (4 * i + 2 < n) row[4 * i + 2] = v.z;
  if (4 * i + 3 < n) row[4 * i + 3] = v.w;
}

// Stores four values of a row, as floats or as part of their group. All threads of a warp call it together.
template <bool kQuantized>
__device__ void store_values(void* out, std::int64_t row, std::int64_t i, std::int64_t n, const float4& v) {
  if constexpr (kQuantized) {
    store_group_of_eight(v, activation_row(out, row, n), i / 8, 4 * i < n);
  } else {
    store4(static_cast<float*>(out) + row * n, i, n, v);
  }
}

__device__ float4 scaled(const float4& v, float scale, const float4& w) {
  return {v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w};
}

__device__ float norm_scale(float sum_of_squares, std::int64_t n, float eps) {
  return 1.0f / sqrtf(sum_of_squares / static_cast<float>(n) + eps);
}

// A block a row, whose values stay in registers as far as there are kVectors of four for each thread.
template <bool kQuantized, int kVectors>
__global__ void __launch_bounds__(kNormThreads)
    rms_norm_kernel(const float* x, const float* weight, float eps, void* out, std::int64_t n) {
  __shared__ float scratch[kNormThreads / 32];
  let_successors_start();
  const std::int64_t row = blockIdx.x;
  const float* values = x + row * n;
  float4 v[kVectors];
  float4 w[kVectors];
#pragma unroll
  for (int j = 0; j < kVectors; ++j) w[j] = load4(weight, j * kNormThreads + threadIdx.x, n);
  wait_for_predecessors();
  float sum = 0;
#pragma unroll
  for (int j = 0; j < kVectors; ++j) {
    v[j] = load4(values, j * kNormThreads + threadIdx.x, n);
    sum += v[j].x * v[j].x + v[j].y * v[j].y + (v[j].z * v[j].z + v[j].w * v[j].w);
  }
  const float scale = norm_scale(block_sum<kNormThreads>(sum, scratch), n, eps);
#pragma unroll
  for (int j = 0; j < kVectors; ++j)
    store_values<kQuantized>(out, row, j * kNormThreads + threadIdx.x, n, scaled(v[j], scale, w[j]));
}

// Rows of any length.
template <bool kQuantized>
__global__ void __launch_bounds__(kNormThreads)
    long_rms_norm_kernel(const float* x, const float* weight, float eps, void* out, std::int64_t n) {
  __shared__ float scratch[kNormThreads / 32];
  let_successors_start();
  wait_for_predecessors();
  const std::int64_t row = blockIdx.x;
  const float* values = x + row * n;
  float sum = 0;
  for (std::int64_t i = threadIdx.x; 4 * i < n; i += kNormThreads) {
    const float4 v = load4(values, i, n);
    sum += v.x * v.x + v.y * v.y + (v.z * v.z + v.w * v.w);
  }
  const float scale = norm_scale(block_sum<kNormThreads>(sum, scratch), n, eps);
  const std::int64_t n_steps = (n + 4 * kNormThreads - 1) / (4 * kNormThreads);
  for (std::int64_t step = 0; step < n_steps; ++step) {
    const std::int64_t i = step * kNormThreads + threadIdx.x;
    store_values<kQuantized>(out, row, i, n, scaled(load4(values, i, n), scale, load4(weight, i, n)));
  }
}

template <bool kQuantized>
auto rms_norm_of(std::int64_t n) {
  if (n <= 2 * 4 * kNormThreads) return rms_norm_kernel<kQuantized, 2>;
  return n <= 4 * 4 * kNormThreads ? rms_norm_kernel<kQuantized, 4> : long_rms_norm_kernel<kQuantized>;
}

// A grid of rows and of blocks along a row.
__global__ void quantize_kernel(const float* x, void* out, std::int64_t n) {
  let_successors_start();
  wait_for_predecessors();
  const std::int64_t i = std::int64_t{blockIdx.y} * kBlock + threadIdx.x;
  const std::int64_t row = blockIdx.x;
  store_values<true>(out, row, i, n, load4(x + row * n, i, n));
}

__device__ float silu(float x) { return x / (1.0f + expf(-x)); }

template <bool kQuantized>
__global__ void swiglu_kernel(const float* gate, const float* up, void* out, std::int64_t n) {
  let_successors_start();
  wait_for_predecessors();
  const std::int64_t i = std::int64_t{blockIdx.y} * kBlock + threadIdx.x;
  const std::int64_t row = blockIdx.x;
  const float4 g = load4(gate + row * n, i, n);
  const float4 u = load4(up + row * n, i, n);
  store_values<kQuantized>(out, row, i, n,
                           {silu(g.x) * u.x, silu(g.y) * u.y, silu(g.z) * u.z, silu(g.w) * u.w});
}

__global__ void __launch_bounds__(kBlock) softmax_kernel(const float* x, float* out, std::int64_t n) {
  __shared__ float scratch[kBlock / 32];
  let_successors_start();
  wait_for_predecessors();
  const float* values = x + std::int64_t{blockIdx.x} * n;
  float* result = out + std::int64_t{blockIdx.x} * n;
  float largest = -INFINITY;
  for (std::int64_t i = threadIdx.x; i < n; i += kBlock) largest = fmaxf(largest, values[i]);
  largest = block_max<kBlock>(largest, scratch);
  float sum = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += kBlock) sum += expf(values[i] - largest);
  sum = block_sum<kBlock>(sum, scratch);
  for (std::int64_t i = threadIdx.x; i < n; i += kBlock) result[i] = expf(values[i] - largest) / sum;
}

unsigned grid_of(std::int64_t n) { return static_cast<unsigned>(n); }

// Rows, and blocks of kBlock threads along a row, four values each.
dim3 grid_over(std::int64_t n_rows, std::int64_t n) {
  return {grid_of(n_rows), grid_of((n + 4 * kBlock - 1) / (4 * kBlock))};
}

}  // namespace

void launch_rms_norm(const float* x, const float* weight, float eps, void* out, bool quantized,
                     std::int64_t n_rows, std::int64_t n, bool overlap, cudaStream_t stream) {
  const auto kernel = quantized ? rms_norm_of<true>(n) : rms_norm_of<false>(n);
  launch_kernel("rms_norm", kernel, {grid_of(n_rows), kNormThreads, 0, overlap}, stream, x, weight, eps, out,
                n);
}

void launch_quantize(const float* x, void* out, std::int64_t n_rows, std::int64_t n, bool overlap,
                     cudaStream_t stream) {
  launch_kernel("quantize", quantize_kernel, {grid_over(n_rows, n), kBlock, 0, overlap}, stream, x, out, n);
}

void launch_swiglu(const float* gate, const float* up, void* out, bool quantized, std::int64_t n_rows,
                   std::int64_t n, bool overlap, cudaStream_t stream) {
  const auto kernel = quantized ? swiglu_kernel<true> : swiglu_kernel<false>;
  launch_kernel("swiglu", kernel, {grid_over(n_rows, n), kBlock, 0, overlap}, stream, gate, up, out, n);
}

void launch_softmax(const float* x, float* out, std::int64_t n_rows, std::int64_t n, bool overlap,
                    cudaStream_t stream) {
  launch_kernel("softmax", softmax_kernel, {grid_of(n_rows), kBlock, 0, overlap}, stream, x, out, n);
}

}  // namespace minfer::cuda
