#include "backends/cuda/ops/elementwise.h"

#include <algorithm>

#include "backends/cuda/device/check.h"

namespace minfer::cuda {
namespace {

constexpr int kBlock = 256;

struct AddValues {
  __device__ float operator()(float x, float y) const { return x + y; }
};
struct MulValues {
  __device__ float operator()(float x, float y) const { return x * y; }
};
struct ScaleBy {
  float factor;
  __device__ float operator()(float x) const { return x * factor; }
};
struct SiluValue {
  __device__ float operator()(float x) const { return x / (1.0f + expf(-x)); }
};

template <class F>
__global__ void map_kernel(const float* x, float* out, std::int64_t n, F f) {
  const std::int64_t stride = std::int64_t{gridDim.x} * kBlock;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += stride) out[i] = f(x[i]);
}

template <class F>
__global__ void map_kernel(const float* x, const float* y, float* out, std::int64_t n, std::int64_t period,
                           F f) {
  const std::int64_t stride = std::int64_t{gridDim.x} * kBlock;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += stride)
    out[i] = f(x[i], y[period == n ? i : i % period]);
}

unsigned grid_for(std::int64_t n) {
  return static_cast<unsigned>(std::clamp<std::int64_t>((n + kBlock - 1) / kBlock, 1, 4096));
}

}  // namespace

void launch_add(const float* x, const float* y, float* out, std::int64_t n, std::int64_t period,
                cudaStream_t stream) {
  map_kernel<<<grid_for(n), kBlock, 0, stream>>>(x, y, out, n, period, AddValues{});
  check_launch("add");
}

void launch_mul(const float* x, const float* y, float* out, std::int64_t n, std::int64_t period,
                cudaStream_t stream) {
  map_kernel<<<grid_for(n), kBlock, 0, stream>>>(x, y, out, n, period, MulValues{});
  check_launch("mul");
}

void launch_scale(const float* x, float factor, float* out, std::int64_t n, cudaStream_t stream) {
  map_kernel<<<grid_for(n), kBlock, 0, stream>>>(x, out, n, ScaleBy{factor});
  check_launch("scale");
}

void launch_silu(const float* x, float* out, std::int64_t n, cudaStream_t stream) {
  map_kernel<<<grid_for(n), kBlock, 0, stream>>>(x, out, n, SiluValue{});
  check_launch("silu");
}

}  // namespace minfer::cuda
