// Attention on the tensor cores (compute capability 8.0 on), for any ratio of query heads to KV heads and any
// number of sequences in a launch. Plain header.
//
// float16 cells are multiplied as they are; of float32 cells and of queries a second float16 keeps what rounding to
// the first left, except in prefill over float16 and q8_0 cells, where queries and probabilities are rounded to
// float16.
#pragma once

#include "backends/cuda/attention/args.h"
#include "backends/cuda/device/limits.h"

namespace minfer::cuda {

inline constexpr int kMaxDecodeTokens = 32;

// head_dim a multiple of 8 up to 256.
bool tensor_core_attention_supported(const DeviceLimits& limits, DType cell, int head_dim);

// One launch for each token and stretch of keys. REQUIRES: n_tokens up to kMaxDecodeTokens; head_dim a multiple of
// 32 where the output is quantized.
std::size_t decode_attention_workspace(std::int64_t n_tokens, int n_head, int head_dim);
void prepare_decode_attention(DType cell, int head_dim);  // asks for shared memory; where a node is planned
void launch_decode_attention(const AttentionArgs& args, bool overlap, cudaStream_t stream);

// REQUIRES: output of floats.
void prepare_prefill_attention(DType cell, int head_dim);
void launch_prefill_attention(const AttentionArgs& args, bool overlap, cudaStream_t stream);

// What units are made of: a cell type's kernels for one size of tiles.
struct AttentionUnit {
  const void* decode;
  int decode_bytes;  // of shared memory
  const void* prefill;
  int prefill_bytes;
  int prefill_rows;
  int prefill_threads;
};

// The smallest tile that holds head_dim.
int attention_tile_dim(int head_dim);
AttentionUnit attention_unit_f16(int tile_dim);
AttentionUnit attention_unit_f32(int tile_dim);
AttentionUnit attention_unit_q8_0(int tile_dim);

}  // namespace minfer::cuda
