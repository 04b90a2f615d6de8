#include "ops/qk_norm.h"

#include <fmt/core.h>

#include "backends/cuda/ops/heads.h"
#include "backends/cuda/ops/refuse.h"

namespace minfer::cuda {
namespace {

std::string refuse(const PlanContext& context) {
  const int head_dim = context.op<QkNorm>().head_dim;
  if (head_dim > kMaxHeadDim) return fmt::format("heads of {} values, at most {}", head_dim, kMaxHeadDim);
  return refuse_unless_f32(context);
}

void launch_node(const Launch& launch) {
  const auto& op = launch.op<QkNorm>();
  const Shape& shape = launch.input_descs[0].shape;
  launch_qk_norm(launch.input<const float>(0), launch.weight_floats(0), op.eps, launch.out<float>(),
                 shape.rows(), static_cast<int>(shape.cols() / op.head_dim), op.head_dim,
                 launch.can_overlap(), launch.stream);
}

constexpr Candidate kQkNorm = {"qk_norm", refuse, plan_flops<4>, launch_node};
constexpr const Candidate* kCandidates[] = {&kQkNorm};

}  // namespace

const OpKernels kQkNormKernels = {QkNorm::kName, kCandidates};

}  // namespace minfer::cuda
