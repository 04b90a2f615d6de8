#include "ops/swiglu.h"

#include "backends/cuda/ops/refuse.h"
#include "backends/cuda/ops/rows.h"

namespace minfer::cuda {
namespace {

std::string refuse(const PlanContext& context) {
  const std::string reason = refuse_unless_f32(context);
  return reason.empty() ? refuse_output(context.op<SwiGLU>().output, context.input(0).shape.cols()) : reason;
}

void launch_node(const Launch& launch) {
  const Shape& shape = launch.input_descs[0].shape;
  launch_swiglu(launch.input<const float>(0), launch.input<const float>(1), launch.output,
                launch.op<SwiGLU>().output != DType::kF32, shape.rows(), shape.cols(), launch.can_overlap(),
                launch.stream);
}

constexpr Candidate kSwiglu = {"swiglu", refuse, plan_flops<5>, launch_node};
constexpr const Candidate* kCandidates[] = {&kSwiglu};

}  // namespace

const OpKernels kSwiGLUKernels = {SwiGLU::kName, kCandidates};

}  // namespace minfer::cuda
