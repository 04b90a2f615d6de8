// Where the sums of a matrix product go.
#pragma once

#include <cstdint>

namespace minfer::cuda {

struct GemmOutput {
  float* out;
  std::int64_t stride;       // floats between tokens
  const float* token_scale;  // (n_tokens), or null: 1
  const float* row_scale;    // (n), or null: 1
  const float* residual;     // as out, added to the scaled sums; null: none
  int n;                     // rows of the weight
  int n_tokens;
};

__device__ __forceinline__ float silu_of(float x) { return x / (1.0f + expf(-x)); }

// Stores a 16 x 8 tile as the tensor cores leave it in a warp: d[0], d[1] are row lane / 4 and columns 2 (lane % 4)
// and the next; d[2], d[3] are 8 rows further. kSwiglu: rows of gate and up lie in turns of 8, so that the two of
// an output are in one thread.
template <bool kSwiglu>
__device__ __forceinline__ void store_sums(const GemmOutput& o, const float* d, int row, int token) {
  const int lane = threadIdx.x & 31, r = row + lane / 4;
  const float low_scale = o.row_scale && r < o.n ? o.row_scale[r] : 1.0f;
  const float high_scale = o.row_scale && r + 8 < o.n ? o.row_scale[r + 8] : 1.0f;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int t = token + 2 * (lane & 3) + i;
    if (t >= o.n_tokens) continue;
    const float scale = o.token_scale ? o.token_scale[t] : 1.0f;
    float* out = o.out + t * o.stride;
    const float low = d[i] * scale * low_scale, high = d[2 + i] * scale * high_scale;
    if constexpr (kSwiglu) {
      if (r + 8 < o.n) out[row / 2 + lane / 4] = silu_of(low) * high;
    } else {
      const float* residual = o.residual ? o.residual + t * o.stride : nullptr;
      if (r < o.n) out[r] = residual ? residual[r] + low : low;
      if (r + 8 < o.n) out[r + 8] = residual ? residual[r + 8] + high : high;
    }
  }
}

}  // namespace minfer::cuda
