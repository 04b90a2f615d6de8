// Activations quantized where they are made.
#pragma once

#include <cstdint>

#include <cuda_fp16.h>

namespace minfer::cuda {

// Quantizes the 32 values of a warp as quantize_group_32 (quant/q8_group.h) does: bit for bit.
__device__ __forceinline__ void store_group(float value, std::uint8_t* row, std::int64_t k, int group) {
  const int lane = threadIdx.x & 31;
  float amax = fabsf(value);
  bool finite = isfinite(value);
#pragma unroll
  for (int o = 16; o > 0; o /= 2) amax = fmaxf(amax, __shfl_xor_sync(~0u, amax, o));
  finite = __all_sync(~0u, finite);
  float d = __fdiv_rn(amax, 127.0f);
  const float inverse = __fdiv_rn(1.0f, d);
  int q = 0;
  if (!finite) {
    d = __int_as_float(0x7fc00000);
  } else if (amax > 0 && isfinite(inverse)) {
    q = static_cast<int>(roundf(__fmul_rn(value, inverse)));
  }
  int sum = q;
#pragma unroll
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  const std::int64_t scales = (k + 63) / 64 * 64, sums = scales + (k / 32 * 4 + 63) / 64 * 64;
  row[group * 32 + lane] = static_cast<std::uint8_t>(q);
  if (lane == 0) {
    reinterpret_cast<float*>(row + scales)[group] = __half2float(__float2half_rn(d));
    reinterpret_cast<std::int16_t*>(row + sums)[group] = static_cast<std::int16_t>(sum);
  }
}

}  // namespace minfer::cuda
