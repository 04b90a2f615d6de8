// Products of a quantized matrix with 1 to 8 rows of int8 activations (decode): the matrix is streamed once.
//
// A warp takes kRows rows at a time; its lanes walk along k, a chunk of 32 weights of each row at a time
// (weight_chunk.cuh), so that loads are 512 contiguous bytes and an activation serves kRows rows. Where a matrix
// has too few rows to fill a GPU, `split` warps of a block share the rows and divide k; how many depends on the
// shape alone, and every sum has one fixed order, so results repeat, and the number of tokens changes no bit.
#pragma once

#include "backends/cuda/matmul/mmvq_params.h"
#include "backends/cuda/matmul/weight_chunk.cuh"

namespace minfer::cuda {

// One token's activations for a chunk.
struct ChunkActivations {
  uint4 a0, a1;
  float d0, d1;   // scales of run 0 and run 1 (d1 where !kOneScale)
  float min_sum;  // scale times sum of the group that the minimum multiplies
};

// Where a lane reads token 0's activations of its chunk; it moves along k with the lane.
template <typename Chunk>
struct ActivationCursor {
  const std::uint8_t* codes;
  const float* scales;
  const std::int16_t* sums;
  bool odd;  // of a K-quant's chunk: its minimum is that of run 1's group

  __device__ __forceinline__ ActivationCursor(const MmvqParams& p, int chunk, int j) : odd(j & 1) {
    const int block_k = (chunk - j) * 32, k = block_k + Chunk::first_run(j);
    codes = p.x + k;
    scales = reinterpret_cast<const float*>(p.x + p.scales_offset) + k / 32;
    sums = reinterpret_cast<const std::int16_t*>(p.x + p.sums_offset) + chunk;
  }
  __device__ __forceinline__ void advance(int chunks) {
    codes += 32 * chunks;
    scales += chunks;
    sums += chunks;
  }
  // Of the token whose row lies `offset` bytes on.
  __device__ __forceinline__ ChunkActivations load(std::int64_t offset) const {
    const auto* s = reinterpret_cast<const float*>(reinterpret_cast<const std::uint8_t*>(scales) + offset);
    ChunkActivations a;
    a.a0 = *reinterpret_cast<const uint4*>(codes + offset);
    a.a1 = *reinterpret_cast<const uint4*>(codes + offset + Chunk::kRunDistance);
    a.d0 = s[0];
    a.d1 = Chunk::kOneScale ? a.d0 : s[Chunk::kRunDistance / 32];
    a.min_sum = 0;
    if constexpr (Chunk::kHasMin) {
      const auto* sum =
          reinterpret_cast<const std::int16_t*>(reinterpret_cast<const std::uint8_t*>(sums) + offset);
      a.min_sum = (!Chunk::kOneScale && odd ? a.d1 : a.d0) * static_cast<float>(*sum);
    }
    return a;
  }
};

template <bool kSigned>
__device__ __forceinline__ int dot16(const std::uint32_t* w, const uint4& a) {
  if constexpr (kSigned) {
    return dot4_signed(w[3], a.w, dot4_signed(w[2], a.z, dot4_signed(w[1], a.y, dot4_signed(w[0], a.x, 0))));
  }
  return dot4_unsigned(w[3], a.w,
                       dot4_unsigned(w[2], a.z, dot4_unsigned(w[1], a.y, dot4_unsigned(w[0], a.x, 0))));
}

template <typename Chunk>
__device__ __forceinline__ float add_chunk(const ChunkCodes& c, const ChunkActivations& a, float sum) {
  const int i0 = dot16<Chunk::kSigned>(c.w, a.a0), i1 = dot16<Chunk::kSigned>(c.w + 4, a.a1);
  if constexpr (Chunk::kOneScale) {
    sum = fmaf(c.first_scale * a.d0, static_cast<float>(i0 + (i1 >> Chunk::kSecondShift)), sum);
  } else {
    sum = fmaf(c.first_scale * a.d0, static_cast<float>(i0), sum);
    sum = fmaf(c.second_scale * a.d1, static_cast<float>(i1), sum);
  }
  if constexpr (Chunk::kHasMin) sum = fmaf(c.minimum, a.min_sum, sum);
  return sum;
}

// Sums each of kCount (a power of two up to 32) values over the lanes; lane i * (32 / kCount) then has the sum of
// value i in v[0]. Halving the values at each step takes kCount + 4 shuffles or so instead of 5 kCount.
template <int kCount, int kOffset = 16>
__device__ __forceinline__ void sum_over_lanes(float* v) {
  if constexpr (kCount > 1) {
    const bool upper = threadIdx.x & kOffset;
#pragma unroll
    for (int i = 0; i < kCount / 2; ++i) {
      const float keep = upper ? v[i + kCount / 2] : v[i], give = upper ? v[i] : v[i + kCount / 2];
      v[i] = keep + __shfl_xor_sync(~0u, give, kOffset);
    }
  } else {
    v[0] += __shfl_xor_sync(~0u, v[0], kOffset);
  }
  if constexpr (kOffset > 1) sum_over_lanes<(kCount > 1 ? kCount / 2 : 1), kOffset / 2>(v);
}

// The rows of a group: consecutive ones of a matrix, or (kPairs) as many of the first matrix as of the second. The
// last group reaches back, so that it is whole: its first rows are computed twice, with the same result. A matrix
// of one row has it twice in a group.
template <int kRows, bool kPairs>
struct RowGroup {
  static constexpr int kSpan = kPairs ? kRows / 2 : kRows;
  const std::uint8_t* data[kPairs ? 2 : 1];
  std::size_t n_blocks;
  int first_row;
  int row_step;  // 1, or 0 for a matrix with fewer rows than a group
  int own_row;   // rows before it belong to the group in front
  int first_out;

