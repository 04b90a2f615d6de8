// Attention of many tokens (prefill) on the tensor cores. Rows of the products are pairs of a token and a query
// head of one KV head, so that heads that share keys share their loads; a block takes 16 rows a warp and walks over
// the keys page by page with an online softmax. Tokens of several sequences in a block are taken sequence by
// sequence.
#pragma once

#include "backends/cuda/attention/softmax_tile.cuh"
#include "backends/cuda/matmul/ptx.cuh"

namespace minfer::cuda {

inline constexpr int kPrefillKeys = kPageSize;  // of a tile

struct PrefillParams {
  AttentionArgs args;
  float log2_scale;
};

template <DType kCell, int kDim, int kQParts, int kKvParts>
struct PrefillShared {
  static constexpr int kWarps = kDim <= 128 ? 8 : 4;
  static constexpr int kRows = 16 * kWarps;
  static constexpr int kTileBytes = kPrefillKeys * kStride<kDim> * 2;
  static constexpr int kStageBytes = 2 * kKvParts * kTileBytes;
  static constexpr int kStages = kCell == DType::kF16 ? 2 : 1;
  static constexpr int kQueryBytes = kRows * kStride<kDim> * 2;
  static constexpr int kBytes = kQParts * kQueryBytes + kStages * kStageBytes;
};

// The rows of a block: row r is token r / ratio and query head r % ratio of the KV head.
struct PrefillRows {
  int first;
  int n;  // of the whole launch: n_tokens * ratio
  int ratio;
  __device__ int token(int row) const { return min(first + row, n - 1) / ratio; }
  __device__ int head(int row) const { return min(first + row, n - 1) % ratio; }
};

template <int kDim, int kQParts, int kRows, int kThreads>
__device__ __forceinline__ void load_prefill_queries(std::uint8_t* target, const AttentionArgs& a,
                                                     const PrefillRows& rows, int head_kv) {
  for (int i = threadIdx.x; i < kRows * kDim / 2; i += kThreads) {
    const int row = i / (kDim / 2), d = i % (kDim / 2) * 2;
    float2 v = make_float2(0, 0);
    if (d < a.kv.head_dim) {
      const std::int64_t head =
          std::int64_t{rows.token(row)} * a.n_head + head_kv * rows.ratio + rows.head(row);
      v = *reinterpret_cast<const float2*>(a.q + head * a.kv.head_dim + d);
    }
    const HalfPair p = split_floats(v.x, v.y);
    std::uint8_t* to = target + (row * kStride<kDim> + d) * 2;
    *reinterpret_cast<std::uint32_t*>(to) = p.high;
    if constexpr (kQParts == 2) *reinterpret_cast<std::uint32_t*>(to + kRows * kStride<kDim> * 2) = p.low;
  }
}

// A run of tokens of one sequence, and the largest position among them.
struct TokenRun {
  int first;
  int last;
  int slot;
  int top;
};

__device__ __forceinline__ TokenRun next_run(const AttentionArgs& a, int first, int last) {
  TokenRun run{first, first, a.slots[first], a.positions[first]};
  while (run.last < last && a.slots[run.last + 1] == run.slot)
    run.top = max(run.top, a.positions[++run.last]);
  return run;
}

template <DType kCell, int kDim, int kQParts, int kKvParts>
__global__ void __launch_bounds__(32 * PrefillShared<kCell, kDim, kQParts, kKvParts>::kWarps, 1)
    attention_prefill_kernel(const __grid_constant__ PrefillParams p) {
#ifdef MINFER_HAS_MMA
  using S = PrefillShared<kCell, kDim, kQParts, kKvParts>;
  constexpr int kThreads = 32 * S::kWarps;
  extern __shared__ __align__(128) std::uint8_t shared[];
  const AttentionArgs& a = p.args;
  const int ratio = a.n_head / a.kv.n_head_kv, head_kv = blockIdx.y;
  // The last tokens have the most keys: they begin first.
  const PrefillRows rows{static_cast<int>(gridDim.x - 1 - blockIdx.x) * S::kRows,
                         static_cast<int>(a.n_tokens) * ratio, ratio};
  let_successors_start();
  wait_for_predecessors();
  load_prefill_queries<kDim, kQParts, S::kRows, kThreads>(shared, a, rows, head_kv);
  std::uint8_t* ring = shared + kQParts * S::kQueryBytes;
  const int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
  const std::uint32_t queries = to_shared(shared) + warp * 16 * kStride<kDim> * 2;
  RowState<kDim> state;
  const int last_token = rows.token(S::kRows - 1);
  int token[2], position[2];
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    token[h] = rows.token(16 * warp + lane / 4 + 8 * h);
    position[h] = a.positions[token[h]];
  }
  for (int next = rows.token(0); next <= last_token;) {
    const TokenRun run = next_run(a, next, last_token);
    next = run.last + 1;
    if (run.slot < 0 || run.slot >= a.n_slots) {
      report_fault(a.faults, FaultKind::kSlot, run.first, run.slot);
      continue;
    }
    const SequencePages sequence{a.page_table + std::int64_t{run.slot} * a.max_pages, a.max_pages,
                                 a.kv.n_cells, a.faults};
    int bound[2];  // the last key of each row of this thread; none outside the run
#pragma unroll
    for (int h = 0; h < 2; ++h) bound[h] = token[h] >= run.first && token[h] <= run.last ? position[h] : -1;
    const int warp_bound = __reduce_max_sync(~0u, max(bound[0], bound[1]));
    const int n_tiles = run.top / kPrefillKeys + 1;
    const auto load = [&](int tile) {
      std::uint8_t* stage = ring + tile % S::kStages * S::kStageBytes;
      const TileCells cells(sequence, tile * kPrefillKeys, run.top + 1);
      load_kv_tile<kCell, kDim, kKvParts, kPrefillKeys, kThreads>(stage, S::kTileBytes, a.kv.k, a.kv, cells,
                                                                  head_kv);
      load_kv_tile<kCell, kDim, kKvParts, kPrefillKeys, kThreads>(
          stage + kKvParts * S::kTileBytes, S::kTileBytes, a.kv.v, a.kv, cells, head_kv);
    };
    __syncthreads();  // the ring is free, the queries are there
    if constexpr (S::kStages == 2) load(0);
    copies_commit();
    for (int tile = 0; tile < n_tiles; ++tile) {
      if constexpr (S::kStages == 2) {
        copies_wait<0>();
        __syncthreads();
        if (tile + 1 < n_tiles) load(tile + 1);
        copies_commit();
      } else {
        if (tile > 0) __syncthreads();
        load(tile);
        __syncthreads();
      }
      if (tile * kPrefillKeys > warp_bound) continue;
      const std::uint32_t keys = to_shared(ring + tile % S::kStages * S::kStageBytes);
      float scores[kPrefillKeys / 8][4];
      score_keys<kDim, kQParts, kKvParts, kPrefillKeys / 8>(queries, S::kQueryBytes, keys, S::kTileBytes,
                                                            scores);
      update_softmax<kDim, kPrefillKeys / 8>(state, scores, tile * kPrefillKeys, bound, p.log2_scale);
      add_values<kDim, kQParts, kKvParts, kPrefillKeys / 8>(state, scores, keys + kKvParts * S::kTileBytes,
                                                            S::kTileBytes);
    }
  }
  state.finish();
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int row = rows.first + 16 * warp + lane / 4 + 8 * h;
    if (row >= rows.n) continue;
    auto* out = reinterpret_cast<float*>(static_cast<std::uint8_t*>(a.out) + (row / ratio) * a.out_stride) +
                std::int64_t{head_kv * ratio + row % ratio} * a.kv.head_dim;
#pragma unroll
    for (int d = 0; d < kDim / 8; ++d) {
      if (8 * d >= a.kv.head_dim) continue;
      *reinterpret_cast<float2*>(out + 8 * d + 2 * (lane & 3)) =
          make_float2(state.out[d][2 * h] / state.sum[h], state.out[d][2 * h + 1] / state.sum[h]);
    }
  }
#endif
}

}  // namespace minfer::cuda
