// The kernel families of matrix products, one declaration each; matmul.cpp, fused_qkv.cpp and fused_ffn.cpp order
// them.
#pragma once

#include "backends/cuda/kernel_table.h"

namespace minfer::cuda {

// Matrix-vector products (mmvq.h, mmv_float.h): for up to 8 tokens, of any number in turns of 8.
extern const Candidate kMmvqMatmul;  // MatMul
extern const Candidate kMmvqMatmulAdd;
extern const Candidate kMmvqQkv;  // FusedQKV
extern const Candidate kMmvqFfn;  // FusedFFN
extern const Candidate kMmvFloatMatmul;
extern const Candidate kMmvFloatMatmulAdd;
extern const Candidate kMmvFloatQkv;
extern const Candidate kMmvFloatFfn;
// The same where nothing else runs the node.
extern const Candidate kMmvFloatMatmulTurns;
extern const Candidate kMmvFloatMatmulAddTurns;
extern const Candidate kMmvFloatQkvTurns;
extern const Candidate kMmvqMatmulTurns;
extern const Candidate kMmvqMatmulAddTurns;
extern const Candidate kMmvqQkvTurns;

// Int8 products on tensor cores (mmq.h).
extern const Candidate kMmqMatmul;
extern const Candidate kMmqMatmulAdd;
extern const Candidate kMmqQkv;
extern const Candidate kMmqFfn;

// Float16 products on tensor cores (gemm_f16.h), weights decoded beforehand: Hopper's, and any of compute
// capability 8.0 on.
extern const Candidate kGemmSm90Matmul;
extern const Candidate kGemmSm90MatmulAdd;
extern const Candidate kGemmSm90Qkv;
extern const Candidate kGemmSm90Ffn;
extern const Candidate kGemmMmaMatmul;
extern const Candidate kGemmMmaMatmulAdd;
extern const Candidate kGemmMmaQkv;
extern const Candidate kGemmMmaFfn;

extern const Candidate kSimpleMatmul;
extern const Candidate kSimpleMatmulAdd;
extern const Candidate kSimpleQkv;
extern const Candidate kSimpleFfn;

}  // namespace minfer::cuda
