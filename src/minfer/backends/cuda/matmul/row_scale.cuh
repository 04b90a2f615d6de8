// Powers of two that bring a row of floats into the range of float16.
#pragma once

#include <cuda_fp16.h>

#include "backends/cuda/matmul/ptx.cuh"

namespace minfer::cuda {

__device__ __forceinline__ float magnitude_of(float4 v) {
  return fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
}

// The largest value of a block, in all its threads; `parts` holds a float for each warp.
template <int kThreads>
__device__ __forceinline__ float block_max(float value, float* parts) {
#pragma unroll
  for (int o = 16; o > 0; o /= 2) value = fmaxf(value, __shfl_xor_sync(~0u, value, o));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  for (int i = 0; i < kThreads / 32; ++i) value = fmaxf(value, parts[i]);
  return value;
}

// The exponent of the power of two that brings amax to [2^12, 2^13); within what it and its inverse can be. 0 for
// infinities and NaN, which stay what they are.
__device__ __forceinline__ int row_exponent(float amax) {
  return amax > 0 && amax <= 3.4e38f ? min(max(12 - ilogbf(amax), -120), 120) : 0;
}

// 2^e as a float, e in the range of normal numbers.
__device__ __forceinline__ float power_of_two(int e) { return __int_as_float((e + 127) << 23); }

}  // namespace minfer::cuda