  __device__ RowGroup(const MmvqParams& p, int group) {
    int m = 0;
    if constexpr (!kPairs) {
      while (m + 1 < p.n_matrices && group >= p.matrices[m + 1].first_group) ++m;
    } else {
      data[1] = p.matrices[1].data;
    }
    data[0] = p.matrices[m].data;
    n_blocks = p.matrices[m].n_blocks;
    first_out = p.matrices[m].first_out;
    row_step = p.matrices[m].n >= kSpan;
    own_row = (group - p.matrices[m].first_group) * kSpan;
    first_row = max(min(own_row, p.matrices[m].n - kSpan), 0);
  }
  // Whether row i of the group is stored from here: a row that is computed twice must not be added twice.
  __device__ bool owns(int i) const { return row_step ? first_row + i >= own_row : i == 0; }
  __device__ const std::uint8_t* base(int i) const { return data[kPairs && i >= kSpan ? 1 : 0]; }
};

// Adds a warp's share of k to sums[row * kTokens + token].
template <typename Chunk, int kRows, int kTokens, bool kPairs>
__device__ __forceinline__ void mmvq_accumulate(const MmvqParams& p, const RowGroup<kRows, kPairs>& group,
                                                int part, float (&sums)[kRows * kTokens]) {
  const std::uint32_t blocks_per_row = p.n_chunks / Chunk::kLanes;
  const int step = 32 * p.split;
  int chunk = 32 * part + (threadIdx.x & 31);
  const int j = chunk % Chunk::kLanes;  // the same for all chunks of a lane
  // Blocks are numbered in 32 bits: half the instructions of their addresses.
  std::uint32_t block = static_cast<std::uint32_t>(group.first_row) * blocks_per_row + chunk / Chunk::kLanes;
  const std::uint32_t row_blocks = group.row_step * blocks_per_row;
  Chunk rows[kRows];
  const auto load = [&] {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      rows[i].load(group.base(i), group.n_blocks, block + i % RowGroup<kRows, kPairs>::kSpan * row_blocks, j);
    }
  };
  if (chunk < p.n_chunks) load();
  wait_for_predecessors();
  ActivationCursor<Chunk> activations(p, chunk, j);
  while (chunk < p.n_chunks) {
    if constexpr (kTokens == 1) {
      const ChunkActivations a = activations.load(0);
#pragma unroll
      for (int i = 0; i < kRows; ++i) sums[i] = add_chunk<Chunk>(rows[i].unpack(j), a, sums[i]);
    } else {
      ChunkCodes codes[kRows];
#pragma unroll
      for (int i = 0; i < kRows; ++i) codes[i] = rows[i].unpack(j);
#pragma unroll
      for (int t = 0; t < kTokens; ++t) {
        const ChunkActivations a = activations.load(min(t, p.n_tokens - 1) * p.x_stride);
#pragma unroll
        for (int i = 0; i < kRows; ++i) {
          sums[i * kTokens + t] = add_chunk<Chunk>(codes[i], a, sums[i * kTokens + t]);
        }
      }
    }
    chunk += step;
    block += step / Chunk::kLanes;
    activations.advance(step);
    if (chunk < p.n_chunks) load();
  }
}

// Computes a group's sums and leaves this warp's part of them in part_sums[row * kTokens + token].
template <typename Chunk, int kRows, int kTokens, bool kPairs>
__device__ __forceinline__ void mmvq_group(const MmvqParams& p, int group,
                                           float (&part_sums)[kRows * kTokens]) {
  constexpr int kCount = kRows * kTokens;
  const int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
  float sums[kCount] = {};
  mmvq_accumulate<Chunk, kRows, kTokens, kPairs>(p, {p, group}, warp & (p.split - 1), sums);
  sum_over_lanes<kCount>(sums);
  if (lane % (32 / kCount) == 0) part_sums[lane / (32 / kCount)] = sums[0];
}

template <int kCount>
__device__ __forceinline__ float add_parts(const float (*partial)[kCount], int group_in_block, int split,
                                           int value) {
  float sum = 0;
  for (int i = 0; i < split; ++i) sum += partial[group_in_block * split + i][value];
  return sum;
}

// out[t][row] = row . x[t]
template <typename Chunk, int kRows, int kTokens, int kBlocks>
__global__ void __launch_bounds__(32 * kMmvqWarps, kBlocks)
    mmvq_kernel(const __grid_constant__ MmvqParams p) {
  constexpr int kCount = kRows * kTokens;
  __shared__ float partial[kMmvqWarps][kCount];
  let_successors_start();
  const int warp = threadIdx.x / 32, groups = kMmvqWarps / p.split;
  const int warp_group = blockIdx.x * groups + warp / p.split;
  if (warp_group < p.n_groups) mmvq_group<Chunk, kRows, kTokens, false>(p, warp_group, partial[warp]);
  __syncthreads();
  wait_for_predecessors();  // also of warps without a group
  for (int i = threadIdx.x; i < groups * kCount; i += 32 * kMmvqWarps) {
    const int in_block = i / kCount, value = i % kCount, token = value % kTokens;
    const int group = blockIdx.x * groups + in_block;
    if (group >= p.n_groups || token >= p.n_tokens) continue;
    const RowGroup<kRows, false> rows(p, group);
    if (!rows.owns(value / kTokens)) continue;
    const std::int64_t at = token * p.out_stride / std::int64_t{sizeof(float)} + rows.first_out +
                            rows.first_row + value / kTokens * rows.row_step;
    const float sum = add_parts<kCount>(partial, in_block, p.split, value);
    static_cast<float*>(p.out)[at] = p.residual ? p.residual[at] + sum : sum;
  }
}

}  // namespace minfer::cuda
