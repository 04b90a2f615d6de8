#include "backends/cpu/ops/elementwise.h"
#include "backends/cpu/ops/refuse.h"

namespace minfer {
namespace {

constexpr Candidate kCandidates[] = {
    {"silu", refuse_unless_f32, plan_flops<4>,
     [](const Launch& launch) { run_unary(launch, launch.kernels.silu_row); }},
};

}  // namespace

const OpKernels kSiluKernels = {Silu::kName, kCandidates};

}  // namespace minfer
