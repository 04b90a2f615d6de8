// Sums and maxima over the lanes of a warp or the threads of a block, in one fixed order.
#pragma once

namespace minfer::cuda {

inline constexpr unsigned kAllLanes = 0xffffffffu;

// Over the kLanes lanes that share lane / kLanes; every lane gets the result.
template <int kLanes = 32>
__device__ inline float warp_sum(float value) {
#pragma unroll
  for (int offset = kLanes / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(kAllLanes, value, offset);
  return value;
}

template <int kLanes = 32>
__device__ inline int warp_sum(int value) {
#pragma unroll
  for (int offset = kLanes / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(kAllLanes, value, offset);
  return value;
}

template <int kLanes = 32>
__device__ inline float warp_max(float value) {
#pragma unroll
  for (int offset = kLanes / 2; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, offset));
  return value;
}

// Over a block of kThreads, all of which call this; every thread gets the result. `scratch`: kThreads / 32 floats of
// shared memory, free to be used again after the call's last barrier.
template <int kThreads>
__device__ inline float block_sum(float value, float* scratch) {
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int warp = 0; warp < kThreads / 32; ++warp) sum += scratch[warp];
  __syncthreads();
  return sum;
}

template <int kThreads>
__device__ inline float block_max(float value, float* scratch) {
  value = warp_max(value);
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  float largest = scratch[0];
#pragma unroll
  for (int warp = 1; warp < kThreads / 32; ++warp) largest = fmaxf(largest, scratch[warp]);
  __syncthreads();
  return largest;
}

}  // namespace minfer::cuda
