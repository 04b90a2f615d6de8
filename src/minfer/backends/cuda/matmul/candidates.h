// The kernel families of matrix products, one declaration each; matmul.cpp, fused_qkv.cpp and fused_ffn.cpp order them.
#pragma once

#include "backends/cuda/kernel_table.h"

namespace minfer::cuda {

extern const Candidate kSimpleMatmul;  // MatMul
extern const Candidate kSimpleQkv;     // FusedQKV
extern const Candidate kSimpleFfn;     // FusedFFN

}  // namespace minfer::cuda
