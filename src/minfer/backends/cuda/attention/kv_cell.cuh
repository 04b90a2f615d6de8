// Storing values into KV cells, a warp at a time: bit for bit as the scalar encoders do (quant/float16.h,
// quant/q8_0.cpp), where it is compiled without contraction.
#pragma once

#include <cuda_fp16.h>

#include "backends/cuda/attention/args.h"
#include "backends/cuda/quant/activation.cuh"
#include "quant/q8_0.h"

namespace minfer::cuda {

// A group of 32 values, one a lane, into a Q8_0 block. All lanes call this together.
__device__ inline void store_q8_0(BlockQ8_0* block, float value) {
  const bool finite = __all_sync(kAllLanes, isfinite(value));
  const GroupScale scale = group_scale(warp_max(fabsf(value)), finite);
  const int lane = threadIdx.x % 32;
  block->qs[lane] = scale.inverse != 0.0f
                        ? static_cast<std::int8_t>(round_away(__fmul_rn(value, scale.inverse)))
                        : std::int8_t{0};
  if (lane == 0) block->d = __half_as_ushort(__float2half_rn(scale.d));
}

// Stores n values of a head, value(i) for lane i % 32, from value `first` of the cell's row on. All lanes call this
// together; n is a multiple of 32 for kQ8_0.
template <class Value>
__device__ void store_head(DType type, std::byte* row, int first, int n, Value value) {
  const int lane = threadIdx.x % 32;
  for (int i = lane; i < n || (type == DType::kQ8_0 && i - lane < n); i += 32) {
    if (type == DType::kQ8_0) {
      store_q8_0(reinterpret_cast<BlockQ8_0*>(row) + (first + i) / 32, value(i));
    } else if (type == DType::kF16) {
      reinterpret_cast<__half*>(row)[first + i] = __float2half_rn(value(i));
    } else {
      reinterpret_cast<float*>(row)[first + i] = value(i);
    }
  }
}

}  // namespace minfer::cuda
