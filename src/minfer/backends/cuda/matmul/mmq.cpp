#include "backends/cuda/matmul/mmq.h"

#include <algorithm>

#include "backends/cuda/device/shared_memory.h"
#include "base/check.h"
#include "quant/activation_row.h"

namespace minfer::cuda {
namespace {

using FindVariant = MmqVariant (*)(int tile_tokens, bool pairs);

FindVariant find_type(DType type) {
  switch (type) {
    case DType::kQ4_0:
      return mmq_q4_0;
    case DType::kQ8_0:
      return mmq_q8_0;
    case DType::kQ4_K:
      return mmq_q4_k;
    case DType::kQ6_K:
      return mmq_q6_k;
    default:
      return nullptr;
  }
}

// How many blocks share a tile, each taking a stretch of k: a function of the shape alone.
int splits_of(const WeightMatrix& w, std::int64_t n_tokens, bool pairs, int tile_tokens) {
  if (pairs) return 1;
  const std::int64_t tiles = (w.n + kMmqRows - 1) / kMmqRows * ((n_tokens + tile_tokens - 1) / tile_tokens);
  const std::int64_t steps = (w.k + kMmqStep - 1) / kMmqStep;
  return static_cast<int>(std::clamp<std::int64_t>(std::min(224 / tiles, steps / 4), 1, 16));
}

}  // namespace

bool has_mmq(DType type) { return find_type(type) != nullptr; }

WeightLayout mmq_layout(DType type) {
  return type == DType::kQ4_K ? WeightLayout::kRaw : WeightLayout::kPlanar;
}

MmqVariant find_mmq_variant(DType type, int tile_tokens, bool pairs) {
  return find_type(type)(tile_tokens, pairs);
}

void prepare_mmq(DType type, int tile_tokens) {
  for (const bool pairs : {false, true}) {
    const MmqVariant v = find_mmq_variant(type, tile_tokens, pairs);
    allow_shared_memory(v.kernel, static_cast<std::size_t>(v.shared_bytes));
  }
}

std::size_t mmq_workspace(const WeightMatrix& matrix, std::int64_t n_tokens, bool pairs, int tile_tokens) {
  const int splits = splits_of(matrix, n_tokens, pairs, tile_tokens);
  return splits == 1 ? 0 : sizeof(float) * static_cast<std::size_t>(splits * n_tokens * matrix.n);
}

void launch_mmq(const MmqArgs& args, bool overlap, cudaStream_t stream) {
  const WeightMatrix& w = args.matrix;
  const bool pairs = args.up != nullptr;
  const int tokens = args.tile_tokens;
  MmqParams p = {};
  p.data[0] = static_cast<const std::uint8_t*>(w.data);
  p.data[1] = static_cast<const std::uint8_t*>(pairs ? args.up->data : w.data);
  p.n_blocks = static_cast<std::size_t>(w.n * w.k / dtype_info(w.type).block_values);
  p.n = static_cast<int>(w.n);
  p.k = static_cast<int>(w.k);
  p.x = static_cast<const std::uint8_t*>(args.x);
  p.x_stride = args.x_stride;
  p.scales_offset = static_cast<std::int64_t>(activation_scales_offset(static_cast<std::size_t>(w.k)));
  p.sums_offset = static_cast<std::int64_t>(activation_sums_offset(static_cast<std::size_t>(w.k), 32));
  p.n_tokens = static_cast<int>(args.n_tokens);
  p.n_splits = splits_of(w, args.n_tokens, pairs, tokens);
  const int steps = (p.k + kMmqStep - 1) / kMmqStep;
  p.steps_per_split = (steps + p.n_splits - 1) / p.n_splits;
  const bool split = p.n_splits > 1;
  p.out = split ? static_cast<float*>(args.workspace) : args.out;
  p.out_stride = split ? w.n : args.out_stride;
  p.split_stride = w.n * args.n_tokens;
  p.residual = split ? nullptr : args.residual;
  launch_mmq_variant(find_type(w.type)(tokens, pairs), tokens, pairs, p, overlap, stream);
  if (split) {
    launch_sum_splits(p.out, p.n_splits, p.split_stride, w.n, args.n_tokens, args.out, args.out_stride,
                      args.residual, overlap, stream);
  }
}

}  // namespace minfer::cuda
