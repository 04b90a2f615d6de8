#include "backends/cpu/ops/elementwise.h"
#include "backends/cpu/ops/refuse.h"

namespace minfer {
namespace {

constexpr Candidate kCandidates[] = {
    {"mul", refuse_unless_f32, plan_flops<1>,
     [](const Launch& launch) { run_binary(launch, launch.kernels.mul_row); }},
};

}  // namespace

const OpKernels kMulKernels = {Mul::kName, kCandidates};

}  // namespace minfer
