// Gate and up projections with their SwiGLU for 1 to 8 tokens: out[t][r] = silu(gate[r] . x[t]) * (up[r] . x[t]),
// as floats or quantized. A block owns 32 outputs, a whole group of the quantized row.
#pragma once

#include "backends/cuda/matmul/gemm_epilogue.cuh"
#include "backends/cuda/matmul/mmvq.cuh"
#include "backends/cuda/matmul/quantize_group.cuh"

namespace minfer::cuda {

inline constexpr int kFfnOutputs = 32;  // of a block
inline constexpr int kFfnWarps = 8;

template <typename Chunk, int kRows, int kTokens, bool kQuantized>
__global__ void __launch_bounds__(32 * kFfnWarps, kTokens > 2 ? 2 : 3)
    mmvq_ffn_kernel(const __grid_constant__ MmvqParams p) {
  constexpr int kCount = kRows * kTokens, kPairs = kRows / 2, kGroups = kFfnOutputs / kPairs;
  __shared__ float partial[kGroups * kMaxSplit][kCount];
  let_successors_start();
  const int lane = threadIdx.x & 31, warp = threadIdx.x / 32, part = warp & (p.split - 1);
  for (int in_block = warp / p.split; in_block < kGroups; in_block += kFfnWarps / p.split) {
    const int group = blockIdx.x * kGroups + in_block;
    if (group >= p.n_groups) break;
    mmvq_group<Chunk, kRows, kTokens, true>(p, group, partial[in_block * p.split + part]);
  }
  __syncthreads();
  wait_for_predecessors();
  const int group = blockIdx.x * kGroups + lane / kPairs, pair = lane % kPairs;
  for (int token = warp; token < p.n_tokens; token += kFfnWarps) {
    const float gate = add_parts<kCount>(partial, lane / kPairs, p.split, pair * kTokens + token);
    const float up = add_parts<kCount>(partial, lane / kPairs, p.split, (kPairs + pair) * kTokens + token);
    const float value = silu_of(gate) * up;
    auto* out = static_cast<std::uint8_t*>(p.out) + token * p.out_stride;
    if constexpr (kQuantized) {
      store_group(value, out, p.matrices[0].n, blockIdx.x);
    } else if (group < p.n_groups) {
      const RowGroup<kRows, true> rows(p, group);
      reinterpret_cast<float*>(out)[rows.first_row + pair * rows.row_step] = value;
    }
  }
}

}  // namespace minfer::cuda
