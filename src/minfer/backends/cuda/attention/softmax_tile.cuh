// Attention of 16 query rows in a warp over tiles of keys: scores, online softmax, and the product with the values,
// all in the fragments of mma.m16n8k16. Thread t has rows t / 4 and t / 4 + 8.
//
// kQParts, kKvParts: 1 rounds to float16, 2 keeps what the rounding left in a second float16 (a multiplication then
// is 2 or 3 products). kQParts is of queries and probabilities, kKvParts of cells, which are float16 anyway in most
// caches.
#pragma once

#include "backends/cuda/attention/kv_tile.cuh"

namespace minfer::cuda {

// What a warp keeps of its 16 rows: maxima and sums of this thread's two rows, and the unnormalized output.
template <int kDim>
struct RowState {
  float max[2] = {-INFINITY, -INFINITY};
  float sum[2] = {};  // of this thread's columns only, until finish()
  float out[kDim / 8][4] = {};

  // Adds up the sums of the four threads that share rows.
  __device__ __forceinline__ void finish() {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      sum[h] += __shfl_xor_sync(~0u, sum[h], 1);
      sum[h] += __shfl_xor_sync(~0u, sum[h], 2);
    }
  }
};

#ifdef MINFER_HAS_MMA
// scores[n] = queries (16 rows at `queries`) . keys 8n .. 8n + 7 of the tile at `keys`; both byte addresses in
// shared memory.
template <int kDim, int kQParts, int kKvParts, int kTiles>
__device__ __forceinline__ void score_keys(std::uint32_t queries, int query_rest, std::uint32_t keys,
                                           int key_rest, float (&scores)[kTiles][4]) {
  const int lane = threadIdx.x & 31;
  const std::uint32_t q_at = queries + (lane % 16 * kStride<kDim> + lane / 16 * 8) * 2;
  const std::uint32_t k_at = keys + ((lane % 8 + lane / 16 * 8) * kStride<kDim> + lane / 8 % 2 * 8) * 2;
#pragma unroll
  for (int n = 0; n < kTiles; ++n) scores[n][0] = scores[n][1] = scores[n][2] = scores[n][3] = 0;
#pragma unroll
  for (int step = 0; step < kDim / 16; ++step) {
    std::uint32_t q[kQParts][4];
#pragma unroll
    for (int part = 0; part < kQParts; ++part) load_matrices(q[part], q_at + part * query_rest + step * 32);
#pragma unroll
    for (int n = 0; n < kTiles / 2; ++n) {
      std::uint32_t k[4];
      load_matrices(k, k_at + n * 16 * kStride<kDim> * 2 + step * 32);
#pragma unroll
      for (int part = 0; part < kQParts; ++part) {
        mma_f16(scores[2 * n], q[part], k[0], k[1]);
        mma_f16(scores[2 * n + 1], q[part], k[2], k[3]);
      }
      if constexpr (kKvParts == 2) {
        load_matrices(k, k_at + key_rest + n * 16 * kStride<kDim> * 2 + step * 32);
        mma_f16(scores[2 * n], q[0], k[0], k[1]);
        mma_f16(scores[2 * n + 1], q[0], k[2], k[3]);
      }
    }
  }
}

// Masks scores of keys from first_key on past the bounds of this thread's rows (the last key that a row sees), and
// turns them into probabilities relative to the running maximum, rescaling what was summed before. log2_scale:
// scale / ln 2.
template <int kDim, int kTiles>
__device__ __forceinline__ void update_softmax(RowState<kDim>& state, float (&scores)[kTiles][4],
                                               int first_key, const int (&bound)[2], float log2_scale) {
  const int column = first_key + 2 * (threadIdx.x & 3);
  float top[2] = {state.max[0], state.max[1]};
#pragma unroll
  for (int n = 0; n < kTiles; ++n) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float s = column + 8 * n + i % 2 <= bound[i / 2] ? scores[n][i] * log2_scale : -INFINITY;
      scores[n][i] = s;
      top[i / 2] = fmaxf(top[i / 2], s);
    }
  }
  float base[2];
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    top[h] = fmaxf(top[h], __shfl_xor_sync(~0u, top[h], 1));
    top[h] = fmaxf(top[h], __shfl_xor_sync(~0u, top[h], 2));
    base[h] = top[h] == -INFINITY ? 0.0f : top[h];  // a row that has seen no key yet
    const float shrink = exp2f(state.max[h] - base[h]);
    state.max[h] = top[h];
    state.sum[h] *= shrink;
#pragma unroll
    for (int d = 0; d < kDim / 8; ++d) {
      state.out[d][2 * h] *= shrink;
      state.out[d][2 * h + 1] *= shrink;
    }
  }
#pragma unroll
  for (int n = 0; n < kTiles; ++n) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      scores[n][i] = exp2f(scores[n][i] - base[i / 2]);
      state.sum[i / 2] += scores[n][i];
    }
  }
}

// state.out += probabilities . values of the tile at `values`.
template <int kDim, int kQParts, int kKvParts, int kTiles>
__device__ __forceinline__ void add_values(RowState<kDim>& state, const float (&p)[kTiles][4],
                                           std::uint32_t values, int value_rest) {
  const int lane = threadIdx.x & 31;
  const std::uint32_t v_at = values + (lane % 16 * kStride<kDim> + lane / 16 * 8) * 2;
#pragma unroll
  for (int step = 0; step < kTiles / 2; ++step) {
    std::uint32_t a[2][4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float* pair = &p[2 * step + i / 2][i % 2 * 2];
      const HalfPair split = split_floats(pair[0], pair[1]);
      a[0][i] = split.high;
      a[1][i] = split.low;
    }
#pragma unroll
    for (int d = 0; d < kDim / 16; ++d) {
      std::uint32_t v[4];
      load_matrices_transposed(v, v_at + (step * 16 * kStride<kDim> + 16 * d) * 2);
#pragma unroll
      for (int part = 0; part < kQParts; ++part) {
        mma_f16(state.out[2 * d], a[part], v[0], v[1]);
        mma_f16(state.out[2 * d + 1], a[part], v[2], v[3]);
      }
      if constexpr (kKvParts == 2) {
        load_matrices_transposed(v, v_at + value_rest + (step * 16 * kStride<kDim> + 16 * d) * 2);
        mma_f16(state.out[2 * d], a[0], v[0], v[1]);
        mma_f16(state.out[2 * d + 1], a[0], v[2], v[3]);
      }
    }
  }
}
#endif

}  // namespace minfer::cuda
