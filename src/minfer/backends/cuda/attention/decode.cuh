// Attention of single tokens over long sequences (decode). A block takes one token, all query heads of a KV head
// (up to 16 at a time, as rows of a matrix product), and one stretch of the keys; a second kernel puts the
// stretches together.
//
// The number of stretches is fixed and their length follows from the sequence's length alone, which is read on the
// device: so a captured launch serves every step, and results do not depend on batch or GPU.
#pragma once

#include "backends/cuda/attention/softmax_tile.cuh"
#include "backends/cuda/matmul/ptx.cuh"
#include "backends/cuda/matmul/quantize_group.cuh"

namespace minfer::cuda {

inline constexpr int kSplits = 32;  // as many as lanes of a warp
inline constexpr int kDecodeWarps = 4;
inline constexpr int kDecodeRows = 16;                 // query heads of a block
inline constexpr int kDecodeKeys = 16 * kDecodeWarps;  // of a tile: 16 a warp

struct DecodeParams {
  AttentionArgs args;
  float log2_scale;
  float* partial_out;   // (n_tokens, n_head, kSplits, head_dim), not normalized
  float2* partial_sum;  // (n_tokens, n_head, kSplits): maximum and sum
};

// Keys of a stretch: a multiple of 16, at least 64.
__device__ __forceinline__ int stretch_keys(int length) {
  return max((length + 16 * kSplits - 1) / (16 * kSplits) * 16, kDecodeKeys);
}

template <DType kCell, int kDim, int kQParts, int kKvParts>
struct DecodeShared {
  static constexpr int kTileBytes = kDecodeKeys * kStride<kDim> * 2;
  static constexpr int kStageBytes = 2 * kKvParts * kTileBytes;  // keys and values
  static constexpr int kStages = kCell == DType::kF16 ? 3 : 1;   // other cells are converted on their way
  static constexpr int kQueryBytes = kDecodeRows * kStride<kDim> * 2;
  static constexpr int kMergeBytes =
      kDecodeWarps * kDecodeRows * (kDim + 2) * 4;  // lies where the stages were
  static constexpr int kRingBytes = kStages * kStageBytes > kMergeBytes ? kStages* kStageBytes : kMergeBytes;
  static constexpr int kBytes = kQParts * kQueryBytes + kRingBytes;
};

// The block's query rows as float16; rows past n_rows and values past head_dim are zero.
template <int kDim, int kQParts>
__device__ __forceinline__ void load_query_rows(std::uint8_t* target, const float* q, int n_rows,
                                                int head_dim) {
  constexpr int kBytes = kDecodeRows * kStride<kDim> * 2;
  for (int i = threadIdx.x; i < kDecodeRows * kDim / 2; i += 32 * kDecodeWarps) {
    const int row = i / (kDim / 2), d = i % (kDim / 2) * 2;
    float2 v = make_float2(0, 0);
    if (row < n_rows && d < head_dim) v = *reinterpret_cast<const float2*>(q + row * head_dim + d);
    const HalfPair p = split_floats(v.x, v.y);
    std::uint8_t* to = target + (row * kStride<kDim> + d) * 2;
    *reinterpret_cast<std::uint32_t*>(to) = p.high;
    if constexpr (kQParts == 2) *reinterpret_cast<std::uint32_t*>(to + kBytes) = p.low;
  }
}

// Writes a warp's state to shared memory: kDecodeRows rows of kDim outputs, then maxima, then sums.
template <int kDim>
__device__ __forceinline__ void store_state(float* to, const RowState<kDim>& state) {
  const int lane = threadIdx.x & 31;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int row = lane / 4 + 8 * h;
#pragma unroll
    for (int d = 0; d < kDim / 8; ++d) {
      *reinterpret_cast<float2*>(to + row * kDim + 8 * d + 2 * (lane & 3)) =
          make_float2(state.out[d][2 * h], state.out[d][2 * h + 1]);
    }
    if (lane % 4 == 0) {
      to[kDecodeRows * kDim + row] = state.max[h];
      to[kDecodeRows * (kDim + 1) + row] = state.sum[h];
    }
  }
}

// Merges the warps' states of row `row` and stores value d of it; d == 0 also stores maximum and sum.
template <int kDim>
__device__ __forceinline__ void merge_states(const float* states, int row, int d, float* out, float2* sums) {
  constexpr int kState = kDecodeRows * (kDim + 2);
  float top = -INFINITY, sum = 0, value = 0;
  for (int w = 0; w < kDecodeWarps; ++w) top = fmaxf(top, states[w * kState + kDecodeRows * kDim + row]);
  for (int w = 0; w < kDecodeWarps; ++w) {
    const float* s = states + w * kState;
    const float weight = exp2f(s[kDecodeRows * kDim + row] - top);  // 0 for a warp that saw no key
    sum += weight * s[kDecodeRows * (kDim + 1) + row];
    value += weight * s[row * kDim + d];
  }
  out[d] = value;
  if (d == 0) *sums = make_float2(top, sum);
}

