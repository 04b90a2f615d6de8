// Attention that runs anything: every type of cells, heads of up to 256 values, any number of tokens. Plain header.
#pragma once

#include "backends/cuda/attention/args.h"

namespace minfer::cuda {

void launch_simple_attention(const AttentionArgs& args, cudaStream_t stream);

}  // namespace minfer::cuda
