#include "backends/cpu/ops/elementwise.h"
#include "backends/cpu/ops/refuse.h"

namespace minfer {
namespace {

constexpr Candidate kCandidates[] = {
    {"add", refuse_unless_f32, plan_flops<1>,
     [](const Launch& launch) { run_binary(launch, launch.kernels.add_row); }},
};

}  // namespace

const OpKernels kAddKernels = {Add::kName, kCandidates};

}  // namespace minfer