template <DType kCell, int kDim, int kQParts, int kKvParts>
__global__ void __launch_bounds__(32 * kDecodeWarps)
    attention_decode_kernel(const __grid_constant__ DecodeParams p) {
#ifdef MINFER_HAS_MMA
  using S = DecodeShared<kCell, kDim, kQParts, kKvParts>;
  extern __shared__ __align__(128) std::uint8_t shared[];
  const AttentionArgs& a = p.args;
  const int ratio = a.n_head / a.kv.n_head_kv, groups = (ratio + kDecodeRows - 1) / kDecodeRows;
  const int token = blockIdx.z, head_kv = blockIdx.y / groups, in_group = blockIdx.y % groups * kDecodeRows;
  const int head = head_kv * ratio + in_group, n_rows = min(ratio - in_group, kDecodeRows);
  let_successors_start();
  wait_for_predecessors();
  const int length = a.positions[token] + 1, stretch = stretch_keys(length);
  const int first = blockIdx.x * stretch, end = min(first + stretch, length), slot = a.slots[token];
  if (first >= length) return;
  if (slot < 0 || slot >= a.n_slots) return report_fault(a.faults, FaultKind::kSlot, token, slot);
  const SequencePages sequence{a.page_table + std::int64_t{slot} * a.max_pages, a.max_pages, a.kv.n_cells,
                               a.faults};

  std::uint8_t* ring = shared + kQParts * S::kQueryBytes;
  const int n_tiles = (end - first + kDecodeKeys - 1) / kDecodeKeys;
  const auto load = [&](int tile) {
    std::uint8_t* stage = ring + tile % S::kStages * S::kStageBytes;
    const int key = first + tile * kDecodeKeys;
    const TileCells cells(sequence, key, end);
    load_kv_tile<kCell, kDim, kKvParts, kDecodeKeys, 32 * kDecodeWarps>(stage, S::kTileBytes, a.kv.k, a.kv,
                                                                        cells, head_kv);
    load_kv_tile<kCell, kDim, kKvParts, kDecodeKeys, 32 * kDecodeWarps>(
        stage + kKvParts * S::kTileBytes, S::kTileBytes, a.kv.v, a.kv, cells, head_kv);
  };
  for (int i = 0; i < S::kStages - 1; ++i) {
    if (i < n_tiles) load(i);
    copies_commit();
  }
  const std::int64_t q_row = (std::int64_t{token} * a.n_head + head) * a.kv.head_dim;
  load_query_rows<kDim, kQParts>(shared, a.q + q_row, n_rows, a.kv.head_dim);
  RowState<kDim> state;
  const int warp = threadIdx.x / 32;
  for (int tile = 0; tile < n_tiles; ++tile) {
    if constexpr (S::kStages == 1) {
      __syncthreads();
      load(tile);
      __syncthreads();
    } else {
      copies_wait<S::kStages - 2>();
      __syncthreads();
      if (tile + S::kStages - 1 < n_tiles) load(tile + S::kStages - 1);
      copies_commit();
    }
    const int key = first + tile * kDecodeKeys + 16 * warp;
    if (key >= end) continue;
    const std::uint32_t keys =
        to_shared(ring + tile % S::kStages * S::kStageBytes) + warp * 16 * kStride<kDim> * 2;
    float scores[2][4];
    const int bound[2] = {end - 1, end - 1};
    score_keys<kDim, kQParts, kKvParts, 2>(to_shared(shared), S::kQueryBytes, keys, S::kTileBytes, scores);
    update_softmax<kDim, 2>(state, scores, key, bound, p.log2_scale);
    add_values<kDim, kQParts, kKvParts, 2>(state, scores, keys + kKvParts * S::kTileBytes, S::kTileBytes);
  }
  state.finish();
  copies_wait<0>();
  __syncthreads();
  float* states = reinterpret_cast<float*>(ring);
  store_state<kDim>(states + warp * kDecodeRows * (kDim + 2), state);
  __syncthreads();
  for (int i = threadIdx.x; i < n_rows * kDim; i += 32 * kDecodeWarps) {
    const int row = i / kDim, d = i % kDim;
    if (d >= a.kv.head_dim) continue;
    const std::int64_t at = (std::int64_t{token} * a.n_head + head + row) * kSplits + blockIdx.x;
    merge_states<kDim>(states, row, d, p.partial_out + at * a.kv.head_dim, p.partial_sum + at);
  }
#endif
}

// A block a token and head, a thread a value: puts the stretches together. kQuantized: head_dim is a multiple of 32.
template <bool kQuantized>
__global__ void attention_combine_kernel(const __grid_constant__ DecodeParams p) {
  const AttentionArgs& a = p.args;
  const int head = blockIdx.x, token = blockIdx.y, d = threadIdx.x;
  let_successors_start();
  wait_for_predecessors();
  const int length = a.positions[token] + 1, stretch = stretch_keys(length),
            n = (length + stretch - 1) / stretch;
  const std::int64_t at = (std::int64_t{token} * a.n_head + head) * kSplits;
  // Lane s weighs stretch s; all loads are on their way at once.
  const int lane = d & 31;
  float2 part = make_float2(-INFINITY, 0);
  if (lane < n) part = p.partial_sum[at + lane];
  float values[kSplits];
#pragma unroll
  for (int s = 0; s < kSplits; ++s) {
    values[s] = s < n && d < a.kv.head_dim ? p.partial_out[(at + s) * a.kv.head_dim + d] : 0;
  }
  float top = part.x;
#pragma unroll
  for (int o = 16; o > 0; o /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, o));
  const float weight = exp2f(part.x - top);
  float sum = weight * part.y;
#pragma unroll
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  float value = 0;
#pragma unroll
  for (int s = 0; s < kSplits; ++s) value = fmaf(__shfl_sync(~0u, weight, s), values[s], value);
  value /= sum;
  auto* row = static_cast<std::uint8_t*>(a.out) + token * a.out_stride;
  const std::int64_t k = std::int64_t{a.n_head} * a.kv.head_dim,
                     column = std::int64_t{head} * a.kv.head_dim + d;
  if constexpr (kQuantized) {
    store_group(value, row, k, static_cast<int>(column / 32));
  } else {
    if (d < a.kv.head_dim) reinterpret_cast<float*>(row)[column] = value;
  }
}

}  // namespace minfer::cuda
