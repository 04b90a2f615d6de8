#include "ops/matmul_add.h"

#include "backends/cuda/matmul/candidates.h"

namespace minfer::cuda {
namespace {

constexpr const Candidate* kCandidates[] = {
    &kMmvqMatmulAdd,    &kMmvFloatMatmulAdd,      &kMmqMatmulAdd,       &kGemmSm90MatmulAdd,
    &kGemmMmaMatmulAdd, &kMmvFloatMatmulAddTurns, &kMmvqMatmulAddTurns, &kSimpleMatmulAdd};

}  // namespace

const OpKernels kMatMulAddKernels = {MatMulAdd::kName, kCandidates};

}  // namespace minfer::cuda
