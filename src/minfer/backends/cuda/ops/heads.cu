#include "backends/cuda/ops/heads.h"

#include "backends/cuda/attention/kv_cell.cuh"
#include "backends/cuda/device/fault.cuh"
#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/device/reduce.cuh"
#include "backends/cuda/matmul/ptx.cuh"

namespace minfer::cuda {
namespace {

constexpr int kWarps = 4;  // of a block; each takes a head

__device__ int lane() { return threadIdx.x % 32; }
__device__ int warp() { return threadIdx.x / 32; }
// The head of this warp, blocks lying along y.
__device__ int head_index() { return blockIdx.y * kWarps + warp(); }

// A head in shared memory, which the lanes of a warp work on together.
struct Head {
  float* values;
  int n;

  __device__ void load(const float* x, const float* bias) const {
    for (int i = lane(); i < n; i += 32) values[i] = bias ? x[i] + bias[i] : x[i];
    __syncwarp();
  }
  __device__ void normalize(const float* weight, float eps) const {
    float sum = 0;
    for (int i = lane(); i < n; i += 32) sum += values[i] * values[i];
    const float scale = 1.0f / sqrtf(warp_sum(sum) / static_cast<float>(n) + eps);
    for (int i = lane(); i < n; i += 32) values[i] = values[i] * scale * weight[i];
    __syncwarp();
  }
  // Value i after the rotation.
  __device__ float rotated(const float* table, bool neox, int n_dims, int i) const {
    if (i >= n_dims) return values[i];
    const int half = n_dims / 2;
    const int pair = neox ? i % half : i / 2;
    const bool first = neox ? i < half : i % 2 == 0;
    const float a = values[neox ? pair : 2 * pair];
    const float b = values[neox ? pair + half : 2 * pair + 1];
    const float c = table[pair];
    const float s = table[half + pair];
    return first ? a * c - b * s : a * s + b * c;
  }
};

__global__ void qk_norm_kernel(const float* x, const float* weight, float eps, float* out, int n_head,
                               int head_dim) {
  __shared__ float scratch[kWarps][kMaxHeadDim];
  let_successors_start();
  wait_for_predecessors();
  if (head_index() >= n_head) return;
  const std::int64_t offset = (std::int64_t{blockIdx.x} * n_head + head_index()) * head_dim;
  const Head head{scratch[warp()], head_dim};
  head.load(x + offset, nullptr);
  head.normalize(weight, eps);
  for (int i = lane(); i < head_dim; i += 32) out[offset + i] = head.values[i];
}

__global__ void rope_kernel(RopeArgs args) {
  __shared__ float scratch[kWarps][kMaxHeadDim];
  let_successors_start();
  wait_for_predecessors();
  if (head_index() >= args.n_head) return;
  const std::int64_t offset = (std::int64_t{blockIdx.x} * args.n_head + head_index()) * args.head_dim;
  const float* table = args.table + std::int64_t{blockIdx.x} * args.n_dims;
  const Head head{scratch[warp()], args.head_dim};
  head.load(args.x + offset, nullptr);
  for (int i = lane(); i < args.head_dim; i += 32)
    args.out[offset + i] = head.rotated(table, args.neox, args.n_dims, i);
}

__global__ void rope_table_kernel(const __grid_constant__ RopeTableArgs args) {
  let_successors_start();
  wait_for_predecessors();
  const int pair = blockIdx.y * blockDim.x + threadIdx.x;
  if (pair >= args.n_pairs) return;
  double sine = 0;
  double cosine = 0;
  sincos(args.positions[blockIdx.x] * args.frequencies[pair], &sine, &cosine);
  float* row = args.table + std::int64_t{blockIdx.x} * 2 * args.n_pairs;
  row[pair] = static_cast<float>(cosine * double{args.attention_factor});
  row[args.n_pairs + pair] = static_cast<float>(sine * double{args.attention_factor});
}

// The cell of a token, or -1 and a report where it lies beyond the region.
__device__ std::int64_t checked_cell(const std::int32_t* cells, const KvCells& kv, const FaultSink& faults) {
  const std::int32_t cell = cells[blockIdx.x];
  if (cell >= 0 && cell < kv.n_cells) return cell;
  if (lane() == 0) report_fault(faults, FaultKind::kCell, static_cast<std::int32_t>(blockIdx.x), cell);
  return -1;
}

__global__ void kv_store_kernel(KvStoreArgs args) {
  let_successors_start();
  wait_for_predecessors();
  const int head = head_index();
  if (head >= args.kv.n_head_kv) return;
  const std::int64_t cell = checked_cell(args.cells, args.kv, args.faults);
  if (cell < 0) return;
  const int first = head * args.kv.head_dim;
  const std::int64_t offset = std::int64_t{blockIdx.x} * args.stride + first;
  store_head(args.kv.type, args.kv.k + cell * args.kv.row_bytes, first, args.kv.head_dim,
             [&](int i) { return args.k[offset + i]; });
  store_head(args.kv.type, args.kv.v + cell * args.kv.row_bytes, first, args.kv.head_dim,
             [&](int i) { return args.v[offset + i]; });
}

// A warp for each head of q, k and v.
__global__ void qkv_kernel(QkvArgs args) {
  __shared__ float scratch[kWarps][kMaxHeadDim];
  let_successors_start();
  wait_for_predecessors();
  const int n_kv = args.kv.n_head_kv;
  const int index = head_index();
  if (index >= args.n_head + 2 * n_kv) return;
  const int head_dim = args.kv.head_dim;
  const int which = index < args.n_head ? 0 : index < args.n_head + n_kv ? 1 : 2;
  const int h = index - (which == 0 ? 0 : which == 1 ? args.n_head : args.n_head + n_kv);
  const std::int64_t row = std::int64_t{blockIdx.x} * (args.n_head + 2 * n_kv);
  const Head head{scratch[warp()], head_dim};
  const float* bias = args.bias[which];
  head.load(args.qkv + (row + index) * head_dim, bias ? bias + h * head_dim : nullptr);
  if (which < 2 && args.norm[which]) head.normalize(args.norm[which], args.eps);
  const float* table = args.table + std::int64_t{blockIdx.x} * args.n_dims;
  const auto rotated = [&](int i) { return head.rotated(table, args.neox, args.n_dims, i); };
  if (which == 0) {
    float* q = args.q + (std::int64_t{blockIdx.x} * args.n_head + h) * head_dim;
    for (int i = lane(); i < head_dim; i += 32) q[i] = rotated(i);
    return;
  }
  const std::int64_t cell = checked_cell(args.cells, args.kv, args.faults);
  if (cell < 0) return;
  std::byte* target = (which == 1 ? args.kv.k : args.kv.v) + cell * args.kv.row_bytes;
  if (which == 1) {
    store_head(args.kv.type, target, h * head_dim, head_dim, rotated);
  } else {
    store_head(args.kv.type, target, h * head_dim, head_dim, [&](int i) { return head.values[i]; });
  }
}

dim3 grid_of(std::int64_t n_tokens, int n_heads) {
  return {static_cast<unsigned>(n_tokens), static_cast<unsigned>((n_heads + kWarps - 1) / kWarps)};
}

}  // namespace

void launch_qk_norm(const float* x, const float* weight, float eps, float* out, std::int64_t n_rows,
                    int n_head, int head_dim, bool overlap, cudaStream_t stream) {
  launch_kernel("qk_norm", qk_norm_kernel, {grid_of(n_rows, n_head), 32 * kWarps, 0, overlap}, stream, x,
                weight, eps, out, n_head, head_dim);
}

void launch_rope(const RopeArgs& args, bool overlap, cudaStream_t stream) {
  launch_kernel("rope", rope_kernel, {grid_of(args.n_tokens, args.n_head), 32 * kWarps, 0, overlap}, stream,
                args);
}

void launch_rope_table(const RopeTableArgs& args, bool overlap, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(args.n_tokens), static_cast<unsigned>((args.n_pairs + 63) / 64));
  launch_kernel("rope_table", rope_table_kernel, {grid, 64, 0, overlap}, stream, args);
}

void launch_kv_store(const KvStoreArgs& args, bool overlap, cudaStream_t stream) {
  launch_kernel("kv_store", kv_store_kernel,
                {grid_of(args.n_tokens, args.kv.n_head_kv), 32 * kWarps, 0, overlap}, stream, args);
}

void launch_qkv_bias_rope_store(const QkvArgs& args, bool overlap, cudaStream_t stream) {
  const dim3 grid = grid_of(args.n_tokens, args.n_head + 2 * args.kv.n_head_kv);
  launch_kernel("qkv_bias_rope_store", qkv_kernel, {grid, 32 * kWarps, 0, overlap}, stream, args);
}

}  // namespace minfer::cuda
