// Rounding rows of floats to kQ8Row32 (quant/activation_row.h), bit for bit as the scalar encoder: see
// quant/q8_group.h.
// Compiled without contraction and with IEEE division, as all kernels of ops/ are.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

#include "backends/cuda/device/reduce.cuh"
#include "quant/activation_row.h"

namespace minfer::cuda {

// A row of activations being written.
struct ActivationRow {
  std::int8_t* q;      // (k)
  float* d;            // (k / 32)
  std::int16_t* sums;  // (k / 32)
};

__host__ __device__ inline std::int64_t activation_row_bytes(std::int64_t k) {
  const auto up = [](std::int64_t n) { return (n + 63) / 64 * 64; };
  return up(k) + up(k / 32 * 4) + up(k / 32 * 2);
}

__device__ inline ActivationRow activation_row(void* rows, std::int64_t row, std::int64_t k) {
  const auto up = [](std::int64_t n) { return (n + 63) / 64 * 64; };
  char* base = static_cast<char*>(rows) + row * activation_row_bytes(k);
  return {reinterpret_cast<std::int8_t*>(base), reinterpret_cast<float*>(base + up(k)),
          reinterpret_cast<std::int16_t*>(base + up(k) + up(k / 32 * 4))};
}

struct GroupScale {
  float d;        // before it is rounded to float16
  float inverse;  // 0 where every q is 0
};

// Scale of a group from the largest magnitude in it; `finite`: whether all its values are.
__device__ inline GroupScale group_scale(float largest, bool finite) {
  if (!finite) return {__int_as_float(0x7fc00000), 0.0f};
  const float d = __fdiv_rn(largest, 127.0f);
  const float inverse = d != 0.0f ? __fdiv_rn(1.0f, d) : 0.0f;
  return {d, isinf(inverse) ? 0.0f : inverse};
}

__device__ inline int round_away(float x) { return static_cast<int>(roundf(x)); }

// Eight lanes next to each other hold a group, four values each: the group `group` of the row. All lanes of the warp
// call this together, `active` says which have values.
__device__ inline void store_group_of_eight(const float4& x, const ActivationRow& row, std::int64_t group,
                                            bool active) {
  float largest = fmaxf(fmaxf(fabsf(x.x), fabsf(x.y)), fmaxf(fabsf(x.z), fabsf(x.w)));
  bool finite = isfinite(x.x) && isfinite(x.y) && isfinite(x.z) && isfinite(x.w);
  const unsigned mask = 0xffu << (threadIdx.x % 32 / 8 * 8);
  finite = (__ballot_sync(kAllLanes, finite) & mask) == mask;
  largest = warp_max<8>(largest);
  const GroupScale scale = group_scale(largest, finite);
  char4 q = {0, 0, 0, 0};
  if (scale.inverse != 0.0f) {
    q.x = static_cast<signed char>(round_away(__fmul_rn(x.x, scale.inverse)));
    q.y = static_cast<signed char>(round_away(__fmul_rn(x.y, scale.inverse)));
    q.z = static_cast<signed char>(round_away(__fmul_rn(x.z, scale.inverse)));
    q.w = static_cast<signed char>(round_away(__fmul_rn(x.w, scale.inverse)));
  }
  const int sum = warp_sum<8>(q.x + q.y + q.z + q.w);
  if (!active) return;
  const int lane = threadIdx.x % 8;
  reinterpret_cast<char4*>(row.q)[group * 8 + lane] = q;
  if (lane == 0) {
    row.d[group] = __half2float(__float2half_rn(scale.d));
    row.sums[group] = static_cast<std::int16_t>(sum);
  }
}

}  // namespace minfer::cuda
