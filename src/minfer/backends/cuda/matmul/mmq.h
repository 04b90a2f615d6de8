// Products of many tokens on the int8 tensor cores (compute capability 8.0 on): quantized weights as they are
// stored against quantized activations, scales folded in after the integer products. Plain header.
#pragma once

#include "backends/cuda/matmul/args.h"
#include "backends/cuda/matmul/mmq_params.h"

namespace minfer::cuda {

// Tokens of a tile: the ladder of variants, of which mmq_tiers.h chooses.
inline constexpr int kMmqTiles[] = {32, 64, 128};

bool has_mmq(DType type);
WeightLayout mmq_layout(DType type);                                   // that the type's kernels read
MmqVariant find_mmq_variant(DType type, int tile_tokens, bool pairs);  // REQUIRES: has_mmq(type)
// Asks for a tile's shared memory; where a node is planned.
void prepare_mmq(DType type, int tile_tokens);

// A product with one matrix; where `up` is set, silu(matrix . x) * (up . x) with up of the same type, layout and
// shape, n a multiple of 8.
struct MmqArgs {
  WeightMatrix matrix;
  const WeightMatrix* up = nullptr;
  const void* x = nullptr;  // kQ8Row32
  std::int64_t x_stride = 0;
  float* out = nullptr;
  std::int64_t out_stride = 0;  // floats between rows
  std::int64_t n_tokens = 0;
  int tile_tokens = 0;
  void* workspace = nullptr;
  const float* residual = nullptr;  // as out, added to the products (not with up); null: none
};
// Where few tiles have much of k, several blocks share a tile and leave their parts here.
std::size_t mmq_workspace(const WeightMatrix& matrix, std::int64_t n_tokens, bool pairs, int tile_tokens);
void launch_mmq(const MmqArgs& args, bool overlap, cudaStream_t stream);

}  // namespace minfer::cuda
