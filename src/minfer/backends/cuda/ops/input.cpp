// Written before the run.
#include "backends/cuda/ops/refuse.h"

namespace minfer::cuda {
namespace {

constexpr Candidate kInput = {"input", accept, [](const PlanContext&, Plan& plan) { plan.bytes_moved = 0; },
                              [](const Launch&) {}};

constexpr const Candidate* kCandidates[] = {&kInput};

}  // namespace

const OpKernels kInputKernels = {Input::kName, kCandidates};

}  // namespace minfer::cuda
