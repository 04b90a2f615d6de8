// What the kernels of mmq.h take. Plain header.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace minfer::cuda {

inline constexpr int kMmqRows = 128;  // of a tile
inline constexpr int kMmqStep = 256;  // of k

struct MmqParams {
  const std::uint8_t* data[2];  // one matrix, or gate and up
  std::size_t n_blocks;         // of each
  int n;                        // rows of each
  int k;
  const std::uint8_t* x;
  std::int64_t x_stride;
  std::int64_t scales_offset;
  std::int64_t sums_offset;
  float* out;  // of the first split; the others follow, split_stride floats apart
  std::int64_t out_stride;
  const float* residual;  // as out, added to the sums; null: none, and where there are several splits
  std::int64_t split_stride;
  int n_tokens;
  int steps_per_split;
  int n_splits;
};

// A type's kernel for tiles of some tokens.
struct MmqVariant {
  const void* kernel;
  int shared_bytes;
};
MmqVariant mmq_q4_0(int tile_tokens, bool pairs);
MmqVariant mmq_q8_0(int tile_tokens, bool pairs);
MmqVariant mmq_q4_k(int tile_tokens, bool pairs);
MmqVariant mmq_q6_k(int tile_tokens, bool pairs);

void launch_mmq_variant(const MmqVariant& variant, int tile_tokens, bool pairs, const MmqParams& params,
                        bool overlap, cudaStream_t stream);
// out[t][r] = sum of the splits' parts, in order, and of residual[t][r] where that is not null.
void launch_sum_splits(const float* parts, int n_splits, std::int64_t split_stride, std::int64_t n,
                       std::int64_t n_tokens, float* out, std::int64_t out_stride, const float* residual,
                       bool overlap, cudaStream_t stream);

}  // namespace minfer::cuda
