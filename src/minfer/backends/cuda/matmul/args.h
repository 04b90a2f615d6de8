// What kernels of matrix products are launched with. Plain header.
//
// x is a row of activations for each token. Quantized weights read rows of type kQ8Row32 (quant/activation_row.h: int8
// values, float32 scales of 32, int16 sums of 32, each plane at a multiple of 64 bytes from the row's start); rows lie
// x_stride bytes apart, a multiple of 64. A kernel that asks for kF32 in its plan reads rows of floats instead.
#pragma once

#include "backends/cuda/matmul/weight_matrix.h"

namespace minfer::cuda {

inline constexpr int kMaxProjections = 3;

// out[t][first_row(w) + r] = sum over k of x[t][k] * weights[w][r][k]: one weight (MatMul), or several of equal k whose
// results lie one after another in a row (FusedQKV).
struct MatmulArgs {
  WeightMatrix weights[kMaxProjections];
  int n_weights = 1;
  const void* x = nullptr;  // (n_tokens, k)
  DType x_type = DType::kQ8Row32;
  std::int64_t x_stride = 0;  // bytes between rows
  float* out = nullptr;  // (n_tokens, n_out), n_out the sum of the weights' n; rows lie n_out floats apart
  std::int64_t n_out = 0;
  std::int64_t n_tokens = 0;
  // What the products are added to once they are summed (MatMulAdd), as `out` and possibly `out` itself; null: nothing.
  // Each element is read by the thread that writes it.
  const float* residual = nullptr;
  void* workspace = nullptr;  // as many bytes as the plan asked for, at a multiple of 64
};

// out[t][r] = silu(gate . x[t]) * (up . x[t]), as floats or quantized to kQ8Row32.
struct FfnArgs {
  WeightMatrix gate;  // (n_ff, k)
  WeightMatrix up;
  const void* x = nullptr;
  DType x_type = DType::kQ8Row32;
  std::int64_t x_stride = 0;
  void* out = nullptr;           // (n_tokens, n_ff)
  DType out_type = DType::kF32;  // or kQ8Row32
  std::int64_t out_stride = 0;   // bytes between rows
  std::int64_t n_tokens = 0;
  void* workspace = nullptr;
};

}  // namespace minfer::cuda
