#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/matmul/gemm_f16.h"
#include "backends/cuda/matmul/row_scale.cuh"

namespace minfer::cuda {
namespace {

constexpr int kThreads = 256;

// Four values as float16 and what that rounding left over.
__device__ __forceinline__ void split_four(float4 v, uint2& high, uint2& low) {
  const __half2 h[2] = {__floats2half2_rn(v.x, v.y), __floats2half2_rn(v.z, v.w)};
  const float2 a = __half22float2(h[0]), b = __half22float2(h[1]);
  const __half2 l[2] = {__floats2half2_rn(v.x - a.x, v.y - a.y), __floats2half2_rn(v.z - b.x, v.w - b.y)};
  high = *reinterpret_cast<const uint2*>(h);
  low = *reinterpret_cast<const uint2*>(l);
}

// A block a row, which it reads twice: the second time from L2.
__global__ void __launch_bounds__(kThreads) split_f16_kernel(const SplitF16Args p) {
  __shared__ float parts[kThreads / 32];
  let_successors_start();
  wait_for_predecessors();
  const std::int64_t row = blockIdx.x;
  const float* in = p.in + row * p.stride;
  float amax = 0;
  for (std::int64_t i = 4 * threadIdx.x; i < p.k; i += 4 * kThreads)
    amax = fmaxf(amax, magnitude_of(*reinterpret_cast<const float4*>(in + i)));
  const int e = row_exponent(block_max<kThreads>(amax, parts));
  const float factor = power_of_two(e);
  const std::int64_t to = p.in_turns ? row / 8 * 16 + p.turn * 8 + row % 8 : row;
  if (threadIdx.x == 0) p.scale[to] = power_of_two(-e);
  __half* out = static_cast<__half*>(p.out) + to * kSplitParts * p.k;
  for (std::int64_t i = 4 * threadIdx.x; i < p.k; i += 4 * kThreads) {
    float4 v = *reinterpret_cast<const float4*>(in + i);
    v = make_float4(v.x * factor, v.y * factor, v.z * factor, v.w * factor);
    uint2 high, low;
    split_four(v, high, low);
    *reinterpret_cast<uint2*>(out + i) = high;
    *reinterpret_cast<uint2*>(out + p.k + i) = p.weights ? high : low;
    *reinterpret_cast<uint2*>(out + 2 * p.k + i) = p.weights ? low : high;
  }
}

}  // namespace

void launch_split_f16(const SplitF16Args& args, bool overlap, cudaStream_t stream) {
  launch_kernel("split f16", split_f16_kernel, {static_cast<unsigned>(args.n_rows), kThreads, 0, overlap},
                stream, args);
}

}  // namespace minfer::cuda
