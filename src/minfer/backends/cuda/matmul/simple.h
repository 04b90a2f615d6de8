// Products that run anything: every type, every shape, any device. The last candidates of their ops, and what the
// faster ones are compared with. Plain header.
#pragma once

#include "backends/cuda/matmul/args.h"

namespace minfer::cuda {

bool simple_matmul_supported(DType type, DType x_type);
// Where x_type is kQ8Row32, weights are decoded to floats and multiplied with the decoded activations; else with x.
void launch_simple_matmul(const MatmulArgs& args, cudaStream_t stream);

}  // namespace minfer::cuda
