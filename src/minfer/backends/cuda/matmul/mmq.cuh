// The int8 product of many tokens: a block makes 128 rows x kTokens tokens, a warp 16 rows of it, in steps of 256
// k, which are copied while the step before is multiplied. Each group of 32 k is an exact integer product; its
// scales are folded in as it is added to the float sums.
#pragma once

#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/matmul/gemm_epilogue.cuh"
#include "backends/cuda/matmul/mmq_tiles.cuh"

namespace minfer::cuda {

inline constexpr int kMmqThreads = 256;

template <DType kType, int kTokens>
struct MmqShared {
  static constexpr int kGroups = kMmqStep / 32;
  static constexpr int kTokenStride = kMmqStep + 16;
  static constexpr int kWeightBytes = kMmqRows * MmqTile<kType>::kStride + MmqTile<kType>::kExtra;
  static constexpr int kTokenBytes = kTokens * kTokenStride;
  static constexpr int kScaleBytes = kGroups * kTokens * 8;  // of a group and token: scale, scale times sum
  static constexpr int kStageBytes = kWeightBytes + kTokenBytes + kScaleBytes;
  static constexpr int kBytes = 2 * kStageBytes;
};

#ifdef MINFER_HAS_MMA

// Scales of tokens that a thread holds while their step's copies are on their way.
template <int kTokens>
struct HeldTokens {
  static constexpr int kCount = kTokens * (kMmqStep / 32) / kMmqThreads;
  float2 values[kCount];

  static __device__ int token(int i) { return (threadIdx.x + i * kMmqThreads) / 8; }
  static __device__ int group() { return threadIdx.x % 8; }
  __device__ void hold(const MmqParams& p, int first_token, int step) {
    const int g = step * (kMmqStep / 32) + group();
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      values[i] = make_float2(0, 0);
      const std::int64_t t = first_token + token(i);
      if (t >= p.n_tokens || g >= p.k / 32) continue;
      const std::uint8_t* row = p.x + t * p.x_stride;
      const float d = reinterpret_cast<const float*>(row + p.scales_offset)[g];
      values[i] = make_float2(
          d, d * static_cast<float>(reinterpret_cast<const std::int16_t*>(row + p.sums_offset)[g]));
    }
  }
  __device__ void store(float2* scales) const {
#pragma unroll
    for (int i = 0; i < kCount; ++i) scales[group() * kTokens + token(i)] = values[i];
  }
};

template <int kTokens>
__device__ __forceinline__ void copy_tokens(std::uint32_t tile, const MmqParams& p, int first_token,
                                            int step) {
#pragma unroll
  for (int i = threadIdx.x; i < kTokens * (kMmqStep / 16); i += kMmqThreads) {
    const int token = i / (kMmqStep / 16), piece = i % (kMmqStep / 16), k = step * kMmqStep + piece * 16;
    const bool valid = first_token + token < p.n_tokens && k < p.k;
    const std::uint8_t* from = p.x + (valid ? (first_token + token) * p.x_stride + k : 0);
    copy16_async(tile + token * (kMmqStep + 16) + piece * 16, from, valid);
  }
}

// sums += scales * integers; meta: scale and scale * sum of this thread's two tokens.
template <bool kHasMin>
__device__ __forceinline__ void fold(float (&sums)[4], const int (&integers)[4], const MmqScales& s,
                                     const float4& meta) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float token_scale = i % 2 ? meta.z : meta.x;
    sums[i] = fmaf(s.scale[i / 2] * token_scale, static_cast<float>(integers[i]), sums[i]);
    if constexpr (kHasMin) sums[i] = fmaf(s.minimum[i / 2], i % 2 ? meta.w : meta.y, sums[i]);
  }
}

// The integer product of a group for 8 tokens.
template <bool kHalves>
__device__ __forceinline__ void multiply_group(int (&integers)[4], const std::uint32_t (&a)[4],
                                               const MmqScales& s, std::uint32_t b0, std::uint32_t b1) {
  if constexpr (!kHalves) {
    integers[0] = integers[1] = integers[2] = integers[3] = 0;
    mma_s8(integers, a, b0, b1);
    return;
  }
  int low[4] = {}, high[4] = {};
  mma_s8_k16(low, a[0], a[1], b0);
  mma_s8_k16(high, a[2], a[3], b1);
#pragma unroll
  for (int i = 0; i < 4; ++i) integers[i] = low[i] * s.part[i / 2][0] + high[i] * s.part[i / 2][1];
}

