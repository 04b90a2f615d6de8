#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/matmul/gemm_f16.h"
#include "backends/cuda/matmul/row_scale.cuh"

namespace minfer::cuda {
namespace {

struct Params {
  const std::uint8_t* x;
  std::int64_t stride;
  std::int64_t k;
  std::int64_t scales_offset;  // of a quantized row
  __half* out;
  float* scale;
};

constexpr int kThreads = 256;

// Four values of a row, floats or quantized.
template <bool kQuantized>
__device__ __forceinline__ float4 four_values(const Params& p, const std::uint8_t* row, std::int64_t i) {
  if constexpr (!kQuantized) return *reinterpret_cast<const float4*>(row + 4 * i);
  const char4 q = *reinterpret_cast<const char4*>(row + i);
  const float d = reinterpret_cast<const float*>(row + p.scales_offset)[i / 32];
  return make_float4(q.x * d, q.y * d, q.z * d, q.w * d);
}

// A block a row, which it reads twice: the second time from L2.
template <bool kQuantized>
__global__ void __launch_bounds__(kThreads) activations_f16_kernel(const Params p) {
  __shared__ float parts[kThreads / 32];
  let_successors_start();
  wait_for_predecessors();
  const std::uint8_t* row = p.x + blockIdx.x * p.stride;
  float amax = 0;
  for (std::int64_t i = 4 * threadIdx.x; i < p.k; i += 4 * kThreads)
    amax = fmaxf(amax, magnitude_of(four_values<kQuantized>(p, row, i)));
  const int e = row_exponent(block_max<kThreads>(amax, parts));
  const float factor = power_of_two(e);
  if (threadIdx.x == 0) p.scale[blockIdx.x] = power_of_two(-e);
  __half* out = p.out + blockIdx.x * p.k;
  for (std::int64_t i = 4 * threadIdx.x; i < p.k; i += 4 * kThreads) {
    const float4 v = four_values<kQuantized>(p, row, i);
    const __half2 h[2] = {__floats2half2_rn(v.x * factor, v.y * factor),
                          __floats2half2_rn(v.z * factor, v.w * factor)};
    *reinterpret_cast<uint2*>(out + i) = *reinterpret_cast<const uint2*>(h);
  }
}

}  // namespace

void launch_activations_f16(const void* x, DType type, std::int64_t x_stride, std::int64_t k,
                            std::int64_t n_tokens, void* out, float* scale, bool overlap,
                            cudaStream_t stream) {
  const Params p{static_cast<const std::uint8_t*>(x), x_stride, k, (k + 63) / 64 * 64,
                 static_cast<__half*>(out),           scale};
  const LaunchShape shape{static_cast<unsigned>(n_tokens), kThreads, 0, overlap};
  if (type == DType::kQ8Row32)
    launch_kernel("activations f16", activations_f16_kernel<true>, shape, stream, p);
  else
    launch_kernel("activations f16", activations_f16_kernel<false>, shape, stream, p);
}

}  // namespace minfer::cuda
