#include "backends/cuda/attention/tensor_core.h"

#include <algorithm>

#include "backends/cuda/attention/decode.cuh"
#include "backends/cuda/attention/prefill.cuh"
#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/device/shared_memory.h"

namespace minfer::cuda {
namespace {

constexpr float kLog2E = 1.4426950408889634f;

AttentionUnit find_unit(DType cell, int head_dim) {
  const int tile = attention_tile_dim(head_dim);
  if (cell == DType::kF16) return attention_unit_f16(tile);
  if (cell == DType::kQ8_0) return attention_unit_q8_0(tile);
  return attention_unit_f32(tile);
}

// Kernels of a unit are known by address; their parameter is P.
template <typename P>
void launch_unit(const char* what, const void* kernel, const LaunchShape& shape, cudaStream_t stream,
                 const P& params) {
  launch_kernel(what, reinterpret_cast<void (*)(const P)>(const_cast<void*>(kernel)), shape, stream, params);
}

}  // namespace

int attention_tile_dim(int head_dim) {
  for (const int dim : {64, 96, 128, 192}) {
    if (head_dim <= dim) return dim;
  }
  return 256;
}

bool tensor_core_attention_supported(const DeviceLimits& limits, DType cell, int head_dim) {
  if (!limits.has_cp_async() || head_dim % 8 != 0 || head_dim < 8 || head_dim > 256) return false;
  if (cell != DType::kF16 && cell != DType::kF32 && cell != DType::kQ8_0) return false;
  const AttentionUnit unit = find_unit(cell, head_dim);
  return limits.shared_per_block >= static_cast<std::size_t>(std::max(unit.decode_bytes, unit.prefill_bytes));
}

std::size_t decode_attention_workspace(std::int64_t n_tokens, int n_head, int head_dim) {
  return static_cast<std::size_t>(n_tokens * n_head * kSplits) * (sizeof(float2) + sizeof(float) * head_dim);
}

void prepare_decode_attention(DType cell, int head_dim) {
  const AttentionUnit unit = find_unit(cell, head_dim);
  allow_shared_memory(unit.decode, static_cast<std::size_t>(unit.decode_bytes));
}

void prepare_prefill_attention(DType cell, int head_dim) {
  const AttentionUnit unit = find_unit(cell, head_dim);
  allow_shared_memory(unit.prefill, static_cast<std::size_t>(unit.prefill_bytes));
}

void launch_decode_attention(const AttentionArgs& args, bool overlap, cudaStream_t stream) {
  const AttentionUnit unit = find_unit(args.kv.type, args.kv.head_dim);
  DecodeParams p{args, args.scale * kLog2E, nullptr, static_cast<float2*>(args.workspace)};
  p.partial_out = reinterpret_cast<float*>(p.partial_sum + args.n_tokens * args.n_head * kSplits);
  const int ratio = args.n_head / args.kv.n_head_kv, groups = (ratio + kDecodeRows - 1) / kDecodeRows;
  const dim3 grid(kSplits, static_cast<unsigned>(args.kv.n_head_kv * groups),
                  static_cast<unsigned>(args.n_tokens));
  launch_unit("attention decode", unit.decode,
              {grid, 32 * kDecodeWarps, static_cast<std::size_t>(unit.decode_bytes), overlap}, stream, p);
  const dim3 heads(static_cast<unsigned>(args.n_head), static_cast<unsigned>(args.n_tokens));
  const LaunchShape shape{heads, static_cast<unsigned>((args.kv.head_dim + 31) / 32 * 32), 0, overlap};
  const bool quantized = args.out_type == DType::kQ8Row32;
  launch_kernel("attention combine",
                quantized ? attention_combine_kernel<true> : attention_combine_kernel<false>, shape, stream,
                p);
}

void launch_prefill_attention(const AttentionArgs& args, bool overlap, cudaStream_t stream) {
  const AttentionUnit unit = find_unit(args.kv.type, args.kv.head_dim);
  const PrefillParams p{args, args.scale * kLog2E};
  const std::int64_t rows = args.n_tokens * (args.n_head / args.kv.n_head_kv);
  const dim3 grid(static_cast<unsigned>((rows + unit.prefill_rows - 1) / unit.prefill_rows),
                  static_cast<unsigned>(args.kv.n_head_kv));
  launch_unit("attention prefill", unit.prefill,
              {grid, static_cast<unsigned>(unit.prefill_threads),
               static_cast<std::size_t>(unit.prefill_bytes), overlap},
              stream, p);
}

}  // namespace minfer::cuda