// A warp's 16 rows of a step.
template <DType kType, int kTokens>
__device__ __forceinline__ void multiply_step(std::uint8_t* stage, float (&sums)[kTokens / 8][4]) {
  using Tile = MmqTile<kType>;
  using S = MmqShared<kType, kTokens>;
  const int lane = threadIdx.x & 31, row = threadIdx.x / 32 * 16;
  const std::uint32_t tile = to_shared(stage);
  const std::uint32_t tokens =
      tile + S::kWeightBytes + (lane % 8 + lane / 16 * 8) * S::kTokenStride + lane / 8 % 2 * 16;
  const auto* meta = reinterpret_cast<const float4*>(stage + S::kWeightBytes + S::kTokenBytes) + (lane & 3);
  Tile weights;
  weights.load_scales(stage, row + lane / 4);
#pragma unroll
  for (int pair = 0; pair < 4; ++pair) {
    std::uint32_t a[2][4];
    Tile::codes(tile, row, pair, a);
#pragma unroll
    for (int which = 0; which < 2; ++which) {
      const int group = Tile::group(pair, which);
      const MmqScales s = weights.scales(pair, which);
#pragma unroll
      for (int n = 0; n < kTokens / 16; ++n) {
        std::uint32_t b[4];
        load_matrices(b, tokens + n * 16 * S::kTokenStride + 32 * group);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          int integers[4];
          multiply_group<Tile::kHalves>(integers, a[which], s, b[2 * half], b[2 * half + 1]);
          fold<Tile::kHasMin>(sums[2 * n + half], integers, s, meta[group * kTokens / 2 + 8 * n + 4 * half]);
        }
      }
    }
  }
}

// Row r of the tiles: of one matrix, or gate and up in turns of 8. Rows past the end repeat the last.
template <bool kPairs>
__device__ __forceinline__ MmqRow find_row(const MmqParams& p, int r, int row_blocks) {
  const int row = min(kPairs ? r / 16 * 8 + r % 8 : r, p.n - 1);
  return {p.data[kPairs ? r / 8 % 2 : 0], static_cast<std::size_t>(row) * row_blocks};
}
#endif

template <DType kType, int kTokens, bool kPairs>
__global__ void __launch_bounds__(kMmqThreads, kTokens == 128 ? 1 : 2)
    mmq_kernel(const __grid_constant__ MmqParams p) {
#ifdef MINFER_HAS_MMA
  using Tile = MmqTile<kType>;
  using S = MmqShared<kType, kTokens>;
  constexpr int kBlockValues = kType == DType::kQ4_K || kType == DType::kQ6_K ? 256 : 32;
  extern __shared__ __align__(128) std::uint8_t shared[];
  const int first_row = blockIdx.y * kMmqRows, first_token = blockIdx.x * kTokens,
            row_blocks = p.k / kBlockValues;
  const int n_steps = (p.k + kMmqStep - 1) / kMmqStep;
  const int begin = blockIdx.z * p.steps_per_split, end = min(begin + p.steps_per_split, n_steps);
  const MmqRow held_row = find_row<kPairs>(p, first_row + Tile::held_row(), row_blocks);
  typename Tile::Held held;
  HeldTokens<kTokens> held_tokens;
  const auto start = [&](int step) {
    const std::uint32_t stage = to_shared(shared) + (step & 1) * S::kStageBytes;
#pragma unroll
    for (int i = threadIdx.x; i < kMmqRows * Tile::kPieces; i += kMmqThreads) {
      const int row = i / Tile::kPieces;
      const MmqRow source = find_row<kPairs>(p, first_row + row, row_blocks);
      Tile::copy_piece(stage, row, i % Tile::kPieces, source, p.n_blocks, step, row_blocks);
    }
    copy_tokens<kTokens>(stage + S::kWeightBytes, p, first_token, step);
    copies_commit();
    Tile::hold(held, held_row, p.n_blocks, step, row_blocks);
    held_tokens.hold(p, first_token, step);
  };
  let_successors_start();
  wait_for_predecessors();
  float sums[kTokens / 8][4] = {};
  if (begin < end) start(begin);
  for (int step = begin; step < end; ++step) {
    std::uint8_t* stage = shared + (step & 1) * S::kStageBytes;
    Tile::store(held, stage);
    held_tokens.store(reinterpret_cast<float2*>(stage + S::kWeightBytes + S::kTokenBytes));
    copies_wait<0>();
    __syncthreads();  // the step is there for all, and all are done with the one before
    if (step + 1 < end) start(step + 1);
    multiply_step<kType, kTokens>(stage, sums);
  }
  const GemmOutput out{p.out + blockIdx.z * p.split_stride,
                       p.out_stride,
                       nullptr,
                       nullptr,
                       p.residual,
                       kPairs ? 2 * p.n : p.n,
                       p.n_tokens};
#pragma unroll
  for (int n = 0; n < kTokens / 8; ++n) {
    store_sums<kPairs>(out, sums[n], first_row + threadIdx.x / 32 * 16, first_token + 8 * n);
  }
#endif
}

template <DType kType, int kTokens>
MmqVariant mmq_variant(bool pairs) {
  return {pairs ? reinterpret_cast<const void*>(mmq_kernel<kType, kTokens, true>)
                : reinterpret_cast<const void*>(mmq_kernel<kType, kTokens, false>),
          MmqShared<kType, kTokens>::kBytes};
}

template <DType kType>
MmqVariant find_mmq_variant(int tile_tokens, bool pairs) {
  switch (tile_tokens) {
    case 32:
      return mmq_variant<kType, 32>(pairs);
    case 64:
      return mmq_variant<kType, 64>(pairs);
    default:
      return mmq_variant<kType, 128>(pairs);
  }
}

}  // namespace minfer::cuda
