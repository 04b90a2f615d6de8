#include "ops/matmul.h"

#include "backends/cuda/matmul/candidates.h"

namespace minfer::cuda {
namespace {

constexpr const Candidate* kCandidates[] = {&kMmvqMatmul,      &kMmvFloatMatmul, &kMmqMatmul,
                                            &kGemmSm90Matmul,  &kGemmMmaMatmul,  &kMmvFloatMatmulTurns,
                                            &kMmvqMatmulTurns, &kSimpleMatmul};

}  // namespace

const OpKernels kMatMulKernels = {MatMul::kName, kCandidates};

}  // namespace minfer::cuda
