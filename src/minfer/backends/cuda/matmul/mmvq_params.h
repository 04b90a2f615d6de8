// What the matrix-vector kernels take, worked out on the host once a launch. Plain header.
#pragma once

#include "backends/cuda/matmul/args.h"

namespace minfer::cuda {

inline constexpr int kMmvqMaxTokens = 8;
inline constexpr int kMmvqWarps = 4;  // of a block
inline constexpr int kMaxSplit = 4;

struct MmvqMatrix {
  const std::uint8_t* data;
  std::size_t n_blocks;
  int n;            // rows
  int first_group;  // groups of rows are numbered through all matrices
  int first_out;    // column of out of row 0
};

struct MmvqParams {
  MmvqMatrix matrices[kMaxProjections];
  int n_matrices;
  int n_groups;
  int n_chunks;  // of a row: k / 32
  int split;     // warps that share a group, a power of two
  const std::uint8_t* x;
  std::int64_t x_stride;
  int scales_offset;  // of the planes of a row of x
  int sums_offset;
  void* out;
  std::int64_t out_stride;  // bytes between rows of out
  const float* residual;    // as out, added to the sums; null: none
  int n_tokens;
};

}  // namespace minfer::cuda
