// Products with 1 to 8 tokens of a float matrix (F32, F16, BF16) and rows of floats. Plain header.
#pragma once

#include "backends/cuda/matmul/args.h"

namespace minfer::cuda {

inline constexpr int kMmvFloatMaxTokens = 8;

bool mmv_float_supported(DType type);
// REQUIRES: n_tokens in 1 .. kMmvFloatMaxTokens, k a multiple of 8, x_type kF32, types supported.
void launch_mmv_float(const MatmulArgs& args, bool overlap, cudaStream_t stream);

}  // namespace minfer::cuda
