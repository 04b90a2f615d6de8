#include "ops/fused_qkv.h"

#include "backends/cuda/matmul/candidates.h"

namespace minfer::cuda {
namespace {

constexpr const Candidate* kCandidates[] = {&kMmvqQkv,    &kMmvFloatQkv,      &kMmqQkv,       &kGemmSm90Qkv,
                                            &kGemmMmaQkv, &kMmvFloatQkvTurns, &kMmvqQkvTurns, &kSimpleQkv};

}  // namespace

const OpKernels kFusedQKVKernels = {FusedQKV::kName, kCandidates};

}  // namespace minfer::cuda
