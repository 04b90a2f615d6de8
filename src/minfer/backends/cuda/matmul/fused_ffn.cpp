#include "ops/fused_ffn.h"

#include "backends/cuda/matmul/candidates.h"

namespace minfer::cuda {
namespace {

constexpr const Candidate* kCandidates[] = {&kMmvqFfn,     &kMmvFloatFfn, &kMmqFfn,
                                            &kGemmSm90Ffn, &kGemmMmaFfn,  &kSimpleFfn};

}  // namespace

const OpKernels kFusedFFNKernels = {FusedFFN::kName, kCandidates};

}  // namespace minfer::cuda
