#include "ops/rms_norm.h"

#include "backends/cuda/ops/refuse.h"
#include "backends/cuda/ops/rows.h"

namespace minfer::cuda {
namespace {

std::string refuse(const PlanContext& context) {
  const std::string reason = refuse_unless_f32(context);
  return reason.empty() ? refuse_output(context.op<RmsNorm>().output, context.input(0).shape.cols()) : reason;
}

void launch_node(const Launch& launch) {
  const auto& op = launch.op<RmsNorm>();
  const Shape& shape = launch.input_descs[0].shape;
  launch_rms_norm(launch.input<const float>(0), launch.weight_floats(0), op.eps, launch.output,
                  op.output != DType::kF32, shape.rows(), shape.cols(), launch.can_overlap(), launch.stream);
}

constexpr Candidate kRmsNorm = {"rms_norm", refuse, plan_flops<4>, launch_node};
constexpr const Candidate* kCandidates[] = {&kRmsNorm};

}  // namespace

const OpKernels kRmsNormKernels = {RmsNorm::kName, kCandidates};

}  // namespace minfer::cuda
