#include <cuda_fp16.h>

#include "backends/cuda/attention/simple.h"
#include "backends/cuda/device/check.h"
#include "backends/cuda/device/fault.cuh"
#include "backends/cuda/device/reduce.cuh"
#include "quant/q8_0.h"

namespace minfer::cuda {
namespace {

constexpr int kWarps = 4;  // of a block; each takes every fourth position
constexpr int kPageSize = 64;
constexpr int kPerLane = 8;  // values of a head that a lane holds at most

__device__ float cell_value(DType type, const std::byte* row, int i) {
  if (type == DType::kF32) return reinterpret_cast<const float*>(row)[i];
  if (type == DType::kF16) return __half2float(reinterpret_cast<const __half*>(row)[i]);
  const BlockQ8_0& block = reinterpret_cast<const BlockQ8_0*>(row)[i / 32];
  return static_cast<float>(block.qs[i % 32]) * __half2float(__ushort_as_half(block.d));
}

// The running softmax of some positions: lanes hold values lane, lane + 32, ... of the head.
struct Running {
  float largest;
  float sum;
  float out[kPerLane];
};

// Where a token's positions are, and how many; n is 0 (and a report made) where its slot or position is beyond.
struct Keys {
  const std::int32_t* pages;
  int n;
};

__device__ Keys keys_of(const AttentionArgs& args, std::int64_t token) {
  const int slot = args.slots[token];
  const int position = args.positions[token];
  const bool bad_slot = slot < 0 || slot >= args.n_slots;
  const bool bad_position = position < 0 || position >= args.max_pages * kPageSize;
  if (bad_slot || bad_position) {
    if (threadIdx.x == 0)
      report_fault(args.faults, bad_slot ? FaultKind::kSlot : FaultKind::kPosition,
                   static_cast<std::int32_t>(token), bad_slot ? slot : position);
    return {nullptr, 0};
  }
  return {args.page_table + std::int64_t{slot} * args.max_pages, position + 1};
}

__device__ std::int64_t cell_of(const AttentionArgs& args, const Keys& keys, int position) {
  const std::int32_t page = keys.pages[position / kPageSize];
  const std::int64_t cell = std::int64_t{page} * kPageSize + position % kPageSize;
  if (page >= 0 && cell < args.kv.n_cells) return cell;
  if (threadIdx.x % 32 == 0) report_fault(args.faults, FaultKind::kPage, position, page);
  return -1;
}

__device__ void add_position(const AttentionArgs& args, const float* q, std::int64_t cell, int kv_head,
                             Running& r) {
  const int lane = threadIdx.x % 32;
  const int first = kv_head * args.kv.head_dim;
  const std::byte* k = args.kv.k + cell * args.kv.row_bytes;
  const std::byte* v = args.kv.v + cell * args.kv.row_bytes;
  float dot = 0;
#pragma unroll
  for (int j = 0; j < kPerLane; ++j)
    if (32 * j + lane < args.kv.head_dim)
      dot = fmaf(q[j], cell_value(args.kv.type, k, first + 32 * j + lane), dot);
  const float score = warp_sum(dot) * args.scale;
  const float largest = fmaxf(r.largest, score);
  const float keep = expf(r.largest - largest);
  const float weight = expf(score - largest);
  r.sum = r.sum * keep + weight;
  r.largest = largest;
#pragma unroll
  for (int j = 0; j < kPerLane; ++j)
    if (32 * j + lane < args.kv.head_dim)
      r.out[j] = r.out[j] * keep + weight * cell_value(args.kv.type, v, first + 32 * j + lane);
}

// A block for each token and query head.
__global__ void __launch_bounds__(32 * kWarps) attention_kernel(AttentionArgs args) {
  __shared__ Running parts[kWarps][32];
  const std::int64_t token = blockIdx.x;
  const int head = blockIdx.y;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int head_dim = args.kv.head_dim;
  const int kv_head = head / (args.n_head / args.kv.n_head_kv);
  const std::int64_t offset = (token * args.n_head + head) * head_dim;
  float q[kPerLane] = {};
  for (int j = 0; j < kPerLane; ++j)
    if (32 * j + lane < head_dim) q[j] = args.q[offset + 32 * j + lane];
  const Keys keys = keys_of(args, token);
  Running& mine = parts[warp][lane];
  Running r = {-INFINITY, 0, {}};
  for (int position = warp; position < keys.n; position += kWarps) {
    const std::int64_t cell = cell_of(args, keys, position);
    if (cell >= 0) add_position(args, q, cell, kv_head, r);
  }
  mine = r;
  __syncthreads();
  if (warp != 0) return;
  float largest = -INFINITY;
  for (int w = 0; w < kWarps; ++w) largest = fmaxf(largest, parts[w][lane].largest);
  float sum = 0;
  for (int w = 0; w < kWarps; ++w)
    if (parts[w][lane].sum != 0) sum += parts[w][lane].sum * expf(parts[w][lane].largest - largest);
  for (int j = 0; j < kPerLane && 32 * j + lane < head_dim; ++j) {
    float value = 0;
    for (int w = 0; w < kWarps; ++w)
      if (parts[w][lane].sum != 0) value += parts[w][lane].out[j] * expf(parts[w][lane].largest - largest);
    static_cast<float*>(args.out)[offset + 32 * j + lane] = sum != 0 ? value / sum : 0.0f;
  }
}

}  // namespace

void launch_simple_attention(const AttentionArgs& args, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(args.n_tokens), static_cast<unsigned>(args.n_head));
  attention_kernel<<<grid, 32 * kWarps, 0, stream>>>(args);
  check_launch("simple attention");
}

}  // namespace minfer::cuda
